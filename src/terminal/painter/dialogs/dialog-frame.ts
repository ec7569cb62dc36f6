// A dialog put together: title, what it is about, the part that has the focus, what is wrong with it, and the keys, in no
// more rows than it may have. What is cut says so; what has the focus is always there.
import { humanCount } from "../../../text/humanize.js";
import { wrapRow } from "../../../text/wrap.js";
import { EMPTY_FRAME, type Frame } from "../frame.js";
import { BAR_CELLS, type DialogHead, type DialogLook, fitted, hintRow, titleRows, withBar } from "./dialog-rows.js";
import { shareRows } from "./row-shares.js";

export interface DialogContent {
  readonly head: DialogHead;
  /** What the question is about, in rows of the given width. */
  readonly body: (widthCells: number) => DialogBody;
  /** The part with the focus in as many rows as it may have; fewer are fine. */
  readonly list: (widthCells: number, rowsMax: number) => Frame;
  /** How many answers there are, where each of them has to be seen. */
  readonly listMin?: number;
  /** What is wrong with the answer so far; empty when nothing is. */
  readonly problem: string;
  readonly hints: readonly string[];
  /** The key that opens all of it, such as "d all of it". */
  readonly wholeHint: string;
}

export interface DialogBody {
  readonly rows: readonly string[];
  /** Lines beyond those rows that were not even laid out. */
  readonly beyond: number;
}

/** Half of the smallest usual window. */
export const DIALOG_ROWS_DEFAULT = 12;
const PROBLEM_ROWS_MAX = 3;
const WIDTH_CELLS_MIN = 8;

export function dialogFrame(content: DialogContent, widthCells: number, rowsMax: number, look: DialogLook): Frame {
  const { head, problem } = content;
  const width = Math.max(WIDTH_CELLS_MIN, widthCells - BAR_CELLS);
  const title = titleRows(head, width, look);
  const headRowsMax = Math.max(1, Math.floor(rowsMax / 3));
  const { rows, beyond } = content.body(width);
  const body: DialogBody = { rows: [...title.slice(headRowsMax), ...rows], beyond };
  const wrong = problemRows(problem, width, look);
  const wished = content.list(width, Math.max(1, rowsMax - 1));
  const wishes = {
    head: Math.min(title.length, headRowsMax),
    body: body.rows.length + (body.beyond > 0 ? 1 : 0),
    list: wished.rows.length,
    ...(content.listMin === undefined ? {} : { listMin: content.listMin }),
    problem: wrong.length,
  };
  const shares = shareRows(wishes, rowsMax);
  const list = shares.list < wished.rows.length ? content.list(width, shares.list) : wished;
  const above = [
    ...title.slice(0, shares.head),
    ...bodyRows(body, shares.body, content.wholeHint, { width, look }),
    ...(shares.gap === 1 ? [""] : []),
  ];
  const below = [...wrong, ...(shares.hint === 1 ? [hintRow(content.hints, width, look)] : [])];
  return withBar(stacked(above, list, below), head.danger, look);
}

function bodyRows(
  { rows, beyond }: DialogBody,
  rowsMax: number,
  wholeHint: string,
  { width, look }: { width: number; look: DialogLook },
): string[] {
  if (beyond === 0 && rows.length <= rowsMax) return [...rows];
  if (rowsMax < 1) return [];
  const { style, glyphs } = look;
  const hidden = rows.length - (rowsMax - 1) + beyond;
  const count = `${glyphs.more} ${humanCount(hidden)} more ${hidden === 1 ? "line" : "lines"}`;
  const words = wholeHint === "" ? count : `${count} ${glyphs.separator} ${wholeHint}`;
  return [...rows.slice(0, rowsMax - 1), style.paint("dim", fitted(words, width, glyphs))];
}

/** What is wrong, in the colour of danger and behind its sign. */
export function problemRows(problem: string, widthCells: number, { style, glyphs }: DialogLook): string[] {
  if (problem === "") return [];
  const row = style.paint("danger", `${glyphs.failed} ${problem}`);
  return wrapRow(row, widthCells, { at: "words", hangingIndentCells: 2 }).slice(0, PROBLEM_ROWS_MAX);
}

function stacked(above: readonly string[], middle: Frame, below: readonly string[]): Frame {
  const { cursor } = middle;
  return {
    rows: [...above, ...middle.rows, ...below],
    cursor: cursor === null ? EMPTY_FRAME.cursor : { row: above.length + cursor.row, column: cursor.column },
  };
}

/** The rows around the cursor, when not all of them fit. */
export function cutAroundCursor(frame: Frame, rowsMax: number): Frame {
  const { rows, cursor } = frame;
  if (rows.length <= rowsMax) return frame;
  const row = cursor?.row ?? 0;
  const from = Math.max(0, Math.min(row - rowsMax + 1, rows.length - rowsMax));
  return {
    rows: rows.slice(from, from + rowsMax),
    cursor: cursor === null ? null : { row: row - from, column: cursor.column },
  };
}
