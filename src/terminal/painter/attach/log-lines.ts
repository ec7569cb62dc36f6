// Lines of a daemon's log as rows: when, who, what. All of it comes from outside and is made safe here. A line is as long as
// it likes; whoever shows it wraps it. In a narrow window the time goes first.
//
//    12:04:31 watch    rebuilt 3 files in 0.2 s
//    12:04:33 tests    ✕ 1 failed, 212 passed
//                      parser › joins with a space
import type { MessageKind } from "../../../contract/daemon.js";
import type { BookLine } from "../../../session/attach/log-state.js";
import { safeLine, safeSgrLines } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { fitted } from "../dialogs/dialog-rows.js";
import type { Role } from "../style/look.js";
import { type AttachLook, roleOfColour } from "./attach-look.js";

export interface LogLayout {
  readonly columns: number;
  /** Moves the spinner of lines that speak of something that goes on. */
  readonly tick: number;
  readonly look: AttachLook;
}

const TIME_CELLS = 8;
const NAME_CELLS_MIN = 8;
const NAME_CELLS_MAX = 15;
/** Below this there is no room for the time. */
const TIME_COLUMNS_MIN = 50;

const ROLES: Readonly<Partial<Record<MessageKind, Role>>> = {
  error: "danger",
  warning: "warn",
  success: "ok",
  debug: "dim",
};

/** Each line as one row or more; `names` decides how wide their column is. */
export function logRows(lines: readonly BookLine[], names: Iterable<string>, layout: LogLayout): string[][] {
  const nameCells = nameColumn(names);
  return lines.map((line) => rowsOfLine(line, nameCells, layout));
}

function nameColumn(names: Iterable<string>): number {
  let cells = NAME_CELLS_MIN;
  for (const name of new Set(names)) cells = Math.max(cells, Math.min(NAME_CELLS_MAX, textWidth(safeLine(name))));
  return cells;
}

function rowsOfLine(line: BookLine, nameCells: number, { columns, tick, look }: LogLayout): string[] {
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

// Never colour alone: a sign says the same.
function signOf({ kind, progress }: BookLine, tick: number, { style, glyphs }: AttachLook): string {
  if (progress === "running") return `${style.paint("accent", glyphs.spinner[tick % glyphs.spinner.length] ?? "")} `;
  if (progress === "unknown") return `${style.paint("dim", glyphs.waiting)} `;
  if (kind === "error") return `${style.paint("danger", glyphs.failed)} `;
  return kind === "warning" ? `${style.paint("warn", glyphs.warning)} ` : "";
}

function padded(text: string, widthCells: number): string {
  return text + " ".repeat(Math.max(0, widthCells - textWidth(text)));
}
