// The whole window as one frame: the transcript above, the live rows below it. Following, the live rows come right behind
// the last line; scrolled away, they stand at the bottom, and a row between says how much there is to come.
//
//   | I'll look at the test first.   |        | › fix the failing test         |
//   | ● read test/parser.test.ts     |        | I'll look at the test first.   |
//   | │ The separator lost its sp    |        | … 120 lines below · end follows|
//   | › and then update▏             |        | › and then update▏             |
//   |   claude · sonnet-5            |        |   claude · sonnet-5            |
import { humanCount } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import type { Glyphs } from "../blocks/glyphs.js";
import type { Frame, Size } from "../frame.js";
import type { Style } from "../style/style.js";
import type { ViewerState } from "../viewer/viewer-state.js";
import type { TranscriptPane } from "./transcript-pane.js";

export interface FullLook {
  readonly style: Style;
  readonly glyphs: Glyphs;
}

type LiveFrame = Frame & { readonly transcriptRows?: number };

export function fullFrame(pane: TranscriptPane, live: LiveFrame, size: Size, look: FullLook): Frame {
  const below = withoutTail(live);
  // One row of the transcript stays, however much wants to be below it.
  const belowRows = Math.min(below.rows.length, size.rows - 1);
  pane.fit({ columns: size.columns, rows: size.rows - belowRows });
  const { reading } = pane;
  if (reading === null) return following(pane, live, size);
  const { rows, linesBelow } = pane.page(reading);
  const footer = footerOf(reading, linesBelow, size.columns - 1, look);
  // In a window of a few rows the footer is all that is left of the page.
  const page = [...rows, footer.row].slice(-(size.rows - belowRows));
  const frame = stacked(page, below, size);
  return footer.cursor === null ? frame : { ...frame, cursor: { row: page.length - 1, column: footer.cursor } };
}

function following(pane: TranscriptPane, live: Frame, size: Size): Frame {
  const rows = pane.lastRows(Math.max(1, size.rows - live.rows.length));
  return stacked(rows, live, size);
}

// The end is where the person types: what does not fit is cut at the beginning of what stands below.
function stacked(above: readonly string[], below: Frame, size: Size): Frame {
  const cut = Math.max(0, above.length + below.rows.length - size.rows);
  const rows = [...above, ...below.rows.slice(cut)];
  const { cursor } = below;
  if (cursor === null || cursor.row < cut) return { rows, cursor: null };
  const column = Math.min(cursor.column, size.columns - 1);
  return { rows, cursor: { row: above.length + cursor.row - cut, column } };
}

// The end of what is being written belongs to the transcript, and is below the page.
function withoutTail({ rows, cursor, transcriptRows = 0 }: LiveFrame): Frame {
  const shifted = cursor === null || cursor.row < transcriptRows ? null : cursor;
  return {
    rows: rows.slice(transcriptRows),
    cursor: shifted === null ? null : { row: shifted.row - transcriptRows, column: shifted.column },
  };
}

// Right-hand details go first when it gets narrow, how much is below never.
function footerOf(
  { search }: ViewerState,
  linesBelow: number,
  widthCells: number,
  { style, glyphs }: FullLook,
): { row: string; cursor: number | null } {
  if (search.phase === "typing") {
    const row = shortenEnd(`find ${safeLine(search.query)}`, Math.max(1, widthCells - 1));
    return { row, cursor: textWidth(row) };
  }
  const count = `${glyphs.more} ${humanCount(linesBelow)} ${linesBelow === 1 ? "line" : "lines"} below`;
  const parts = [
    ...(search.phase === "missing" ? [`no "${safeLine(search.query)}"`] : [count]),
    ...(search.phase === "off" ? ["end follows"] : []),
    ...(search.phase === "found" ? ["n next", "N back"] : []),
    ...(search.phase === "off" ? [] : ["esc done"]),
  ];
  const separator = ` ${glyphs.separator} `;
  while (parts.length > 1 && textWidth(parts.join(separator)) > widthCells) parts.pop();
  return { row: style.paint("dim", shortenEnd(parts.join(separator), Math.max(1, widthCells))), cursor: null };
}
