// A tool call as lines: one head that says what was done, how it went and how long it took, and below it the beginning of
// what came out. The output is logical lines, so that a copy of it has no hard breaks and no gutter.
//
//   ● run npm test -- parser  1 failed  2.3 s
//   expected "a,b" to equal "a, b"
//   … 38 more lines
import type { ToolBlock } from "../../core/transcript/block.js";
import { humanCount, humanDuration } from "../../text/humanize.js";
import { safeLine, safeSgrLines } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { diffRows, diffStat } from "../diff/diff-rows.js";
import type { Role } from "../style/look.js";
import type { Style } from "../style/style.js";
import type { Glyphs } from "./glyphs.js";

export interface ToolRowsOptions {
  readonly style: Style;
  readonly glyphs: Glyphs;
  /** How many lines of output a finished tool shows. */
  readonly outputLinesMax: number;
}

const ARGUMENT_CELLS_MAX = 72;
/** What was only looked at is not shown again; the file is still where it was. */
const LOOKING = /^(?:read|view|open|cat)(?:$|[_\W])/i;
const DIFF = /^(?:diff --git |--- |@@ )/m;

/** The lines of a tool that has ended. */
export function toolRows(tool: ToolBlock, options: ToolRowsOptions): string[] {
  const { style, glyphs, outputLinesMax } = options;
  if (DIFF.test(tool.output)) {
    const rows = diffRows(tool.output, { style, rowsMax: outputLinesMax * 4 });
    return [toolHead(tool, diffStat(tool.output), options), ...rows];
  }
  const lines = safeSgrLines(tool.output);
  const summary = lines.length === 0 ? "" : `${humanCount(lines.length)} ${lines.length === 1 ? "line" : "lines"}`;
  if (tool.phase === "done" && LOOKING.test(tool.name)) return [toolHead(tool, summary, options)];
  const shown = tool.phase === "failed" ? lines.slice(-outputLinesMax) : lines.slice(0, outputLinesMax);
  const hidden = lines.length - shown.length;
  const more =
    hidden === 0
      ? []
      : [style.paint("dim", `${glyphs.more} ${humanCount(hidden)} more ${hidden === 1 ? "line" : "lines"}  ctrl+o`)];
  const head = toolHead(tool, summary, options);
  return tool.phase === "failed" ? [head, ...more, ...shown] : [head, ...shown, ...more];
}

/** The one line that stands for a tool; `detail` is what it came to. */
function toolHead(
  tool: ToolBlock,
  detail: string,
  { style, glyphs }: Pick<ToolRowsOptions, "style" | "glyphs">,
): string {
  const { sign, role } = signOf(tool, glyphs);
  const argument = toolArgument(tool.args);
  const took =
    tool.startedAtMs === null || tool.endedAtMs === null ? "" : humanDuration(tool.endedAtMs - tool.startedAtMs);
  const outcome = tool.phase === "stopped" ? "stopped" : "";
  const details = [outcome, detail, took].filter(Boolean).map((part) => style.paint("dim", part));
  const name = [style.paint("bold", safeLine(tool.name)), argument].filter(Boolean).join(" ");
  return [`${style.paint(role, sign)} ${name}`, ...details].join("  ");
}

function signOf(tool: ToolBlock, glyphs: Glyphs): { sign: string; role: Role } {
  switch (tool.phase) {
    case "failed":
      return { sign: glyphs.failed, role: "danger" };
    case "stopped":
      return { sign: glyphs.failed, role: "warn" };
    case "done":
      return { sign: glyphs.done, role: "ok" };
    default:
      return { sign: glyphs.waiting, role: "dim" };
  }
}

const tellingKeys = ["command", "file_path", "path", "pattern", "query", "url", "name"] as const;

/** What a tool was called with, in one short piece: the one argument that tells most, or all of them. */
export function toolArgument(args: unknown): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object") return shortenEnd(safeLine(String(args)), ARGUMENT_CELLS_MAX);
  const named = args as Readonly<Record<string, unknown>>;
  const telling = tellingKeys.map((key) => named[key]).find((value) => typeof value === "string");
  if (typeof telling === "string") return shortenEnd(safeLine(telling), ARGUMENT_CELLS_MAX);
  const all = JSON.stringify(args);
  return all === "{}" || all === "[]" ? "" : shortenEnd(safeLine(all), ARGUMENT_CELLS_MAX);
}
