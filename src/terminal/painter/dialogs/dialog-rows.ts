// The rows of dialogs: a bar on the left marks an ask, the title comes first, dim hints last. No row reaches the right
// edge.
//
//   ▌ Which package manager?  from setup
//   ▌   npm      lock file found
//   ▌ ❯ pnpm     fastest here
//   ▌ type to filter · enter choose · esc cancel

import type { Role } from "../../../text/look.js";
import { plainText, rowWidth, sliceRow } from "../../../text/row.js";
import { safeLine, safeReveal } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance, Glyphs } from "../blocks/glyphs.js";
import type { Frame } from "../frame.js";

export interface DialogHead {
  readonly title: string;
  readonly message: string;
  readonly aside: string;
  readonly danger: "danger" | "normal";
}

export const BAR_CELLS = 2;
const TITLE_UNITS_MAX = 20_000;

export function withBar(frame: Frame, danger: DialogHead["danger"], { style, glyphs }: Appearance): Frame {
  const role: Role = danger === "danger" ? "danger" : "accent";
  const bar = style.paint(role, glyphs.live);
  const { cursor } = frame;
  return {
    rows: frame.rows.map((row) => (row === "" ? bar : `${bar} ${row}`)),
    cursor: cursor === null ? null : { row: cursor.row, column: cursor.column + BAR_CELLS },
  };
}

/** The whole title with invisible characters spelt out, and as much of the aside as fits. */
export function titleRows({ title, aside }: DialogHead, widthCells: number, look: Appearance): string[] {
  const { style, glyphs } = look;
  const kept = title.length > TITLE_UNITS_MAX ? title.slice(0, TITLE_UNITS_MAX) + glyphs.more : title;
  // One line without wide gaps, so that no row of it looks like an answer.
  const shown = safeReveal(kept.replace(/\s*\r?\n\s*/g, " / ").replace(/ {2,}/g, " "));
  const rows = wrapRow(style.paint("bold", shown), widthCells, { at: "words" });
  const words = rows.length === 1 ? fittingAside(aside, widthCells - rowWidth(rows[0] ?? "") - 2) : "";
  return words === "" ? rows : [`${rows[0] ?? ""}  ${style.paint("dim", words)}`];
}

// The details of an aside have two blanks between them; the last is dropped first.
function fittingAside(aside: string, widthCells: number): string {
  const details = safeLine(aside).split("  ");
  while (details.length > 0 && textWidth(details.join("  ")) > widthCells) details.pop();
  return details.join("  ");
}

export function messageRows(message: string, widthCells: number): string[] {
  return message
    .split(/\r?\n/)
    .flatMap((line) => (line === "" ? [] : wrapRow(safeReveal(line), widthCells, { at: "words" })));
}

/** As many hints as fit, the most important first. */
export function hintRow(hints: readonly string[], widthCells: number, { style, glyphs }: Appearance): string {
  const separator = ` ${glyphs.separator} `;
  const fitting = hints.slice(0, HINTS_MAX);
  while (fitting.length > 1 && textWidth(fitting.join(separator)) > widthCells) fitting.pop();
  return style.paint("dim", fitted(fitting.join(separator), widthCells, glyphs));
}

const HINTS_MAX = 4;

/** Cuts a row at its end and adds the sign for more. */
export function fitted(row: string, widthCells: number, { more }: Glyphs): string {
  if (rowWidth(row) <= widthCells) return row;
  const kept = sliceRow(row, 0, Math.max(0, widthCells - textWidth(more)));
  // Blanks before the sign are dropped, also inside a colour.
  const blanks = plainText(kept).length - plainText(kept).trimEnd().length;
  return sliceRow(kept, 0, rowWidth(kept) - blanks) + more;
}
