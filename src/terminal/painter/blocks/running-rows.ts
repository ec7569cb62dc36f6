// A tool that waits or runs, as rows of the live area: one head in one row, and the end of what it has written so far. Where
// it is narrow, the number of lines goes first, then how to stop it, then the end of its argument.
//
//   ⠹ bash npm test -- parser  12 s · 1,204 lines · esc stop
//     ✓ test number 1204
import type { ToolBlock } from "../../../session/transcript/block.js";
import { humanCount, humanSeconds } from "../../../text/humanize.js";
import { rowWidth } from "../../../text/row.js";
import { safeSgrLines } from "../../../text/safe.js";
import { fitted } from "../dialogs/dialog-rows.js";
import type { ToolRowsOptions } from "./tool-rows.js";
import { toolArgument, toolName } from "./tool-rows.js";

export interface Running {
  readonly nowMs: number;
  readonly tick: number;
  /** Line feeds in its output so far. */
  readonly lineFeeds: number;
  readonly widthCells: number;
  readonly outputRows?: number;
  readonly hint?: string;
}

const OUTPUT_ROWS = 3;
const ARGUMENT_CELLS_MIN = 20;
/** Only the end of a long output is looked at while it grows. */
const OUTPUT_UNITS_MAX = 4_096;

type RunningLook = Pick<ToolRowsOptions, "style" | "glyphs">;

export function runningRows(tool: ToolBlock, running: Running, look: RunningLook): string[] {
  const lines = tool.output === "" ? [] : safeSgrLines(tool.output.slice(-OUTPUT_UNITS_MAX));
  const { outputRows = OUTPUT_ROWS } = running;
  const output = lines.slice(-outputRows).map((line) => `    ${look.style.paint("dim", line)}`);
  return [headOf(tool, running, look), ...(outputRows > 0 ? output : [])];
}

function headOf(tool: ToolBlock, running: Running, look: RunningLook): string {
  const { widthCells, hint = "" } = running;
  const took = tool.startedAtMs === null ? "" : humanSeconds(running.nowMs - tool.startedAtMs);
  const name = `  ${signOf(tool, running, look)} ${look.style.paint("bold", toolName(tool.name))}`;
  const argument = toolArgument(tool.args);
  const candidates = [[took, countOf(tool, running), hint], [took, hint], [took]];
  for (const details of candidates) {
    const end = detailWords(details, look);
    const room = widthCells - rowWidth(name) - rowWidth(end) - 1;
    const isShort = rowWidth(argument) <= room;
    const mayCut = details.length < 3 && room >= ARGUMENT_CELLS_MIN;
    if (isShort || mayCut)
      return `${[name, fitted(argument, Math.max(0, room), look.glyphs)].join(" ").trimEnd()}${end}`;
  }
  return fitted(`${name} ${argument}`, widthCells, look.glyphs);
}

function signOf({ phase }: ToolBlock, { tick }: Running, { style, glyphs }: RunningLook): string {
  if (phase !== "running") return style.paint("dim", glyphs.waiting);
  return style.paint("accent", glyphs.spinner[tick % glyphs.spinner.length] ?? "");
}

function countOf({ output }: ToolBlock, { lineFeeds }: Running): string {
  const count = lineFeeds + (output === "" || output.endsWith("\n") ? 0 : 1);
  return count === 0 ? "" : `${humanCount(count)} ${count === 1 ? "line" : "lines"}`;
}

function detailWords(details: readonly string[], { style, glyphs }: RunningLook): string {
  const words = details.filter(Boolean).join(` ${glyphs.separator} `);
  return words === "" ? "" : `  ${style.paint("dim", words)}`;
}
