// The full screen as a frame: transcript above, live rows at the bottom; scrolled away, below a footer.
//
//   | I'll look at the test first.   |        | › fix the failing test         |
//   | ● read test/parser.test.ts     |        | I'll look at the test first.   |
//   | The separator lost its spa     |        | … 120 lines below · end: follow|
//   | › and then update▏             |        | › and then update▏             |
//   |   claude · sonnet-5            |        |   claude · sonnet-5            |
import { humanLines } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import type { Appearance } from "../blocks/glyphs.js";
import type { Frame, Size } from "../frame.js";
import { matchWords } from "../viewer/viewer-frame.js";
import type { ViewerState } from "../viewer/viewer-state.js";
import type { TranscriptPane } from "./transcript-pane.js";

type LiveFrame = Frame & { readonly transcriptRows?: number };

export function fullFrame(pane: TranscriptPane, live: LiveFrame, size: Size, look: Appearance): Frame {
  const below = withoutTail(live);
  // At least one row of the transcript stays.
  const belowRows = Math.min(below.rows.length, size.rows - 1);
  pane.fit({ columns: size.columns, rows: size.rows - belowRows });
  const { reading } = pane;
  if (reading === null) return following(pane, live, size);
  const { rows, linesBelow } = pane.page(reading);
  const footer = footerOf(reading, linesBelow, size.columns - 1, look);
  // In a very low window only the footer is left.
  const page = [...rows, footer.row].slice(-(size.rows - belowRows));
  const frame = stacked(page, below, size);
  return footer.cursor === null ? frame : { ...frame, cursor: { row: page.length - 1, column: footer.cursor } };
}

// A short transcript stands at the top, and what the user writes at the bottom.
function following(pane: TranscriptPane, live: LiveFrame, size: Size): Frame {
  const rows = pane.lastRows(Math.max(1, size.rows - live.rows.length));
  const free = Math.max(0, size.rows - rows.length - live.rows.length);
  const tail = live.rows.slice(0, live.transcriptRows ?? 0);
  return stacked([...rows, ...tail, ...Array.from({ length: free }, () => "")], withoutTail(live), size);
}

// Rows are cut at the beginning of `below`: its end is where the user types.
function stacked(above: readonly string[], below: Frame, size: Size): Frame {
  const cut = Math.max(0, above.length + below.rows.length - size.rows);
  const rows = [...above, ...below.rows.slice(cut)];
  const { cursor } = below;
  if (cursor === null || cursor.row < cut) return { rows, cursor: null };
  const column = Math.min(cursor.column, size.columns - 1);
  return { rows, cursor: { row: above.length + cursor.row - cut, column } };
}

// The streaming tail belongs to the transcript, below the page.
function withoutTail({ rows, cursor, transcriptRows = 0 }: LiveFrame): Frame {
  const shifted = cursor === null || cursor.row < transcriptRows ? null : cursor;
  return {
    rows: rows.slice(transcriptRows),
    cursor: shifted === null ? null : { row: shifted.row - transcriptRows, column: shifted.column },
  };
}

// Details on the right go first; the count stays.
function footerOf(
  { search }: ViewerState,
  linesBelow: number,
  widthCells: number,
  { style, glyphs }: Appearance,
): { row: string; cursor: number | null } {
  if (search.phase === "typing") {
    const row = shortenEnd(`find ${safeLine(search.query)}`, Math.max(1, widthCells - 1));
    return { row, cursor: textWidth(row) };
  }
  const count = `${glyphs.more} ${humanLines(linesBelow)} below`;
  const parts = [
    ...(search.phase === "missing" ? [`no "${safeLine(search.query)}"`] : []),
    ...(search.phase === "found" ? [matchWords(search)] : search.phase === "off" ? [count] : []),
    ...(search.phase === "off" ? ["end: follow"] : []),
    ...(search.phase === "found" ? ["n next", "N back"] : []),
    ...(search.phase === "off" ? [] : ["esc done"]),
  ];
  const separator = ` ${glyphs.separator} `;
  while (parts.length > 1 && textWidth(parts.join(separator)) > widthCells) parts.pop();
  return { row: style.paint("dim", shortenEnd(parts.join(separator), Math.max(1, widthCells))), cursor: null };
}
