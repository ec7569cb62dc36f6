// The tools that change files: write and edit. A change is worked out in full before the user is asked, who sees its diff,
// and it is done only if the file is still the one that the diff was made from.
import { createHash, randomBytes } from "node:crypto";
import { access, constants, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { unifiedDiffOf } from "../../session/file-diff.js";
import { type Tool, type ToolContext, ToolError, type ToolPlan, type ToolResult } from "../tool.js";
import { approvedPath, attempt, counted, pathPlan } from "./attempt.js";
import { humanBytes } from "./content-kind.js";
import { type HeldFolder, MovedFolderError, withHeldFolder } from "./held-folder.js";
import { DIFF_CHARS_MAX, EDIT_BYTES_MAX, EDITS_MAX } from "./limits.js";
import { kindOf, requireFile, withFile } from "./regular-file.js";
import { errorCode, systemProblem } from "./system-problem.js";
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

// Exact replacements in a text, one after the other. Pure: text and edits in, text or the reason why not out. A failed
// edit says enough that the next try can work.

export type TextEdit = {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
};

type EditedText = { readonly text: string; readonly replacements: number };

const LINES_NAMED_MAX = 5;

export function applyEdits(before: string, edits: readonly TextEdit[]): EditedText {
  let text = before;
  let replacements = 0;
  edits.forEach((edit, at) => {
    const which = edits.length === 1 ? "" : `Edit ${at + 1} of ${edits.length}: `;
    const done = applyEdit(text, edit, which);
    text = done.text;
    replacements += done.replacements;
  });
  if (text === before) throw new ToolError("The edits change nothing.");
  return { text, replacements };
}

function applyEdit(text: string, edit: TextEdit, which: string): EditedText {
  if (edit.old_text === "") throw new ToolError(`${which}old_text is empty. Use write to make a whole file.`);
  if (edit.old_text === edit.new_text) throw new ToolError(`${which}old_text and new_text are the same.`);
  const { old_text, new_text } = inLineEndsOf(text, edit);
  const places = placesOf(text, old_text);
  if (places.length === 0) throw new ToolError(`${which}old_text is not in the file. ${hint(text, edit.old_text)}`);
  if (places.length > 1 && edit.replace_all !== true) {
    throw new ToolError(
      `${which}old_text is in the file ${places.length} times, at ${namedLines(text, places)}. ` +
        "Add the lines around the one you mean, or set replace_all.",
    );
  }
  if (text.length + places.length * (new_text.length - old_text.length) > EDIT_BYTES_MAX) {
    throw new ToolError(`${which}the file would become too large.`);
  }
  // Split and join, because a replacement may contain $ and must be taken literally.
  return { text: text.split(old_text).join(new_text), replacements: places.length };
}

// Models write \n. In a file with CRLF that means the file's own line ends, unless the text is there as it was written.
function inLineEndsOf(text: string, { old_text, new_text }: TextEdit): Pick<TextEdit, "old_text" | "new_text"> {
  if (!text.includes("\r\n") || /\r/.test(old_text)) return { old_text, new_text };
  const isMixed = /(?<!\r)\n/.test(text);
  if (isMixed && old_text.includes("\n") && text.includes(old_text)) return { old_text, new_text };
  const isPlain = isMixed && !old_text.includes("\n");
  return { old_text: withCrlf(old_text), new_text: isPlain || new_text.includes("\r") ? new_text : withCrlf(new_text) };
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/** Whether every line of it ends with CRLF, and there is one. */
function hasCrlfOnly(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function namedLines(text: string, places: readonly number[]): string {
  const lines = places.slice(0, LINES_NAMED_MAX).map((at) => text.slice(0, at).split("\n").length);
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${places.length > lines.length ? ", …" : ""}`;
}

function hint(text: string, wanted: string): string {
  const near = nearestLine(text, wanted);
  if (near === undefined) return "Nothing in it is similar; read the file again.";
  const what = near.likeness === "but-for-white-space" ? "The same but for white space is" : "The nearest is";
  return `${what} line ${near.line}: ${near.text}`;
}

// The line of a text that is most like what was not found: usually the one that was meant.
type NearestLine = {
  readonly line: number;
  readonly text: string;
  readonly likeness: "but-for-white-space" | "similar";
};

const LINES_MAX = 20_000;
const LINE_CHARS_MAX = 300;
const LIKENESS_MIN = 0.5;

function nearestLine(text: string, wanted: string): NearestLine | undefined {
  const goal = squeezed(wanted.split(/\r?\n/).find((line) => line.trim() !== "") ?? "");
  if (goal === "") return undefined;
  const pairs = pairsOf(goal);
  const lines = text.split(/\r?\n/, LINES_MAX);
  let best: NearestLine | undefined;
  let bestLikeness = LIKENESS_MIN;
  for (const [at, line] of lines.entries()) {
    const candidate = squeezed(line);
    const found = { line: at + 1, text: line.trim().slice(0, LINE_CHARS_MAX) };
    if (candidate === goal) return { ...found, likeness: "but-for-white-space" };
    const likeness = candidate === "" ? 0 : overlap(pairs, pairsOf(candidate));
    if (likeness > bestLikeness) {
      bestLikeness = likeness;
      best = { ...found, likeness: "similar" };
    }
  }
  return best;
}

function squeezed(line: string): string {
  return line.trim().replace(/\s+/g, " ").slice(0, LINE_CHARS_MAX);
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at < text.length - 1; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** 1 for the same pairs of letters, 0 for none in common. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}

// A text file as edit and write need it: its text, proof of which version that is, and a way to replace it whole. The
// replacement is a new file that takes the old one's place in one step, so that half of it is never seen.

type FileVersion = {
  /** Null when it is no valid UTF-8: then it can be replaced, not edited. */
  readonly text: string | null;
  /** Changes with the contents. */
  readonly hash: string;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
};

const ABSENT = "absent";
const NEW_FILE_MODE = 0o666;
const PERMISSION_BITS = 0o7777;

/** What is there now; undefined when nothing is. Throws a ToolError when it is no file, or too large to hold. */
async function readVersion(path: WorkspacePath): Promise<FileVersion | undefined> {
  const kind = await kindOf(path.realPath);
  if (kind === "missing") return undefined;
  if (kind !== "file") throw new ToolError(`${path.subject} is a ${kind}, not a file.`);
  return withFile(path, async (file) => {
    const { size, mode, uid, gid } = await file.stat();
    if (size > EDIT_BYTES_MAX) {
      throw new ToolError(
        `${path.subject} has ${humanBytes(size)}; files up to ${humanBytes(EDIT_BYTES_MAX)} can be changed.`,
      );
    }
    const bytes = await file.readFile();
    return { text: strictText(bytes), hash: hashOf(bytes), mode: mode & PERMISSION_BITS, owner: { uid, gid } };
  });
}

/** Throws a ToolError when the system would not let the file be written. */
async function requireWritable({ realPath, subject }: WorkspacePath): Promise<void> {
  const target = await nearestExisting(realPath);
  try {
    // Replacing a file needs no right to the file itself; a file made read-only is respected all the same.
    if (target === realPath) await (await open(target, constants.O_WRONLY | constants.O_NOFOLLOW)).close();
    else await access(target, constants.W_OK);
  } catch (error) {
    throw new ToolError(systemProblem(error, subject));
  }
}

/**
 * Puts `text` in the place of `expected`, which is what was read before, or undefined for nothing. Folders on the way are
 * made. The last look at the old file comes right before the step that replaces it.
 */
async function replaceFile(path: WorkspacePath, text: string, expected: FileVersion | undefined): Promise<void> {
  try {
    await withHeldFolder(dirname(path.realPath), (held) => replaceIn(held, path, text, expected));
  } catch (error) {
    if (error instanceof MovedFolderError) throw new ToolError(changedMessage(path));
    throw error;
  }
}

async function replaceIn(
  held: HeldFolder,
  path: WorkspacePath,
  text: string,
  expected: FileVersion | undefined,
): Promise<void> {
  const name = basename(path.realPath);
  const target = { ...path, realPath: join(held.path, name) };
  const draft = join(held.path, `.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeDraft(draft, text, expected);
    const now = await readVersion(target);
    if (now?.hash !== expected?.hash) throw new ToolError(changedMessage(path));
    await held.check();
    await rename(draft, target.realPath);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function changedMessage({ subject }: WorkspacePath): string {
  return `${subject} has changed since this was planned, so nothing was written. Read it again.`;
}

async function writeDraft(draft: string, text: string, old: FileVersion | undefined): Promise<void> {
  const file = await open(draft, "wx", old?.mode ?? NEW_FILE_MODE);
  try {
    await file.writeFile(text);
    if (old !== undefined) {
      // Only root can give a file to its old owner; for any other user it is theirs already, or cannot be.
      await file.chown(old.owner.uid, old.owner.gid).catch(() => {});
      // The mask of the process may have taken bits away that the old file had.
      await file.chmod(old.mode);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) return path;
    return nearestExisting(dirname(path));
  }
}

function strictText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
