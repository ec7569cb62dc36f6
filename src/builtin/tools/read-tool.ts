// Reads a window of a text file, with line numbers, and says what else there is to know about the file.

import type { FileHandle } from "node:fs/promises";
import * as z from "zod";
import { type Tool, ToolError, type ToolResult } from "../tool.js";
import { approvedPath, attempt, counted, pathPlan } from "./attempt.js";
import { contentKind, humanBytes, SNIFF_BYTES } from "./content-kind.js";
import { LINE_CHARS_MAX, READ_BYTES_MAX, READ_LINES_MAX } from "./limits.js";
import { withFile } from "./regular-file.js";
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
        const wish = { firstLine: offset, lineCountMax: limit, signal: context.signal };
        return describe(await readWindow(file, wish), path, offset);
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

async function readWindow(file: FileHandle, wish: WindowOptions): Promise<LineWindow> {
  const collector = new LineCollector(wish);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const { size } = await file.stat();
  for (;;) {
    wish.signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return collector.result("whole");
    collector.take(chunk.subarray(0, bytesRead));
    // Files of /proc have no size, so what was read counts too.
    if (collector.isFull && Math.max(size, collector.bytesRead) > COUNT_BYTES_MAX) return collector.result("part");
  }
}

class LineCollector {
  bytesRead = 0;
  private readonly wish: WindowOptions;
  private readonly lines: string[] = [];
  private lineNumber = 1;
  private lineBytes = 0;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private shownBytes = 0;
  private crlfLines = 0;
  private cutLines = 0;

  constructor(wish: WindowOptions) {
    this.wish = wish;
  }

  get isFull(): boolean {
    return this.lines.length >= this.wish.lineCountMax || this.shownBytes >= READ_BYTES_MAX;
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
    return this.lineNumber >= this.wish.firstLine && !this.isFull;
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
