// A tool call as rows: a head with name, argument, result and time; below it the change, or the beginning of the output
// as logical lines. A running tool shows the end of its output.
//
//   ● run npm test -- parser  1 failed  2.3 s
//   expected "a,b" to equal "a, b"
//   … 38 more lines  ctrl+o
//   ● edit src/parser.ts  +1 −1  allowed once

import { isDiff } from "../../../session/file-diff.js";
import type { ToolBlock } from "../../../session/transcript/block.js";
import {
  ARGUMENT_CELLS_MAX,
  hasLineCount,
  isReading,
  isUsers,
  toolArgument,
  toolDiff,
  toolName,
} from "../../../session/transcript/tool-words.js";
import { diffStat } from "../../../text/diff/diff-stat.js";
import { humanLines, humanSeconds, humanTook } from "../../../text/humanize.js";
import type { Role } from "../../../text/look.js";
import { rowWidth } from "../../../text/row.js";
import { safeSgrLines } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { fitted } from "../dialogs/dialog-rows.js";
import { diffRows } from "../diff/diff-rows.js";
import type { BlockRowsOptions } from "./block-rows.js";
import { type Appearance, spinnerAt } from "./glyphs.js";
import { wordsWithDetails } from "./status-rows.js";

/** A long argument is cut to this before details go. */
const ARGUMENT_CELLS_MIN = 24;
const DIFF_ROWS_FACTOR = 4;

export function toolRows(tool: ToolBlock, options: BlockRowsOptions): string[] {
  const diff = toolDiff(tool);
  if (diff === null) return outputRows(tool, options);
  const output = isDiff(tool.output) ? [] : outputRows(tool, options).slice(1);
  return [...changeRows(tool, diff, options), ...output];
}

function changeRows(tool: ToolBlock, diff: string, options: BlockRowsOptions): string[] {
  const { style, outputLinesMax } = options;
  const head = toolHead(tool, [diffStat(diff).replace("−", options.glyphs.minus)], options);
  const rows = diffRows(diff, { style });
  const rowsMax = outputLinesMax * DIFF_ROWS_FACTOR;
  return [head, ...rows.slice(0, rowsMax), ...moreRow(rows.length - rowsMax, options)];
}

function outputRows(tool: ToolBlock, options: BlockRowsOptions): string[] {
  const { outputLinesMax, style } = options;
  const lines = safeSgrLines(tool.output).map((line) => style.paint("dim", line));
  const summary = hasLineCount(tool) ? humanLines(lines.length) : "";
  const head = toolHead(tool, [summary], options);
  if (tool.phase === "done" && isReading(tool)) return [head];
  const more = moreRow(lines.length - outputLinesMax, options, isUsers(tool) ? "alt+o" : "ctrl+o");
  // Errors stand at the end.
  if (tool.phase === "failed") return [head, ...more, ...lines.slice(-outputLinesMax)];
  return [head, ...lines.slice(0, outputLinesMax), ...more];
}

export function moreRow(hidden: number, { style, glyphs }: Appearance, key = "ctrl+o"): string[] {
  if (hidden <= 0) return [];
  return [style.paint("dim", `${glyphs.more} ${humanLines(hidden, "more ")}  ${key}`)];
}

/** `came` are the details of the result. */
function toolHead(tool: ToolBlock, came: readonly string[], options: BlockRowsOptions): string {
  const { style, glyphs, proseCells = Number.POSITIVE_INFINITY } = options;
  const [signName, role] = SIGNS[tool.phase] ?? (["waiting", "dim"] as const);
  const sign = glyphs[signName];
  const took = humanTook(tool.startedAtMs, tool.endedAtMs);
  const stopped = tool.phase === "stopped" ? "stopped" : "";
  const goes = isUsers(tool) ? "goes with your next message" : "";
  const details = [stopped, ...came, tool.approval ?? "", took, tool.trust ?? "", goes].filter(Boolean);
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

const GAP = "  ";

/** The details that fit without making the head take another row. */
function headRow(name: string, details: readonly string[], widthCells: number): string {
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
