// Makes a file, or replaces all of one.
import * as z from "zod";
import { type Tool, ToolError } from "../tool.js";
import { attempt } from "./attempt.js";
import { type Change, planChange, rehearseChange, runChange } from "./file-change.js";
import { EDIT_BYTES_MAX } from "./limits.js";
import { hasCrlfOnly, withCrlf } from "./text-edits.js";

const inputSchema = z.object({
  path: z.string().describe("The file, relative to the workspace. Folders on the way are made."),
  content: z.string().max(EDIT_BYTES_MAX).describe("All of what the file shall hold."),
});

export const writeTool: Tool<typeof inputSchema> = {
  name: "write",
  description: "Writes a whole file: a new one, or in place of what is there. Use edit to change a part of a file.",
  inputSchema,
  plan: ({ path }, { folder }) => planChange(path, folder),
  rehearse: ({ path, content }, plan, context) => rehearseChange(path, plan, context, writing(content)),
  run: ({ path, content }, context) => attempt(context, path, () => runChange(path, context, writing(content))),
};

function writing(content: string): Change {
  return (now, { subject }) => {
    if (now === undefined) return content;
    // A file keeps its line ends, unless the new text says otherwise.
    const isKept = now.text !== null && hasCrlfOnly(now.text) && !content.includes("\r");
    const after = isKept ? withCrlf(content) : content;
    if (after === now.text) throw new ToolError(`${subject} holds exactly this already.`);
    return after;
  };
}
