// What edit and write have in common: a change is worked out in full before the person is asked, who sees its diff,
// and it is done only if the file is still the one that the diff was made from.
import { dangerOfPath } from "../../session/permission/danger.js";
import { type ToolContext, ToolError, type ToolPlan, type ToolResult } from "../tool.js";
import { approvedPath, counted } from "./attempt.js";
import { type FileDiff, fileDiff } from "./file-diff.js";
import { ABSENT, changedMessage, type FileVersion, readVersion, replaceFile, requireWritable } from "./text-file.js";
import { findPath, type WorkspacePath } from "./workspace-path.js";

/** What the file shall hold, given what it holds now; throws a ToolError when that cannot be said. */
export type Change = (now: FileVersion | undefined, path: WorkspacePath) => string;

export async function planChange(written: string, folder: string): Promise<ToolPlan> {
  const { subject, reach } = await findPath(folder, written);
  const danger = dangerOfPath({ access: "write", path: subject, reach });
  return { access: "write", subject, reach, danger, preview: { file_path: subject } };
}

export async function rehearseChange(
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

export async function runChange(written: string, context: ToolContext, change: Change): Promise<ToolResult> {
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

function diffOf({ subject }: WorkspacePath, now: FileVersion | undefined, after: string): FileDiff {
  return fileDiff(subject, now === undefined ? undefined : now.text, after);
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
