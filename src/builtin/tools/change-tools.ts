// The tools that change files: write and edit. A change is worked out in full before the user is asked, who sees its diff,
// and it is done only if the file is still the one that the diff was made from.

import * as z from "zod";
import { unifiedDiffOf } from "../../session/file-diff.js";
import { type Tool, type ToolContext, ToolError, type ToolPlan, type ToolResult } from "../tool.js";
import { approvedPath, attempt, counted, pathPlan } from "./attempt.js";
import { DIFF_CHARS_MAX, EDIT_BYTES_MAX, EDITS_MAX } from "./limits.js";
import { requireFile } from "./regular-file.js";
import { applyEdits, hasCrlfOnly, type TextEdit, withCrlf } from "./text-edits.js";
import { ABSENT, changedMessage, type FileVersion, readVersion, replaceFile, requireWritable } from "./text-file.js";
import { findPath, type WorkspacePath } from "./workspace-path.js";

const writeSchema = z.object({
  path: z.string().describe("The file, relative to the workspace. Folders on the way are made."),
  content: z.string().max(EDIT_BYTES_MAX).describe("The complete new content of the file."),
});

export const writeTool: Tool<typeof writeSchema> = {
  name: "write",
  description: "Writes a whole file: a new one, or in place of what is there. Use edit to change a part of a file.",
  inputSchema: writeSchema,
  plan: ({ path }, context) => pathPlan("write", context, path),
  rehearse: ({ path, content }, plan, context) => rehearseChange(path, plan, context, writing(content)),
  run: ({ path, content }, context) => attempt(context, path, () => runChange(path, context, writing(content))),
};

function writing(content: string): Change {
  return (now, { subject }) => {
    if (now === undefined) return content;
    // A file keeps its line ends, unless the new text says otherwise.
    const isKept = now.text !== null && hasCrlfOnly(now.text) && !content.includes("\r");
    const after = isKept ? withCrlf(content) : content;
    if (after === now.text) throw new ToolError(`${subject} already has exactly this content.`);
    return after;
  };
}

const editSchema = z.object({
  old_text: z.string().describe("What is there now, exactly, with enough lines around it to be the only such place."),
  new_text: z.string().describe("The text to put in its place."),
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

  plan: async ({ path }, context) => ({ ...(await pathPlan("write", context, path)), reveals: true }),
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

/** What the file shall hold, given what it holds now; throws a ToolError when that cannot be said. */
type Change = (now: FileVersion | undefined, path: WorkspacePath) => string;

async function rehearseChange(
  written: string,
  plan: ToolPlan,
  { folder }: Pick<ToolContext, "folder">,
  change: Change,
): Promise<ToolPlan> {
  const path = await approvedPath(written, { folder, plan });
  const now = await readVersion(path);
  const after = change(now, path);
  await requireWritable(path);
  const { diff, truncated } = diffOf(path, now, after);
  const preview = { ...plan.preview, diff, ...summaryOf(path, now), ...(truncated ? { truncated } : {}) };
  return { ...plan, preview, basis: basisOf(now) };
}

async function runChange(written: string, context: ToolContext, change: Change): Promise<ToolResult> {
  const path = await approvedPath(written, context);
  const now = await readVersion(path);
  const basis = context.plan?.basis;
  if (basis !== undefined && basis !== basisOf(now)) throw new ToolError(changedMessage(path));
  const after = change(now, path);
  const { diff, added, removed, truncated } = diffOf(path, now, after);
  context.signal.throwIfAborted();
  await replaceFile(path, after, now);
  const verb = now === undefined ? "Created" : "Changed";
  const text = `${verb} ${path.subject}: ${counted(added, "line")} added, ${removed.toLocaleString("en-US")} removed.`;
  return { text, outcome: "done", details: { path: path.subject, diff, added, removed, truncated } };
}

function basisOf(now: FileVersion | undefined): string {
  return now?.hash ?? ABSENT;
}

// That a file is changed is what its diff shows; words are for what the diff does not say.
function summaryOf(path: WorkspacePath, now: FileVersion | undefined): { summary?: string } {
  const verb = now === undefined ? "create" : now.text === null ? "replace the binary file" : "change";
  const link = leadsTo(path);
  return verb === "change" && link === "" ? {} : { summary: `${verb} ${path.subject}${link}` };
}

/** Says so when the path that was written is a link to somewhere else. */
function leadsTo({ written, subject }: WorkspacePath): string {
  const plain = written.replace(/^\.\//, "");
  return plain === subject || subject.endsWith(`/${plain}`) || plain.endsWith(`/${subject}`)
    ? ""
    : ` (written as ${written})`;
}

type FileDiff = {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly truncated: boolean;
};

function diffOf({ subject: path }: WorkspacePath, now: FileVersion | undefined, after: string): FileDiff {
  const whole = unifiedDiffOf(now && (now.text ?? ""), after, path);
  const lines = whole.split("\n").slice(2);
  const truncated = whole.length > DIFF_CHARS_MAX;
  return {
    diff: truncated ? whole.slice(0, whole.lastIndexOf("\n", DIFF_CHARS_MAX) + 1) : whole,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    truncated,
  };
}
