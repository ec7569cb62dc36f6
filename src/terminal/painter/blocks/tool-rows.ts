// A tool call as rows: a head with name, argument, result and time; below it the change, or the beginning of the output
// as logical lines. A running tool shows the end of its output.
//
//   ● run npm test -- parser  1 failed  2.3 s
//   expected "a,b" to equal "a, b"
//   … 38 more lines  ctrl+o

import { changesDiff } from "../../../session/file-diff.js";
import type { ToolBlock } from "../../../session/transcript/block.js";
import { humanDuration, humanLines, humanSeconds } from "../../../text/humanize.js";
import { rowWidth } from "../../../text/row.js";
import { safeLine, safeSgrLines } from "../../../text/safe.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import { fitted } from "../dialogs/dialog-rows.js";
import { diffRows, diffStat } from "../diff/diff-rows.js";
import { isSameDiff } from "../diff/unified-diff.js";
import type { Role } from "../style/look.js";
import type { BlockRowsOptions } from "./block-rows.js";
import { type Appearance, spinnerAt } from "./glyphs.js";
import { wordsWithDetails } from "./status-rows.js";

const ARGUMENT_CELLS_MAX = 72;
/** A long argument is cut to this before details go. */
const ARGUMENT_CELLS_MIN = 24;
const DIFF_ROWS_FACTOR = 4;
/** Parsing a longer output as a diff would be noticeable. */
const DIFF_UNITS_MAX = 1_000_000;
const READING = /^(?:read|view|open|cat)(?:$|[_\W])/i;
/** Only an output that begins like this is a diff. */
const DIFF_START = /^\s*(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/;

export function toolRows(tool: ToolBlock, options: BlockRowsOptions): string[] {
  const diff = toolDiff(tool);
  if (diff === null) return outputRows(tool, options);
  const output = diff === tool.output ? [] : outputRows(tool, options).slice(1);
  return [...changeRows(tool, diff, options), ...output];
}

/** The change a tool made: its output where that is a diff, else the files it changed; null when there is none. */
export function toolDiff({ output, phase, changes }: ToolBlock): string | null {
  if (output.length <= DIFF_UNITS_MAX && DIFF_START.test(output)) return output;
  return phase === "failed" || changes === undefined ? null : changesDiff(changes) || null;
}

/** Whether a tool only reads. Its output is not shown: the file is still there. */
export function isReading({ name }: ToolBlock): boolean {
  return READING.test(name);
}

// A change that the user saw as a preview is not shown again.
function changeRows(tool: ToolBlock, diff: string, options: BlockRowsOptions): string[] {
  const { style, outputLinesMax } = options;
  const stat = statWords(diff, options);
  if (isPreviewed(tool, diff)) return [toolHead(tool, [stat, "as previewed"], options)];
  const head = toolHead(tool, [stat], options);
  const rows = diffRows(diff, { style });
  const rowsMax = outputLinesMax * DIFF_ROWS_FACTOR;
  return [head, ...rows.slice(0, rowsMax), ...moreRow(rows.length - rowsMax, options)];
}

/** "+1 −1" */
export function statWords(diff: string, { glyphs }: Appearance): string {
  return diffStat(diff).replace("−", glyphs.minus);
}

export function isPreviewed({ previewDiff }: ToolBlock, diff: string): boolean {
  return previewDiff !== undefined && isSameDiff(previewDiff, diff);
}

function outputRows(tool: ToolBlock, options: BlockRowsOptions): string[] {
  const { outputLinesMax } = options;
  const lines = safeSgrLines(tool.output);
  const summary = lines.length === 0 ? "" : humanLines(lines.length);
  const head = toolHead(tool, [summary], options);
  if (tool.phase === "done" && isReading(tool)) return [head];
  const more = moreRow(lines.length - outputLinesMax, options);
  // Errors stand at the end.
  if (tool.phase === "failed") return [head, ...more, ...lines.slice(-outputLinesMax)];
  return [head, ...lines.slice(0, outputLinesMax), ...more];
}

export function moreRow(hidden: number, { style, glyphs }: Appearance): string[] {
  if (hidden <= 0) return [];
  return [style.paint("dim", `${glyphs.more} ${humanLines(hidden, "more ")}  ctrl+o`)];
}

/** `came` are the details of the result. */
function toolHead(tool: ToolBlock, came: readonly string[], options: BlockRowsOptions): string {
  const { style, glyphs, proseCells = Number.POSITIVE_INFINITY } = options;
  const [signName, role] = SIGNS[tool.phase] ?? (["waiting", "dim"] as const);
  const sign = glyphs[signName];
  const took =
    tool.startedAtMs === null || tool.endedAtMs === null ? "" : humanDuration(tool.endedAtMs - tool.startedAtMs);
  const details = [tool.phase === "stopped" ? "stopped" : "", ...came, took, tool.trust ?? ""].filter(Boolean);
  const name = `${style.paint(role, sign)} ${style.paint("bold", toolName(tool.name))}`;
  const besides = textWidth([sign, toolName(tool.name), ""].join(" ")) + textWidth(["", ...details].join("  "));
  const argument = roomyArgument(tool.args, proseCells - besides);
  const painted = details.map((part) => style.paint("dim", part));
  return headRow([name, argument].filter(Boolean).join(" "), painted, proseCells);
}

// A command stays whole for copying; one that must be cut is cut so that the details fit.
function roomyArgument(args: unknown, roomCells: number): string {
  const argument = toolArgument(args);
  const isCut = toolArgument(args, ARGUMENT_CELLS_MAX + 1) !== argument;
  const cells = Math.max(ARGUMENT_CELLS_MIN, Math.min(ARGUMENT_CELLS_MAX, roomCells));
  return isCut ? toolArgument(args, cells) : argument;
}

const SIGNS: Readonly<Partial<Record<ToolBlock["phase"], readonly ["failed" | "done", Role]>>> = {
  failed: ["failed", "danger"],
  stopped: ["failed", "warn"],
  done: ["done", "ok"],
};

// The first of these that is present is shown: for a search, the pattern before the path.
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

/** Names and arguments are cut before cleaning, which runs every frame. */
const SHOWN_UNITS_MAX = 1_000;

function toolName(name: string): string {
  return safeLine(name.slice(0, SHOWN_UNITS_MAX));
}

/** The most telling argument, or all of them, shortened. */
export function toolArgument(args: unknown, cellsMax = ARGUMENT_CELLS_MAX): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object") return shortenEnd(safeLine(String(args)), cellsMax);
  const named = args as Readonly<Record<string, unknown>>;
  const telling = tellingKeys.map((key) => named[key]).find((value) => typeof value === "string");
  const words = typeof telling === "string" ? telling : fieldWords(named);
  return shortenEnd(safeLine(words.slice(0, SHOWN_UNITS_MAX)), cellsMax);
}

const FIELDS_SHOWN_MAX = 40;

// No known argument: names and values without JSON syntax.
function fieldWords(named: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(named)
    .slice(0, FIELDS_SHOWN_MAX)
    .map(([key, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return Array.isArray(named) ? text : `${key} ${text}`;
    });
  return words.join(", ");
}

const GAP = "  ";

/** The details that fit without making the head take another row. */
export function headRow(name: string, details: readonly string[], widthCells: number): string {
  const cells = Math.max(1, Math.ceil(rowWidth(name) / widthCells)) * widthCells;
  const kept = details.filter(Boolean);
  while (kept.length > 0 && rowWidth([name, ...kept].join(GAP)) > cells) kept.pop();
  return [name, ...kept].join(GAP);
}

interface Running {
  readonly nowMs: number;
  readonly tick: number;
  readonly lineFeeds: number;
  readonly widthCells: number;
  readonly outputRows?: number;
  readonly hint?: string;
}

const OUTPUT_ROWS = 3;
const OUTPUT_UNITS_MAX = 4_096;

export function runningRows(tool: ToolBlock, running: Running, look: Appearance): string[] {
  const lines = tool.output === "" ? [] : safeSgrLines(tool.output.slice(-OUTPUT_UNITS_MAX));
  const { outputRows = OUTPUT_ROWS } = running;
  const output = lines.slice(-outputRows).map((line) => `    ${look.style.paint("dim", line)}`);
  return [headOf(tool, running, look), ...(outputRows > 0 ? output : [])];
}

function headOf(tool: ToolBlock, running: Running, look: Appearance): string {
  const { widthCells, hint = "" } = running;
  const took = tool.startedAtMs === null ? "" : humanSeconds(running.nowMs - tool.startedAtMs);
  const name = `  ${runningSign(tool, running, look)} ${look.style.paint("bold", toolName(tool.name))}`;
  const argument = toolArgument(tool.args);
  const details = { all: [took, countOf(tool, running), hint], fewer: [took, hint], least: [took] };
  const rest = wordsWithDetails(argument, details, widthCells - rowWidth(name) - 1, look);
  if (rest === undefined) return fitted(`${name} ${argument}`, widthCells, look.glyphs);
  return argument === "" ? `${name}${rest}` : `${name} ${rest}`;
}

function runningSign({ phase }: ToolBlock, { tick }: Running, { style, glyphs }: Appearance): string {
  if (phase !== "running") return style.paint("dim", glyphs.waiting);
  return style.paint("accent", spinnerAt(glyphs, tick));
}

function countOf({ output }: ToolBlock, { lineFeeds }: Running): string {
  const count = lineFeeds + (output === "" || output.endsWith("\n") ? 0 : 1);
  return count === 0 ? "" : humanLines(count);
}
