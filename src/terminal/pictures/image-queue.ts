// The pictures of a conversation on their way to the terminal. A picture that came is judged first; one that may be shown gets
// a number and the lines it will stand on, and its bytes wait here until those lines are written into the scrollback.
// Then they are gone: nothing that is settled is drawn again, and a session of any length keeps no pixels.
//
// A terminal that leaves pictures where they were while a resize moves the text would lay them over words. There they are
// taken away with the first frame after the resize; the words that name them stay.
import { randomInt } from "node:crypto";
import type { Size } from "../painter/frame.js";
import { firstBytes } from "../painter/pictures/base64-bytes.js";
import { type CellSize, pictureArea, USUAL_CELL } from "../painter/pictures/picture-area.js";
import { type PictureFacts, pictureFacts } from "../painter/pictures/picture-facts.js";
import { hasPictureMark, pictureLines, placedPictures } from "../painter/pictures/picture-mark.js";
import { plainPng } from "../painter/pictures/plain-png.js";
import type { Environment } from "../painter/profile.js";
import { itermPicture, kittyPlacement, kittyRemoval, kittyUpload } from "./picture-bytes.js";
import { type PictureWay, pictureWayFor } from "./picture-way.js";

export interface PictureAlbumParts {
  readonly way: Exclude<PictureWay, "none">;
  /** Terminals number pictures for everybody who writes to them: nobody else's must be taken. */
  readonly firstId: number;
  size(): Size;
}

/** Larger ones stay words: they would hold the terminal for seconds. */
export const PICTURE_BYTES_MAX = 4 * 1024 * 1024;
const PICTURE_SIDE_PX_MAX = 8_192;
const PICTURE_PX_MAX = 24_000_000;
/** So much may wait while another screen covers this one; the oldest give up their pixels and keep their words. */
const WAITING_UNITS_MAX = 24 * 1024 * 1024;
const COLUMNS_MAX = 80;
const ROWS_MAX = 24;
const ID_COUNT = 2 ** 31;
const HEADER_BYTES_MAX = 64 * 1024;

/** null where the terminal at hand takes no pictures. */
export function albumFor(environment: Environment, size: () => Size): ImageQueue | null {
  const way = pictureWayFor(environment);
  return way === "none" ? null : new ImageQueue({ way, size, firstId: randomInt(1, ID_COUNT) });
}

export class ImageQueue {
  cell: CellSize = USUAL_CELL;
  private readonly parts: PictureAlbumParts;
  private readonly waiting = new Map<number, string>();
  private waitingUnits = 0;
  private nextId: number;
  /** Those that a resize would misplace, and the size at which they were drawn. */
  private shown: number[] = [];
  private shownAt: Size = { columns: 0, rows: 0 };

  constructor(parts: PictureAlbumParts) {
    this.parts = parts;
    this.nextId = parts.firstId;
  }

  /** The lines on which it will stand; none for what is not shown. */
  linesFor(base64: string, widthCells: number): string[] {
    const checked = this.checked(base64);
    if (checked === null) return [];
    const { rows } = this.parts.size();
    const most = { columns: Math.min(COLUMNS_MAX, widthCells), rows: Math.min(ROWS_MAX, Math.floor(rows / 2)) };
    const id = this.keep(checked.base64);
    return pictureLines(id, pictureArea(checked.facts, this.cell, most));
  }

  /** What is written to the terminal, with each picture in its place. Costs nothing while none waits. */
  placed(bytes: string): string {
    const removals = this.shown.length === 0 ? "" : this.removals();
    if (this.waiting.size === 0 || !hasPictureMark(bytes)) return removals + bytes;
    let uploads = removals;
    const frame = placedPictures(bytes, (id, area) => {
      const base64 = this.take(id);
      if (base64 === undefined) return "";
      if (this.parts.way === "iterm") return itermPicture(base64, area);
      uploads += kittyUpload(id, base64);
      this.remember(id);
      return kittyPlacement(id, area);
    });
    // Before the frame and its synchronized update, which terminals hold back only for so long.
    return uploads + frame;
  }

  private remember(id: number): void {
    if (this.parts.way !== "kitty-fixed") return;
    if (this.shown.length === 0) this.shownAt = this.parts.size();
    this.shown.push(id);
  }

  private removals(): string {
    const { columns, rows } = this.parts.size();
    if (columns === this.shownAt.columns && rows === this.shownAt.rows) return "";
    return this.shown.splice(0).map(kittyRemoval).join("");
  }

  // What is sent on is made anew from what was understood: never the text that came.
  private checked(base64: string): { facts: PictureFacts; base64: string } | null {
    if (base64.length > (PICTURE_BYTES_MAX * 4) / 3) return null;
    const facts = pictureFacts(firstBytes(base64, HEADER_BYTES_MAX));
    if (facts === null || !isModest(facts)) return null;
    const isTaken = facts.type === "png" || (facts.type === "jpeg" && this.parts.way === "iterm");
    if (!isTaken) return null;
    const given = new Uint8Array(Buffer.from(base64, "base64"));
    const bytes = facts.type === "png" ? plainPng(given) : given;
    return bytes === null ? null : { facts, base64: Buffer.from(bytes).toString("base64") };
  }

  private keep(base64: string): number {
    const id = this.nextId;
    this.nextId = (this.nextId % ID_COUNT) + 1;
    this.waiting.set(id, base64);
    this.waitingUnits += base64.length;
    for (const oldest of this.waiting.keys()) {
      if (this.waitingUnits <= WAITING_UNITS_MAX || oldest === id) break;
      this.take(oldest);
    }
    return id;
  }

  private take(id: number): string | undefined {
    const base64 = this.waiting.get(id);
    this.waiting.delete(id);
    this.waitingUnits -= base64?.length ?? 0;
    return base64;
  }
}

function isModest({ widthPx, heightPx }: PictureFacts): boolean {
  return Math.max(widthPx, heightPx) <= PICTURE_SIDE_PX_MAX && widthPx * heightPx <= PICTURE_PX_MAX;
}
