// Log lines of a daemon as rows: time, handler, text. The text is made safe here; the caller wraps. In a narrow window
// the time is left out.
//
//    12:04:31 watch    rebuilt 3 files in 0.2 s
//    12:04:33 tests    ✕ 1 failed, 212 passed
//                      parser › joins with a space
import type { MessageKind } from "../../../contract/handler-types.js";
import type { TabLogLine } from "../../../session/attach/log-state.js";
import type { Role } from "../../../text/look.js";
import { safeLine, safeSgrLines } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { type Appearance, spinnerAt } from "../blocks/glyphs.js";
import { fitted } from "../dialogs/dialog-rows.js";

export interface LogLayout {
  readonly columns: number;
  readonly tick: number;
  readonly look: Appearance;
}

const TIME_CELLS = 8;
const NAME_CELLS_MIN = 8;
const NAME_CELLS_MAX = 15;
const TIME_COLUMNS_MIN = 50;

const ROLES: Readonly<Partial<Record<MessageKind, Role>>> = {
  error: "danger",
  warning: "warn",
  success: "ok",
  debug: "dim",
};

/** `names` decides the width of the name column. */
export function logRows(lines: readonly TabLogLine[], names: Iterable<string>, layout: LogLayout): string[][] {
  const nameCells = nameColumn(names);
  return lines.map((line) => rowsOfLine(line, nameCells, layout));
}

function nameColumn(names: Iterable<string>): number {
  let cells = NAME_CELLS_MIN;
  for (const name of new Set(names)) cells = Math.max(cells, Math.min(NAME_CELLS_MAX, textWidth(safeLine(name))));
  return cells;
}

function rowsOfLine(line: TabLogLine, nameCells: number, { columns, tick, look }: LogLayout): string[] {
  const { style, glyphs } = look;
  const name = fitted(safeLine(line.handler), nameCells, glyphs);
  const time = columns < TIME_COLUMNS_MIN ? "" : `${padded(safeLine(line.time).slice(0, TIME_CELLS), TIME_CELLS)} `;
  const head = ` ${style.paint("dim", time)}${style.paint(roleOfColour(line.color), name)}`;
  const gap = " ".repeat(nameCells - textWidth(name) + 1);
  const indent = " ".repeat(1 + textWidth(time) + nameCells + 1);
  const role = ROLES[line.kind] ?? "text";
  const [first = "", ...more] = safeSgrLines(line.content);
  return [
    `${head}${gap}${signOf(line, tick, look)}${style.paint(role, first)}`,
    ...more.map((content) => `${indent}${style.paint(role, content)}`),
  ];
}

// A sign repeats what the colour says.
function signOf({ kind, progress }: TabLogLine, tick: number, { style, glyphs }: Appearance): string {
  if (progress === "running") return `${style.paint("accent", spinnerAt(glyphs, tick))} `;
  if (progress === "unknown") return `${style.paint("dim", glyphs.waiting)} `;
  if (kind === "error") return `${style.paint("danger", glyphs.failed)} `;
  return kind === "warning" ? `${style.paint("warn", glyphs.warning)} ` : "";
}

function padded(text: string, widthCells: number): string {
  return text + " ".repeat(Math.max(0, widthCells - textWidth(text)));
}

/** Less saturated colours are greys. */
const SATURATION_MIN = 0.15;

const HUES: readonly (readonly [fromDegrees: number, role: Role])[] = [
  [0, "danger"],
  [20, "warn"],
  [75, "ok"],
  [165, "info"],
  [195, "accent"],
  [255, "user"],
  [330, "danger"],
];

/** The role nearest to a handler's colour, so that it fits every theme. `color` is unchecked input. */
export function roleOfColour(color: string): Role {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color.trim());
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color.trim());
  const channels = (long ?? short)?.slice(1).map((part) => Number.parseInt(part.padStart(2, part), 16));
  if (channels === undefined) return "text";
  const [red = 0, green = 0, blue = 0] = channels;
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most === 0 || (most - least) / most < SATURATION_MIN) return "text";
  const hue = hueOf([red, green, blue], most, most - least);
  return HUES.findLast(([from]) => hue >= from)?.[1] ?? "text";
}

function hueOf([red, green, blue]: readonly [number, number, number], most: number, range: number): number {
  if (most === red) return (((green - blue) / range) * 60 + 360) % 360;
  return most === green ? ((blue - red) / range) * 60 + 120 : ((red - green) / range) * 60 + 240;
}
