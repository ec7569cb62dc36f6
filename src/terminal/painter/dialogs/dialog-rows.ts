// The rows that dialogs are made of: a bar on the left says that something wants an answer, the title stands first, the
// keys last and dim. Nothing reaches the right edge.
//
//   ▌ Which package manager?  from setup
//   ▌   npm      lock file found
//   ▌ ❯ pnpm     fastest here
//   ▌ type to filter · enter choose · esc cancel
import { plainText, rowWidth, sliceRow } from "../../../text/row.js";
import { safeLine, safeReveal } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Glyphs } from "../blocks/glyphs.js";
import type { Frame } from "../frame.js";
import type { Role } from "../style/look.js";
import type { Style } from "../style/style.js";

export interface DialogLook {
  readonly style: Style;
  readonly glyphs: Glyphs;
}

export interface DialogHead {
  readonly title: string;
  /** More words under the title. */
  readonly message: string;
  /** How many wait besides this one, who asks. */
  readonly aside: string;
  readonly danger: "danger" | "normal";
}

export const BAR_CELLS = 2;
/** Longer titles are no titles. */
const TITLE_UNITS_MAX = 20_000;

/** The rows with the bar in front of each; the cursor moves along. */
export function withBar(frame: Frame, danger: DialogHead["danger"], { style, glyphs }: DialogLook): Frame {
  const role: Role = danger === "danger" ? "danger" : "accent";
  const bar = style.paint(role, glyphs.live);
  const { cursor } = frame;
  return {
    rows: frame.rows.map((row) => (row === "" ? bar : `${bar} ${row}`)),
    cursor: cursor === null ? null : { row: cursor.row, column: cursor.column + BAR_CELLS },
  };
}

/** The title, whole, with everything invisible made visible; beside it what fits of the aside. */
export function titleRows({ title, aside }: DialogHead, widthCells: number, look: DialogLook): string[] {
  const { style, glyphs } = look;
  const kept = title.length > TITLE_UNITS_MAX ? title.slice(0, TITLE_UNITS_MAX) + glyphs.more : title;
  const shown = kept.split(/\r?\n/).map(safeReveal);
  const rows = shown.flatMap((line) => wrapRow(style.paint("bold", line), widthCells, { at: "words" }));
  const words = rows.length === 1 ? fittingAside(aside, widthCells - rowWidth(rows[0] ?? "") - 2) : "";
  return words === "" ? rows : [`${rows[0] ?? ""}  ${style.paint("dim", words)}`];
}

// An aside is several details with two blanks between them; the last one is the first to go.
function fittingAside(aside: string, widthCells: number): string {
  const details = safeLine(aside).split("  ");
  while (details.length > 0 && textWidth(details.join("  ")) > widthCells) details.pop();
  return details.join("  ");
}

/** Words under the title, wrapped, nothing hidden in them. */
export function messageRows(message: string, widthCells: number): string[] {
  return message
    .split(/\r?\n/)
    .flatMap((line) => (line === "" ? [] : wrapRow(safeReveal(line), widthCells, { at: "words" })));
}

/** A list that is windowed anyway leaves a row to the title, one to the message and one to the names of the keys. */
export function keptRows(message: string): number {
  return message === "" ? 2 : 3;
}

/** What the keys do, dim, as many as fit, the most important first. */
export function hintRow(hints: readonly string[], widthCells: number, { style, glyphs }: DialogLook): string {
  const separator = ` ${glyphs.separator} `;
  const fitting = hints.slice(0, HINTS_MAX);
  while (fitting.length > 1 && textWidth(fitting.join(separator)) > widthCells) fitting.pop();
  return style.paint("dim", fitted(fitting.join(separator), widthCells, glyphs));
}

const HINTS_MAX = 4;

/** What does not fit is cut at its end, with the sign for more. */
export function fitted(row: string, widthCells: number, { more }: Glyphs): string {
  if (rowWidth(row) <= widthCells) return row;
  const kept = sliceRow(row, 0, Math.max(0, widthCells - textWidth(more)));
  // A blank before the sign says nothing; where it stands inside a colour, it is cut there.
  const blanks = plainText(kept).length - plainText(kept).trimEnd().length;
  return sliceRow(kept, 0, rowWidth(kept) - blanks) + more;
}
