// A picture as settled lines: blank ones, with a mark in the last that becomes the terminal's sequence when it is
// written. By then all rows exist, so the picture is drawn upwards, the cursor returns, and nothing scrolls.
//
//   | ℹ picture, image/png, 64 × 64, 1 kB |        | ℹ picture, image/png, 64 × 64, 1 kB |
//   |                                     |        | ▒▒▒▒▒▒                              |
//   |                                     |   →    | ▒▒▒▒▒▒                              |
//   | █mark                               |        | ▒▒▒▒▒▒                              |
import { cursorUp, RESTORE_CURSOR, SAVE_CURSOR } from "../sequences.js";

export interface CellSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Typical; only the ratio matters. */
export const USUAL_CELL: CellSize = { widthPx: 10, heightPx: 20 };

export interface PictureArea {
  readonly columns: number;
  readonly rows: number;
}

export function pictureArea(
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  cell: CellSize,
  most: PictureArea,
): PictureArea {
  const natural = { columns: widthPx / cell.widthPx, rows: heightPx / cell.heightPx };
  const scale = Math.min(1, most.columns / natural.columns, most.rows / natural.rows);
  const whole = (cells: number, limit: number) => Math.max(1, Math.min(Math.max(1, limit), Math.round(cells * scale)));
  return { columns: whole(natural.columns, most.columns), rows: whole(natural.rows, most.rows) };
}

const MARK = /\x1b_palaver-picture;(\d+);(\d+);(\d+)\x1b\\/g;
const MARK_START = "\x1b_palaver-picture;";

export function pictureLines(id: number, { columns, rows }: PictureArea): string[] {
  return [...Array.from({ length: rows - 1 }, () => ""), `${MARK_START}${id};${columns};${rows}\x1b\\`];
}

export function hasPictureMark(bytes: string): boolean {
  return bytes.includes(MARK_START);
}

/** Removes the lines of pictures, for a screen that shows none. */
export function withoutPictures(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    const rows = hasPictureMark(line) ? Number(new RegExp(MARK.source).exec(line)?.[3] ?? 1) : 0;
    if (rows === 0) kept.push(line);
    else kept.splice(kept.length - (rows - 1));
  }
  return kept;
}

/** Replaces each mark by the terminal's sequence; "" leaves blank lines. */
export function placedPictures(bytes: string, bytesFor: (id: number, area: PictureArea) => string): string {
  return bytes.replace(MARK, (_, id: string, columns: string, rows: string) => {
    const area = { columns: Number(columns), rows: Number(rows) };
    const drawing = bytesFor(Number(id), area);
    if (drawing === "") return "";
    const up = area.rows > 1 ? cursorUp(area.rows - 1) : "";
    return `${SAVE_CURSOR}\r${up}${drawing}${RESTORE_CURSOR}`;
  });
}
