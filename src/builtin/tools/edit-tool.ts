// Replaces exact pieces of a file. What is not there exactly once is not guessed at.
import * as z from "zod";
import { type Tool, ToolError } from "../tool.js";
import { attempt } from "./attempt.js";
import { type Change, planChange, rehearseChange, runChange } from "./file-change.js";
import { EDITS_MAX } from "./limits.js";
import { requireFile } from "./regular-file.js";
import { applyEdits, type TextEdit } from "./text-edits.js";
import { findPath } from "./workspace-path.js";

const editSchema = z.object({
  old_text: z.string().describe("What is there now, exactly, with enough lines around it to be the only such place."),
  new_text: z.string().describe("What shall be there instead."),
  replace_all: z.boolean().optional().describe("Replace every occurrence."),
});

const inputSchema = z.object({
  path: z.string().describe("The file, relative to the workspace."),
  edits: z
    .array(editSchema)
    .min(1)
    .max(EDITS_MAX)
    .describe("Done one after the other, each on the result of the last."),
});

export const editTool: Tool<typeof inputSchema> = {
  name: "edit",
  description:
    "Replaces text in a file. old_text has to be in the file exactly once, white space included, unless replace_all is set. " +
    "All edits are done, or none.",
  inputSchema,

  plan: async ({ path }, { folder }) => ({ ...(await planChange(path, folder)), reveals: true }),
  async rehearse({ path, edits }, plan, context) {
    await requireFile(await findPath(context.folder, path), context.readDecision);
    return rehearseChange(path, plan, context, editing(edits));
  },

  run: ({ path, edits }, context) => attempt(context, path, () => runChange(path, context, editing(edits))),
};

function editing(edits: readonly TextEdit[]): Change {
  return (now, { subject }) => {
    if (now === undefined) throw new ToolError(`${subject} does not exist. Use write to make it.`);
    if (now.text === null) throw new ToolError(`${subject} is not UTF-8 text; editing it would damage it.`);
    return applyEdits(now.text, edits).text;
  };
}
