// Shortens a text or row to a number of cells, with an ellipsis.
import { plainText, rowWidth, sliceRow } from "./row.js";
import { textWidth } from "./width.js";

const ELLIPSIS = "…";

/** `a long sentence` → `a long se…` */
export function shortenEnd(text: string, widthCells: number): string {
  if (widthCells < 1) return "";
  if (rowWidth(text) <= widthCells) return text;
  return sliceRow(text, 0, widthCells - 1).trimEnd() + ELLIPSIS;
}

/**
 * `src/deeply/nested/folder/file.ts` → `src/dee…/file.ts`. The last part of a path stays whole if possible; other text
 * loses its middle.
 */
export function shortenMiddle(text: string, widthCells: number): string {
  if (widthCells < 1) return "";
  const cells = rowWidth(text);
  if (cells <= widthCells) return text;
  const room = widthCells - 1;
  const tailCells = Math.min(room, Math.max(Math.ceil(room / 2), lastPartCells(text, room)));
  return sliceRow(text, 0, room - tailCells) + ELLIPSIS + sliceRow(text, cells - tailCells, cells);
}

// A file name that takes all the room is cut like other text.
function lastPartCells(text: string, room: number): number {
  const plain = plainText(text).replace(/\/+$/, "");
  const slash = plain.lastIndexOf("/");
  if (slash < 0) return 0;
  const cells = textWidth(plainText(text).slice(slash));
  return cells <= room ? cells : 0;
}
