// A tool call as lines: one head that says what was done, how it went and how long it took, and below it what it changed and
// the beginning of what came out. The output is logical lines, so that a copy of it has no hard breaks and no gutter.
//
//   ● run npm test -- parser  1 failed  2.3 s
//   expected "a,b" to equal "a, b"
//   … 38 more lines  ctrl+o
import type { ToolBlock } from "../../../session/transcript/block.js";
import { humanCount, humanDuration } from "../../../text/humanize.js";
import { safeLine, safeSgrLines } from "../../../text/safe.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import { diffFingerprint } from "../diff/diff-fingerprint.js";
import { diffRows, diffStat } from "../diff/diff-rows.js";
import type { Role } from "../style/look.js";
import type { Style } from "../style/style.js";
import { changesDiff } from "./changes-diff.js";
import type { Glyphs } from "./glyphs.js";
import { headRow } from "./head-row.js";

export interface ToolRowsOptions {
  readonly style: Style;
  readonly glyphs: Glyphs;
  /** How many lines of output a finished tool shows. */
  readonly outputLinesMax: number;
  /** How much room a head has before it takes another row; without it, as much as it wants. */
  readonly proseCells?: number;
}

const ARGUMENT_CELLS_MAX = 72;
/** What is too long to be shown whole is cut to this much before details have to go. */
const ARGUMENT_CELLS_MIN = 24;
/** A diff is worth more rows than other output. */
const DIFF_ROWS_FACTOR = 4;
/** A longer output is shown as it is: reading it as a diff would be felt. */
const DIFF_UNITS_MAX = 1_000_000;
/** What was only looked at is not shown again; the file is still where it was. */
const LOOKING = /^(?:read|view|open|cat)(?:$|[_\W])/i;
/** An output that begins like this is a diff as a whole; a diff somewhere in other words is only words. */
const DIFF_START = /^\s*(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/;

/** The lines of a tool that has ended. */
export function toolRows(tool: ToolBlock, options: ToolRowsOptions): string[] {
  const isDiff = tool.output.length <= DIFF_UNITS_MAX && DIFF_START.test(tool.output);
  if (isDiff) return changeRows(tool, tool.output, options);
  const diff = tool.phase === "failed" || tool.changes === undefined ? "" : changesDiff(tool.changes);
  if (diff === "") return outputRows(tool, options);
  const [, ...output] = outputRows(tool, options);
  return [...changeRows(tool, diff, options), ...output];
}

// What the person has just read and allowed is not shown again.
function changeRows(tool: ToolBlock, diff: string, options: ToolRowsOptions): string[] {
  const { style, outputLinesMax } = options;
  const stat = statWords(diff, options);
  if (isPreviewed(tool, diff)) return [toolHead(tool, [stat, "as previewed"], options)];
  const head = toolHead(tool, [stat], options);
  const rows = diffRows(diff, { style });
  const rowsMax = outputLinesMax * DIFF_ROWS_FACTOR;
  return [head, ...rows.slice(0, rowsMax), ...moreRow(rows.length - rowsMax, options)];
}

/** "+1 −1" */
export function statWords(diff: string, { glyphs }: Pick<ToolRowsOptions, "glyphs">): string {
  return diffStat(diff).replace("−", glyphs.minus);
}

function isPreviewed({ previewDiff }: ToolBlock, diff: string): boolean {
  const seen = previewDiff === undefined ? undefined : diffFingerprint(previewDiff);
  return seen !== undefined && seen === diffFingerprint(diff);
}

function outputRows(tool: ToolBlock, options: ToolRowsOptions): string[] {
  const { outputLinesMax } = options;
  const lines = safeSgrLines(tool.output);
  const summary = lines.length === 0 ? "" : `${humanCount(lines.length)} ${lines.length === 1 ? "line" : "lines"}`;
  const head = toolHead(tool, [summary], options);
  if (tool.phase === "done" && LOOKING.test(tool.name)) return [head];
  const more = moreRow(lines.length - outputLinesMax, options);
  // How something failed stands at its end.
  if (tool.phase === "failed") return [head, ...more, ...lines.slice(-outputLinesMax)];
  return [head, ...lines.slice(0, outputLinesMax), ...more];
}

/** Says how much is not shown, and where it is; nothing when nothing is hidden. */
export function moreRow(hidden: number, { style, glyphs }: Pick<ToolRowsOptions, "style" | "glyphs">): string[] {
  if (hidden <= 0) return [];
  return [style.paint("dim", `${glyphs.more} ${humanCount(hidden)} more ${hidden === 1 ? "line" : "lines"}  ctrl+o`)];
}

/** The one line that stands for a tool; `came` is what it came to. */
function toolHead(tool: ToolBlock, came: readonly string[], options: ToolRowsOptions): string {
  const { style, glyphs, proseCells = Number.POSITIVE_INFINITY } = options;
  const { sign, role } = signOf(tool, glyphs);
  const took =
    tool.startedAtMs === null || tool.endedAtMs === null ? "" : humanDuration(tool.endedAtMs - tool.startedAtMs);
  const details = [tool.phase === "stopped" ? "stopped" : "", ...came, took, tool.trust ?? ""].filter(Boolean);
  const name = `${style.paint(role, sign)} ${style.paint("bold", toolName(tool.name))}`;
  const besides = textWidth([sign, toolName(tool.name), ""].join(" ")) + textWidth(["", ...details].join("  "));
  const argument = roomyArgument(tool.args, proseCells - besides);
  const painted = details.map((part) => style.paint("dim", part));
  return headRow([name, argument].filter(Boolean).join(" "), painted, proseCells);
}

// A command is whole, so that it can be copied; one that has to be cut anyway is cut so that the details fit behind it.
function roomyArgument(args: unknown, roomCells: number): string {
  const argument = toolArgument(args);
  const isCut = toolArgument(args, ARGUMENT_CELLS_MAX + 1) !== argument;
  const cells = Math.max(ARGUMENT_CELLS_MIN, Math.min(ARGUMENT_CELLS_MAX, roomCells));
  return isCut ? toolArgument(args, cells) : argument;
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

// Whoever searches a folder wants to know for what.
const tellingKeys = [
  "command",
  "pattern",
  "query",
  "file_path",
  "path",
  "url",
  "name",
  "title",
  "question",
  "prompt",
  "description",
] as const;

/** More than this is never shown of a name or an argument, and cleaning all of it with every frame would be felt. */
const SHOWN_UNITS_MAX = 1_000;

/** What a tool is called, as far as anybody would read it. */
export function toolName(name: string): string {
  return safeLine(name.slice(0, SHOWN_UNITS_MAX));
}

/** What a tool was called with, in one short piece: the one argument that tells most, or all of them. */
export function toolArgument(args: unknown, cellsMax = ARGUMENT_CELLS_MAX): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object") return shortenEnd(safeLine(String(args)), cellsMax);
  const named = args as Readonly<Record<string, unknown>>;
  const telling = tellingKeys.map((key) => named[key]).find((value) => typeof value === "string");
  const words = typeof telling === "string" ? telling : fieldWords(named);
  return shortenEnd(safeLine(words.slice(0, SHOWN_UNITS_MAX)), cellsMax);
}

const FIELDS_SHOWN_MAX = 40;

// Nothing among them tells by itself: names and values, without the signs that only programs need.
function fieldWords(named: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(named)
    .slice(0, FIELDS_SHOWN_MAX)
    .map(([key, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return Array.isArray(named) ? text : `${key} ${text}`;
    });
  return words.join(", ");
}
