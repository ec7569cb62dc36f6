// What an agent shows without waiting for an answer: notices, status fields, widgets, the working line, the title and
// the text in the composer. The same params travel on every wire; only the envelope differs.
import * as z from "zod";

export const notifyLevelSchema = z.enum(["info", "warn", "warning", "error", "success"]).meta({ id: "NotifyLevel" });

export const signalParamsSchemas = {
  notify: z
    .looseObject({ message: z.string(), notify_type: notifyLevelSchema.optional() })
    .meta({ id: "NotifyParams" }),
  setStatus: z.looseObject({ key: z.string(), text: z.string().nullable() }).meta({ id: "StatusParams" }),
  setWidget: z
    .looseObject({
      key: z.string(),
      content: z.union([z.string(), z.array(z.string()), z.null()]),
      opts: z.looseObject({ placement: z.enum(["above", "below"]).optional() }).optional(),
    })
    .meta({ id: "WidgetParams", description: "Null content removes the widget." }),
  setWorkingMessage: z
    .looseObject({ message: z.string().nullable() })
    .meta({ id: "WorkingParams", description: "Null ends the working line." }),
  setTitle: z.looseObject({ title: z.string() }).meta({ id: "TitleParams" }),
  setEditorText: z.looseObject({ text: z.string() }).meta({ id: "EditorTextParams" }),
} as const;

export type NotifyLevel = "info" | "warn" | "error" | "success";
export type WidgetPlacement = "above" | "below";

/** `warning` and a missing level are other spellings of `warn` and `info`. */
export function notifyLevelOf(spelled: z.infer<typeof notifyLevelSchema> | undefined): NotifyLevel {
  if (spelled === undefined) return "info";
  return spelled === "warning" ? "warn" : spelled;
}
