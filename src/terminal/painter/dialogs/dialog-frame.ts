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
  /** Places of rows that are kept before others when not all of them fit, the most important first. */
  readonly telling?: readonly number[];
  /** Rows that stand for several lines, with their number. */
  readonly folded?: ReadonlyMap<number, number>;
  /** Lines beyond those rows that were not even laid out. */
  readonly beyond: number;
}

/** Half of the smallest usual window. */
export const DIALOG_ROWS_DEFAULT = 12;
const PROBLEM_ROWS_MAX = 3;
const WIDTH_CELLS_MIN = 8;

/** `hidden`: the title or all of what the dialog is about has no row, not even one that counts it. */
export type DialogFrame = Frame & { readonly subject: "shown" | "hidden" };

export function dialogFrame(
  content: DialogContent,
  widthCells: number,
  rowsMax: number,
  look: DialogLook,
): DialogFrame {
  const { head, problem } = content;
  const width = Math.max(WIDTH_CELLS_MIN, widthCells - BAR_CELLS);
  const title = titleRows(head, width, look);
  const headRowsMax = Math.max(1, Math.floor(rowsMax / 3));
  const body = bodyBelow(title.slice(headRowsMax), content.body(width));
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
  const frame = withBar(stacked(above, list, below), head.danger, look);
  const isCut = shares.head < wishes.head || (wishes.body > 0 && shares.body === 0);
  const isHidden = isCut || frame.rows.length > rowsMax;
  return { ...frame, subject: isHidden ? "hidden" : "shown" };
}

function bodyBelow(
  above: readonly string[],
  { rows, telling = [], folded = new Map(), beyond }: DialogBody,
): DialogBody {
  return {
    rows: [...above, ...rows],
    telling: telling.map((row) => above.length + row),
    folded: new Map([...folded].map(([row, lines]) => [above.length + row, lines])),
    beyond,
  };
}

function bodyRows(
  { rows, telling = [], folded = new Map(), beyond }: DialogBody,
  rowsMax: number,
  wholeHint: string,
  { width, look }: { width: number; look: DialogLook },
): string[] {
  if (beyond === 0 && rows.length <= rowsMax) return [...rows];
  if (rowsMax < 1) return [];
  const { style, glyphs } = look;
  const gapRow = (hidden: number, isLast: boolean) => {
    const count = `${glyphs.more} ${humanCount(hidden)} more ${hidden === 1 ? "line" : "lines"}`;
    const words = wholeHint === "" || !isLast ? count : `${count} ${glyphs.separator} ${wholeHint}`;
    return style.paint("dim", fitted(words, width, glyphs));
  };
  const gaps = gapsBetween(keptRows(rows.length, telling, beyond, rowsMax), rows.length, beyond);
  const lastGap = gaps.at(-1);
  const shown: string[] = [];
  let at = 0;
  for (const gap of gaps) {
    const inside = [...folded].filter(([row]) => row >= gap.from && row < gap.from + gap.rows);
    const lines = inside.reduce((sum, [, count]) => sum + count - 1, gap.count);
    shown.push(...rows.slice(at, gap.from), gapRow(lines, gap === lastGap));
    at = gap.from + gap.rows;
  }
  return [...shown, ...rows.slice(at)];
}

type Gap = { readonly from: number; readonly rows: number; readonly count: number };

/** What is left out around these rows; lines that were not laid out stand behind the last one. */
function gapsBetween(kept: ReadonlySet<number>, rowsCount: number, beyond: number): Gap[] {
  const gaps: Gap[] = [];
  let from = 0;
  for (let row = 0; row <= rowsCount; row++) {
    if (row < rowsCount && !kept.has(row)) continue;
    const count = row - from + (row === rowsCount ? beyond : 0);
    if (count > 0) gaps.push({ from, rows: row - from, count });
    from = row + 1;
  }
  return gaps;
}

// The rows that tell most come first, then those from the top; each gap between them costs a row of its own.
function keptRows(rowsCount: number, telling: readonly number[], beyond: number, rowsMax: number): Set<number> {
  let kept = new Set<number>();
  const fromTop = Array.from({ length: Math.min(rowsCount, rowsMax) }, (_, row) => row);
  for (const row of [...telling.slice(0, rowsMax), ...fromTop]) {
    const more = new Set(kept).add(row);
    if (more.size + gapsBetween(more, rowsCount, beyond).length <= rowsMax) kept = more;
  }
  return kept;
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
