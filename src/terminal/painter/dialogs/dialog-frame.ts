// Puts a dialog together within its rows: head, body, list, problem and hints. What is cut says so; the focused part is
// always visible.
//
//   ▌ edit src/parser.ts  +1 −1      head     at least its first row
//   ▌  41   const out = [];          body     cut last, and it says so
//   ▌ … 38 more lines · d full view
//   ▌                                gap
//   ▌   y  allow once                list     windowed around its cursor when it is cut
//   ▌ ❯ n  no
//   ▌ required                       problem  always
//   ▌ enter choose · esc no          hint
import { humanLines } from "../../../text/humanize.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";
import { EMPTY_FRAME, type Frame } from "../frame.js";
import { BAR_CELLS, type DialogHead, fitted, hintRow, messageRows, titleRows, withBar } from "./dialog-rows.js";

interface DialogContent {
  readonly head: DialogHead;
  /** The message of the head by default. */
  readonly body?: (widthCells: number) => DialogBody;
  /** The focused part, in at most `rowsMax` rows. */
  readonly list: (widthCells: number, rowsMax: number) => Frame;
  /** The number of answers to an approval: each must be visible. */
  readonly listMin?: number;
  /** The rows of all answers without their details; absent for a list that is always a window around its cursor. */
  readonly labels?: (widthCells: number) => number;
  readonly problem: string;
  readonly hints: readonly string[];
  readonly wholeHint: string;
}

export interface DialogBody {
  readonly rows: readonly string[];
  /** Rows to keep when not all fit, most important first. */
  readonly telling?: readonly number[];
  /** Rows that stand for several lines. */
  readonly folded?: ReadonlyMap<number, number>;
  /** Further lines that were not laid out. */
  readonly beyond: number;
  /** The same for a few rows, the most important first. */
  readonly brief?: DialogBody;
}

export const DIALOG_ROWS_DEFAULT = 12;
const PROBLEM_ROWS_MAX = 3;
const WIDTH_CELLS_MIN = 8;

export interface DialogFrame extends Frame {
  /** `hidden`: the title or all of what the dialog is about has no row, not even one that counts it. */
  readonly subject?: "shown" | "hidden";
  /** How much of question and answers is there, all by default; "some": enough of them to read and choose. */
  readonly shown?: "all" | "some" | "less";
}

export function dialogFrame(
  content: DialogContent,
  widthCells: number,
  rowsMax: number,
  look: Appearance,
): DialogFrame {
  const { head, problem } = content;
  const width = Math.max(WIDTH_CELLS_MIN, widthCells - BAR_CELLS);
  const title = titleRows(head, width, look);
  const headRowsMax = Math.max(1, Math.floor(rowsMax / 3));
  const body = bodyBelow(
    title.slice(headRowsMax),
    content.body?.(width) ?? { rows: messageRows(head.message, width), beyond: 0 },
  );
  const wrong = problemRows(problem, width, look);
  const wantedRows = wantedList(content, width, rowsMax, Math.min(body.rows.length, SUBJECT_ROWS_MIN));
  const wanted = {
    head: Math.min(title.length, headRowsMax),
    body: body.rows.length + (body.beyond > 0 ? 1 : 0),
    list: wantedRows.rows.length,
    ...(content.listMin === undefined ? {} : { listMin: content.listMin }),
    labels: content.labels?.(width) ?? 0,
    problem: wrong.length,
  };
  const shares = shareRows(wanted, rowsMax);
  const list = shares.list < wantedRows.rows.length ? content.list(width, shares.list) : wantedRows;
  const above = [
    ...title.slice(0, shares.head),
    ...bodyRows(shares.body < wanted.body ? briefed(body, shares.body) : body, shares.body, content.wholeHint, {
      width,
      look,
    }),
    ...(shares.gap === 1 ? [""] : []),
  ];
  const below = [...wrong, ...(shares.hint === 1 ? [hintRow(content.hints, width, look)] : [])];
  const frame = withBar(stacked(above, list, below), head.danger, look);
  const isCut = shares.head < wanted.head || (wanted.body > 0 && shares.body === 0);
  const least = content.list(width, LIST_ROWS_MIN).rows.length;
  const shown = shownOf(wanted, shares, { isWhole: wantedRows.isWhole, least });
  const isHidden = isCut || frame.rows.length > rowsMax;
  return { ...frame, subject: isHidden ? "hidden" : "shown", shown };
}

type ListFrame = Frame & { readonly isWhole: boolean };

// A list that is cut anyway leaves a row for the hints, and one for the message.
function wantedList(content: DialogContent, width: number, rowsMax: number, bodyRows: number): ListFrame {
  const { list, listMin, labels, head } = content;
  const most = Math.max(1, rowsMax - 1);
  if (listMin !== undefined) return { ...list(width, most), isWhole: true };
  if (labels !== undefined && labels(width) <= most - bodyRows)
    return { ...list(width, most - bodyRows), isWhole: true };
  const beside = head.message === "" ? 2 : 3;
  const window = list(width, Math.max(Math.min(LIST_ROWS_MIN, most), rowsMax - beside));
  return { ...window, isWhole: labels === undefined };
}

function shownOf(
  wanted: RowOptions,
  shares: ReturnType<typeof shareRows>,
  list: { readonly isWhole: boolean; readonly least: number },
): "all" | "some" | "less" {
  const subject = Math.min(wanted.body, SUBJECT_ROWS_MIN);
  const answers = Math.max(wanted.listMin ?? 0, list.least);
  // What is approved has its rows before anything beside the dialog has.
  const subjectMin = wanted.listMin === undefined ? Math.min(subject, 1) : subject;
  if (shares.head < wanted.head || shares.body < subjectMin || shares.list < answers) return "less";
  const isWhole = list.isWhole && shares.list >= Math.min(wanted.list, wanted.labels);
  return isWhole && shares.body >= subject ? "all" : "some";
}

function bodyBelow(
  above: readonly string[],
  { rows, telling = [], folded = new Map(), beyond, brief }: DialogBody,
): DialogBody {
  return {
    ...(brief === undefined ? {} : { brief: bodyBelow(above, brief) }),
    rows: [...above, ...rows],
    telling: telling.map((row) => above.length + row),
    folded: new Map([...folded].map(([row, lines]) => [above.length + row, lines])),
    beyond,
  };
}

function briefed(body: DialogBody, rowsMax: number): DialogBody {
  return rowsMax <= SUBJECT_ROWS_MIN ? (body.brief ?? body) : body;
}

function bodyRows(
  { rows, telling = [], folded = new Map(), beyond }: DialogBody,
  rowsMax: number,
  wholeHint: string,
  { width, look }: { width: number; look: Appearance },
): string[] {
  if (beyond === 0 && rows.length <= rowsMax) return [...rows];
  if (rowsMax < 1) return [];
  const { style, glyphs } = look;
  const gapRow = (hidden: number, isLast: boolean) => {
    const count = `${glyphs.more} ${humanLines(hidden, "more ")}`;
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

/** The gaps between kept rows; lines not laid out count for the last. */
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

// Important rows first, then from the top; each gap costs a row.
function keptRows(rowsCount: number, telling: readonly number[], beyond: number, rowsMax: number): Set<number> {
  let kept = new Set<number>();
  const fromTop = Array.from({ length: Math.min(rowsCount, rowsMax) }, (_, row) => row);
  for (const row of [...telling.slice(0, rowsMax), ...fromTop]) {
    const more = new Set(kept).add(row);
    if (more.size + gapsBetween(more, rowsCount, beyond).length <= rowsMax) kept = more;
  }
  return kept;
}

export function problemRows(problem: string, widthCells: number, { style, glyphs }: Appearance): string[] {
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

interface RowOptions {
  readonly head: number;
  readonly body: number;
  readonly list: number;
  /** The fewest rows that show every answer; absent for a list windowed around its cursor. */
  readonly listMin?: number;
  readonly labels: number;
  readonly problem: number;
}

const ROWS_MIN = 2;
const LIST_ROWS_MIN = 3;
/** Of what is asked or approved, before the keys are named: a line that goes, one that comes, and how much is cut. */
const SUBJECT_ROWS_MIN = 3;

// Shares the rows: head and answers first, then body, hints and gap. What is approved gets a few rows before the details
// of the answers do; their labels are never cut for it.
function shareRows({ head, body, list, listMin, labels, problem }: RowOptions, rowsMax: number) {
  let left = Math.max(ROWS_MIN, rowsMax) - problem;
  const take = (wanted: number): number => {
    const got = Math.max(0, Math.min(wanted, left));
    left -= got;
    return got;
  };
  const firstHead = take(1);
  // Where something is approved, what it is or how much of it is cut has a row before a second answer has one.
  const oneAnswer = listMin === undefined ? 0 : take(Math.min(list, 1));
  const bodyBefore = listMin === undefined ? 0 : take(Math.min(body, 1));
  const firstList = oneAnswer + take(Math.min(list, LIST_ROWS_MIN) - oneAnswer);
  const firstBody = bodyBefore + take(Math.min(body, 1) - bodyBefore);
  const answers = take(Math.min(list, listMin ?? 0) - firstList);
  const moreHead = take(head - firstHead);
  const subjectMax = Math.min(body, SUBJECT_ROWS_MIN);
  const secondBody = take(Math.min(subjectMax - firstBody, 1));
  const moreLabels = take(Math.min(list, labels) - firstList - answers);
  const subject = firstBody + secondBody + take(subjectMax - firstBody - secondBody);
  const moreList = moreLabels + take(list - firstList - answers - moreLabels);
  const hint = take(1) === 1 ? 1 : 0;
  const moreBody = take(body - subject);
  const gap = body > 0 && take(1) === 1 ? 1 : 0;
  return {
    head: firstHead + moreHead,
    body: subject + moreBody,
    gap,
    list: firstList + answers + moreList,
    hint,
  };
}
