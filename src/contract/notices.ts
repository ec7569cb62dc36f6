// What an agent shows without waiting for an answer: notices, status fields, widgets, the working line, the title and
// the text in the composer. The same params travel on every wire; only the envelope differs.
import * as z from "zod";

export const notifyLevelSchema = z
  .enum(["info", "warn", "warning", "error", "success"])
  .meta({ id: "NotifyLevel", description: "How important it is." });

export const signalParamsSchemas = {
  notify: z
    .looseObject({
      message: z.string().describe("The words of the notice."),
      level: notifyLevelSchema.optional().describe("`info` if missing; `warning` means `warn`."),
    })
    .meta({ id: "NotifyParams", description: "A notice that needs no answer." }),
  setStatus: z
    .looseObject({
      key: z.string().describe("Names the field, so that a later one replaces it."),
      text: z.string().nullable().describe("Null removes the field."),
    })
    .meta({ id: "StatusParams", description: "A field of the status line." }),
  setWidget: z
    .looseObject({
      key: z.string().describe("Names the widget, so that a later one replaces it."),
      content: z.union([z.string(), z.array(z.string()), z.null()]).describe("Its lines; null removes it."),
      opts: z
        .looseObject({
          placement: z.enum(["above", "below"]).optional().describe("Above (the default) or below the composer."),
        })
        .optional()
        .describe("`placement`: above (the default) or below the composer."),
    })
    .meta({ id: "WidgetParams", description: "Null content removes the widget." }),
  setWorkingMessage: z
    .looseObject({ message: z.string().nullable().describe("What the agent is doing.") })
    .meta({ id: "WorkingParams", description: "Null ends the working line." }),
  setTitle: z
    .looseObject({ title: z.string().describe("The new title.") })
    .meta({ id: "TitleParams", description: "The title of the window." }),
  setEditorText: z
    .looseObject({ text: z.string().describe("The suggested text.") })
    .meta({ id: "EditorTextParams", description: "A suggestion for the composer; it never replaces a draft." }),
} as const;

export type NotifyLevel = "info" | "warn" | "error" | "success";
export type WidgetPlacement = "above" | "below";

/** `warning` and a missing level are other spellings of `warn` and `info`. */
export function notifyLevelOf(spelled: z.infer<typeof notifyLevelSchema> | undefined): NotifyLevel {
  if (spelled === undefined) return "info";
  return spelled === "warning" ? "warn" : spelled;
}
