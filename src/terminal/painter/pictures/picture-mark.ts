// Where a picture goes, as a mark in a settled line. The line itself stays a line without text: the mark has no width, is
// no part of what rows know, and becomes the terminal's own sequence only in the moment in which it is written.
//
// The rows of a picture are blank lines that are settled like any others, and the mark stands in the last of them. When it
// is written all of its rows are there already, so the picture is drawn upwards into room that is its own, and the
// cursor comes back to where it was: nothing scrolls, and nobody has to count.
//
//   | ℹ picture, image/png, 64 × 64, 1 kB |        | ℹ picture, image/png, 64 × 64, 1 kB |
//   |                                     |        | ▒▒▒▒▒▒                              |
//   |                                     |   →    | ▒▒▒▒▒▒                              |
//   | █mark                               |        | ▒▒▒▒▒▒                              |
import { cursorUp, RESTORE_CURSOR, SAVE_CURSOR } from "../sequences.js";
import type { PictureArea } from "./picture-area.js";

const MARK = /\x1b_palaver-picture;(\d+);(\d+);(\d+)\x1b\\/g;
const MARK_START = "\x1b_palaver-picture;";

/** The lines of a picture: blank ones, and the mark in the last. */
export function pictureLines(id: number, { columns, rows }: PictureArea): string[] {
  return [...Array.from({ length: rows - 1 }, () => ""), `${MARK_START}${id};${columns};${rows}\x1b\\`];
}

export function hasPictureMark(bytes: string): boolean {
  return bytes.includes(MARK_START);
}

/** For a screen that shows no pictures: their lines are not there at all. */
export function withoutPictures(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    const rows = hasPictureMark(line) ? Number(new RegExp(MARK.source).exec(line)?.[3] ?? 1) : 0;
    if (rows === 0) kept.push(line);
    else kept.splice(kept.length - (rows - 1));
  }
  return kept;
}

/** Each mark as what the terminal draws there; an empty answer leaves the blank lines as they are. */
export function placedPictures(bytes: string, bytesFor: (id: number, area: PictureArea) => string): string {
  return bytes.replace(MARK, (_, id: string, columns: string, rows: string) => {
    const area = { columns: Number(columns), rows: Number(rows) };
    const drawing = bytesFor(Number(id), area);
    if (drawing === "") return "";
    const up = area.rows > 1 ? cursorUp(area.rows - 1) : "";
    return `${SAVE_CURSOR}\r${up}${drawing}${RESTORE_CURSOR}`;
  });
}
