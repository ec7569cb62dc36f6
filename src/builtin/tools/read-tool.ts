// Reads a window of a text file, with line numbers, and says what else there is to know about the file.
import type { FileHandle } from "node:fs/promises";
import * as z from "zod";
import { dangerOfPath } from "../../session/permission/danger.js";
import { type Tool, ToolError, type ToolResult } from "../tool.js";
import { approvedPath, attempt, counted } from "./attempt.js";
import { contentKind, humanBytes, SNIFF_BYTES } from "./content-kind.js";
import { READ_BYTES_MAX, READ_LINES_MAX } from "./limits.js";
import { type LineWindow, readWindow } from "./line-window.js";
import { withFile } from "./regular-file.js";
import { findPath, type WorkspacePath } from "./workspace-path.js";

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

  async plan({ path: written, offset, limit }, { folder }) {
    const { subject, reach } = await findPath(folder, written);
    const lines = offset === undefined && limit === undefined ? "" : ` from line ${offset ?? 1}`;
    return {
      access: "read",
      subject,
      reach,
      danger: dangerOfPath({ access: "read", path: subject, reach }),
      preview: { file_path: subject, summary: `read ${subject}${lines}` },
    };
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
    notes.push(`lines ${firstLine} to ${lastLine} of ${total}; go on with offset ${lastLine + 1}`);
  }
  if (lines[0]?.startsWith("\ufeff")) notes.push("the file begins with a byte order mark");
  if (crlfLines > 0) notes.push(crlfLines >= lines.length - 1 ? "lines end with CRLF" : "some lines end with CRLF");
  if (cutLines > 0) notes.push(`${counted(cutLines, "line")} cut because of length`);
  if (lines.some((line) => line.includes("\ufffd"))) notes.push("not all of it is valid UTF-8");
  if (endsWithNewline === false && lastLine === totalLines) notes.push("no newline at the end of the file");
  return notes;
}
