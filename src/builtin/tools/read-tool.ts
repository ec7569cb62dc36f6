// Reads a window of a text file, with line numbers, and says what else there is to know about the file.
import { type FileHandle, lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { compileGlob } from "../../session/permission/glob.js";
import { type ReadSubject, type Tool, ToolError, type ToolResult } from "../tool.js";
import { approvedPath, attempt, counted, pathPlan } from "./attempt.js";
import { contentKind, humanBytes, SNIFF_BYTES } from "./content-kind.js";
import { byName, searchRoot, walkFiles } from "./file-walk.js";
import {
  GLOB_RESULTS_MAX,
  LINE_CHARS_MAX,
  LS_ENTRIES_MAX,
  READ_BYTES_MAX,
  READ_LINES_MAX,
  WALK_ENTRIES_MAX,
} from "./limits.js";
import { kindOf, kindOfStat, withFile } from "./regular-file.js";
import type { WorkspacePath } from "./workspace-path.js";

const inputSchema = z.object({
  path: z.string().describe("The file, relative to the workspace."),
  offset: z.int().min(1).optional().describe("The first line to read; lines count from 1."),
  limit: z.int().min(1).max(READ_LINES_MAX).optional().describe(`How many lines; ${READ_LINES_MAX} at most.`),
});

export const readTool: Tool<typeof inputSchema> = {
  name: "read",
  description:
    "Reads a text file. Each line comes with its number and a tab, which are not part of the file. " +
    `At most ${READ_LINES_MAX} lines or ${humanBytes(READ_BYTES_MAX)} at once; use offset and limit for more. ` +
    "Images and other binary files are named, not shown.",
  inputSchema,

  plan({ path, offset, limit }, context) {
    const lines = offset === undefined && limit === undefined ? "" : ` from line ${offset ?? 1}`;
    return pathPlan("read", context, path, (subject) => `read ${subject}${lines}`);
  },

  run: ({ path: written, offset = 1, limit = READ_LINES_MAX }, context) =>
    attempt(context, written, async () => {
      const path = await approvedPath(written, context);
      const read = async (file: FileHandle) => {
        const refusal = await whyNotText(file, path);
        if (refusal !== undefined) return refusal;
        const window = { firstLine: offset, lineCountMax: limit, signal: context.signal };
        return describe(await readWindow(file, window), path, offset);
      };
      return withFile(path, read, context.readDecision);
    }),
};

async function whyNotText(file: FileHandle, { subject }: WorkspacePath): Promise<ToolResult | undefined> {
  const head = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0);
  const content = contentKind(head.subarray(0, bytesRead));
  if (content.kind === "text") return undefined;
  const { size } = await file.stat();
  const advice = content.kind === "image" ? "Its pixels cannot be read as text." : "It cannot be read as text.";
  const text = `${subject} is a file of ${humanBytes(size)}: ${content.name}. ${advice}`;
  return { text, outcome: "done", details: { bytes: size, kind: content.kind, contents: content.name } };
}

function describe(window: LineWindow, { subject }: WorkspacePath, firstLine: number): ToolResult {
  const { lines, totalLines, bytesRead } = window;
  if (totalLines !== null && firstLine > Math.max(1, totalLines)) {
    throw new ToolError(`${subject} has ${counted(totalLines, "line")}; there is nothing from line ${firstLine} on.`);
  }
  const body = lines.map((line, at) => `${firstLine + at}\t${line.replace(/^\ufeff/, "")}`);
  const notes = notesOn(window, firstLine).map((note) => `[${note}]`);
  const details = { lines: lines.length, firstLine, totalLines, bytesRead };
  return { text: [...body, ...notes].join("\n"), outcome: "done", details };
}

function notesOn(window: LineWindow, firstLine: number): string[] {
  const { lines, totalLines, crlfLines, cutLines, endsWithNewline } = window;
  const notes: string[] = [];
  const lastLine = firstLine + lines.length - 1;
  if (totalLines === 0) notes.push("the file is empty");
  if (totalLines === null || lastLine < totalLines) {
    const total = totalLines === null ? "more" : String(totalLines);
    notes.push(`lines ${firstLine} to ${lastLine} of ${total}; continue with offset ${lastLine + 1}`);
  }
  if (lines[0]?.startsWith("\ufeff")) notes.push("the file begins with a byte order mark");
  if (crlfLines > 0) notes.push(crlfLines >= lines.length - 1 ? "lines end with CRLF" : "some lines end with CRLF");
  if (cutLines > 0) notes.push(`${counted(cutLines, "line")} cut because of length`);
  if (lines.some((line) => line.includes("\ufffd"))) notes.push("not all of it is valid UTF-8");
  if (endsWithNewline === false && lastLine === totalLines) notes.push("no newline at the end of the file");
  return notes;
}

// A window of lines out of a file of any size. Bytes stream through; before the window lines are only counted, behind it
// reading stops, and a line of a gigabyte costs no more memory than the part of it that is shown.
type WindowOptions = { readonly firstLine: number; readonly lineCountMax: number; readonly signal: AbortSignal };

type LineWindow = {
  readonly lines: readonly string[];
  /** Lines of the whole file, when it was read to its end. */
  readonly totalLines: number | null;
  readonly bytesRead: number;
  readonly endsWithNewline: boolean | null;
  readonly crlfLines: number;
  readonly cutLines: number;
};

const CHUNK_BYTES = 256 * 1024;
/** Smaller files are counted to their end, so that the model knows how much there is. */
const COUNT_BYTES_MAX = 8 * 1024 * 1024;
const LINE_BYTES_MAX = LINE_CHARS_MAX * 4;
const NEWLINE = 0x0a;

async function readWindow(file: FileHandle, window: WindowOptions): Promise<LineWindow> {
  const collector = new LineCollector(window);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const { size } = await file.stat();
  for (;;) {
    window.signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return collector.result("whole");
    collector.take(chunk.subarray(0, bytesRead));
    // Files of /proc have no size, so what was read counts too.
    if (collector.isFull && Math.max(size, collector.bytesRead) > COUNT_BYTES_MAX) return collector.result("part");
  }
}

class LineCollector {
  bytesRead = 0;
  private readonly window: WindowOptions;
  private readonly lines: string[] = [];
  private lineNumber = 1;
  private lineBytes = 0;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private shownBytes = 0;
  private crlfLines = 0;
  private cutLines = 0;

  constructor(window: WindowOptions) {
    this.window = window;
  }

  get isFull(): boolean {
    return this.lines.length >= this.window.lineCountMax || this.shownBytes >= READ_BYTES_MAX;
  }

  take(chunk: Buffer): void {
    this.bytesRead += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  result(extent: "whole" | "part"): LineWindow {
    const hasRest = this.lineBytes > 0;
    if (extent === "whole" && hasRest) this.endLine();
    return {
      lines: this.lines,
      totalLines: extent === "whole" ? this.lineNumber - 1 : null,
      bytesRead: this.bytesRead,
      endsWithNewline: extent === "whole" ? !hasRest : null,
      crlfLines: this.crlfLines,
      cutLines: this.cutLines,
    };
  }

  private get isInside(): boolean {
    return this.lineNumber >= this.window.firstLine && !this.isFull;
  }

  private keep(bytes: Buffer): void {
    this.lineBytes += bytes.length;
    const room = LINE_BYTES_MAX - this.keptBytes;
    if (!this.isInside || room <= 0 || bytes.length === 0) return;
    // The chunk is used again for the next read, so what is kept is copied.
    const part = Buffer.from(bytes.subarray(0, room));
    this.kept.push(part);
    this.keptBytes += part.length;
  }

  private endLine(): void {
    if (this.isInside) this.show();
    this.lineNumber++;
    this.lineBytes = 0;
    this.kept = [];
    this.keptBytes = 0;
  }

  private show(): void {
    const text = Buffer.concat(this.kept).toString("utf8");
    const isCrlf = text.endsWith("\r") && this.keptBytes === this.lineBytes;
    if (isCrlf) this.crlfLines++;
    const line = isCrlf ? text.slice(0, -1) : text;
    const isCut = line.length > LINE_CHARS_MAX || this.lineBytes > this.keptBytes;
    if (isCut) this.cutLines++;
    const shown = isCut ? `${line.slice(0, LINE_CHARS_MAX)}… (${this.lineBytes} bytes in this line)` : line;
    this.lines.push(shown);
    this.shownBytes += Buffer.byteLength(shown) + 1;
  }
}

// ls lists one folder; glob finds files by their paths.

// Lists one folder: folders first, then files with their sizes, links with where they lead.
const lsSchema = z.object({
  path: z.string().optional().describe("The folder, relative to the workspace; the workspace itself when left out."),
});

export const lsTool: Tool<typeof lsSchema> = {
  name: "ls",
  description: `Lists what is in a folder, at most ${LS_ENTRIES_MAX} entries. Folders end with a slash.`,
  inputSchema: lsSchema,

  plan: ({ path = "." }, context) => pathPlan("read", context, path, (subject) => `list ${subject}`),

  run: ({ path: written = "." }, context) =>
    attempt(context, written, async () => {
      const path = await approvedPath(written, context);
      await requireFolder(path);
      const all = (await readdir(path.realPath)).sort(byName);
      const names = all.filter((name) => context.readDecision?.(entrySubject(path, name)) !== "deny");
      const lines: Entry[] = [];
      for (const name of names.slice(0, LS_ENTRIES_MAX)) {
        context.signal.throwIfAborted();
        lines.push(await entryOf(path.realPath, name));
      }
      lines.sort((a, b) => a.order - b.order);
      const more = names.length - lines.length;
      const notes = more > 0 ? [`[${counted(more, "entry", "entries")} more; use glob with a pattern]`] : [];
      if (names.length < all.length) notes.push(deniedNote(all.length - names.length, "entry", "entries"));
      const text = all.length === 0 ? "[the folder is empty]" : [...lines.map(({ line }) => line), ...notes].join("\n");
      return { text, outcome: "done", details: { entries: names.length } };
    }),
};

function entrySubject({ subject, reach }: WorkspacePath, name: string): ReadSubject {
  return { subject: subject === "." ? name : join(subject, name), reach };
}

function deniedNote(count: number, one: string, many?: string): string {
  return `[${counted(count, one, many)} left out: a rule denies reading them]`;
}

async function requireFolder({ realPath, subject }: WorkspacePath): Promise<void> {
  const kind = await kindOf(realPath);
  if (kind === "missing") throw new ToolError(`${subject} does not exist.`);
  if (kind !== "folder") throw new ToolError(`${subject} is a ${kind}, not a folder.`);
}

type Entry = { readonly line: string; readonly order: 0 | 1 };

async function entryOf(folder: string, name: string): Promise<Entry> {
  const path = join(folder, name);
  try {
    const stat = await lstat(path);
    const kind = kindOfStat(stat);
    if (kind === "folder") return { line: `${name}/`, order: 0 };
    if (kind === "link") return { line: `${name} -> ${await readlink(path)}`, order: 1 };
    return { line: `${name}  ${kind === "file" ? humanBytes(stat.size) : kind}`, order: 1 };
  } catch {
    return { line: `${name}  (cannot be looked at)`, order: 1 };
  }
}

const globSchema = z.object({
  pattern: z.string().min(1).max(1_000).describe("For example **/*.ts, src/**/*.{js,css}; relative to path."),
  path: z.string().optional().describe("The folder to look in; the workspace when left out."),
  include_ignored: z.boolean().optional().describe("Also look at node_modules, .git and what .gitignore leaves out."),
});

export const globTool: Tool<typeof globSchema> = {
  name: "glob",
  description:
    `Finds files whose path matches a pattern, sorted by path, at most ${GLOB_RESULTS_MAX}. ` +
    "* stays within one name, ** goes through folders. Ignored files are left out.",
  inputSchema: globSchema,

  async plan({ pattern, path = "." }, context) {
    refuseClimbing(pattern);
    return pathPlan("read", context, path, (subject) => `find ${pattern} in ${subject}`);
  },

  run: ({ pattern, path: written = ".", include_ignored }, context) =>
    attempt(context, written, async () => {
      refuseClimbing(pattern);
      const path = await approvedPath(written, context);
      await requireFolder(path);
      const { root, start } = await searchRoot(path, context.folder);
      const { matches } = compileGlob(pattern.replace(/^\.\//, ""));
      const isDenied = (found: string) => {
        const subject = path.reach === "inside" ? found : `${root}/${found}`;
        return context.readDecision?.({ subject, reach: path.reach }) === "deny";
      };
      const from = await beginning(root, start, pattern, isDenied);
      const ignored = include_ignored === true ? "included" : "left-out";
      const walk = walkFiles({ root, start: from, ignored, signal: context.signal });
      const found: string[] = [];
      let denied = 0;
      let step = await walk.next();
      for (; step.done !== true && found.length <= GLOB_RESULTS_MAX; step = await walk.next()) {
        const inner = start === "" ? step.value.path : step.value.path.slice(start.length + 1);
        // All that is denied is counted, not only what matches, so that a pattern cannot be used to guess names.
        if (isDenied(step.value.path)) denied += 1;
        else if (matches(inner)) found.push(path.reach === "inside" ? step.value.path : `${root}/${step.value.path}`);
      }
      return foundText({ found, denied, isCut: step.done === true && step.value === "too-many" }, pattern);
    }),
};

type Findings = { readonly found: readonly string[]; readonly denied: number; readonly isCut: boolean };

function foundText({ found, denied, isCut }: Findings, pattern: string) {
  const shown = found.slice(0, GLOB_RESULTS_MAX);
  const notes: string[] = [];
  if (found.length > shown.length)
    notes.push(`[the first ${GLOB_RESULTS_MAX} files; use a narrower pattern for others]`);
  if (isCut) notes.push(`[stopped after ${WALK_ENTRIES_MAX} entries; give a folder as path]`);
  if (denied > 0) notes.push(deniedNote(denied, "file"));
  const text = found.length === 0 ? [`No file matches ${pattern}.`] : shown;
  const details = { files: shown.length, truncated: found.length > shown.length || isCut };
  return { text: [...text, ...notes].join("\n"), outcome: "done", details } as const;
}

function refuseClimbing(pattern: string): void {
  if (!pattern.startsWith("/") && !pattern.split("/").includes("..")) return;
  throw new ToolError("A pattern stays below its folder: give the folder as path, and the pattern without / or .. .");
}

// A link among those folders would lead the walk to a place that was not approved; then it begins at the top.
async function beginning(
  root: string,
  start: string,
  pattern: string,
  isDenied: (path: string) => boolean,
): Promise<string> {
  const from = [start, fixedFolders(pattern)].filter((part) => part !== "").join("/");
  if (from !== start && isDenied(from)) return start;
  const wanted = join(root, from);
  return (await realpath(wanted).catch(() => undefined)) === wanted ? from : start;
}

/** The folders that a pattern names outright, so that the walk can begin there: src/session for src/session/*.ts */
function fixedFolders(pattern: string): string {
  const names = pattern.replace(/^\.\//, "").split("/").slice(0, -1);
  const end = names.findIndex((name) => /[*?[{\\]/.test(name) || name === "" || name === ".");
  return names.slice(0, end < 0 ? names.length : end).join("/");
}
