// Pictures on their way to the terminal. A picture that passes the checks gets a number and lines; its bytes are kept
// until those lines are written, and then dropped. Some terminals leave pictures in place while a resize moves the
// text; there they are removed with the first frame after the resize.
import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Size } from "../painter/frame.js";
import { firstBytes, isPng, type PictureFacts, pictureFacts } from "../painter/pictures/picture-facts.js";
import {
  type CellSize,
  hasPictureMark,
  type PictureArea,
  pictureArea,
  pictureLines,
  placedPictures,
  USUAL_CELL,
} from "../painter/pictures/picture-mark.js";
import type { Environment } from "../painter/profile.js";
import { type PictureWay, pictureWayFor } from "./picture-way.js";

interface ImageQueueParts {
  readonly way: Exclude<PictureWay, "none">;
  /** The numbers are shared with all programs on the terminal, so they start at random. */
  readonly firstId: number;
  size(): Size;
}

/** Larger ones would hold the terminal for seconds; they are only described. */
export const PICTURE_BYTES_MAX = 4 * 1024 * 1024;
const PICTURE_SIDE_PX_MAX = 8_192;
const PICTURE_PX_MAX = 24_000_000;
/** What may be kept while another screen covers this one; the oldest are dropped first. */
const WAITING_UNITS_MAX = 24 * 1024 * 1024;
const COLUMNS_MAX = 80;
const ROWS_MAX = 24;
const ID_COUNT = 2 ** 31;
const HEADER_BYTES_MAX = 64 * 1024;

/** null where the terminal shows no pictures. */
export function imageQueueFor(environment: Environment, size: () => Size): ImageQueue | null {
  const way = pictureWayFor(environment);
  return way === "none" ? null : new ImageQueue({ way, size, firstId: randomInt(1, ID_COUNT) });
}

export class ImageQueue {
  cell: CellSize = USUAL_CELL;
  private readonly parts: ImageQueueParts;
  private readonly waiting = new Map<number, string>();
  private waitingUnits = 0;
  private nextId: number;
  /** Pictures that a resize would misplace, and the size at which they were drawn. */
  private shown: number[] = [];
  private shownAt: Size = { columns: 0, rows: 0 };

  constructor(parts: ImageQueueParts) {
    this.parts = parts;
    this.nextId = parts.firstId;
  }

  /** The lines of a picture; none if it is not shown. */
  linesFor(base64: string, widthCells: number): string[] {
    const checked = this.checked(base64);
    if (checked === null) return [];
    const { rows } = this.parts.size();
    const most = { columns: Math.min(COLUMNS_MAX, widthCells), rows: Math.min(ROWS_MAX, Math.floor(rows / 2)) };
    const id = this.keep(checked.base64);
    return pictureLines(id, pictureArea(checked.facts, this.cell, most));
  }

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
    // Before the frame: terminals limit how long a synchronized update may take.
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

  // The bytes are re-encoded from what was parsed; the text that came is never passed on.
  private checked(base64: string): { facts: PictureFacts; base64: string } | null {
    if (base64.length > (PICTURE_BYTES_MAX * 4) / 3) return null;
    const facts = pictureFacts(firstBytes(base64, HEADER_BYTES_MAX));
    if (facts === null || !isModest(facts)) return null;
    const isTaken = facts.type === "png" || (facts.type === "jpeg" && this.parts.way === "iterm");
    if (!isTaken) return null;
    const given = Buffer.from(base64, "base64");
    const bytes = facts.type === "png" ? plainPng(given) : given;
    return bytes === null ? null : { facts, base64: bytes.toString("base64") };
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

const KEPT_CHUNKS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const SIGNATURE_BYTES = 8;
/** Length, name and checksum of a chunk. */
const AROUND_BYTES = 12;

/**
 * A PNG reduced to the chunks that make the picture, each with a valid checksum: text, profiles and animations do not
 * reach the terminal's decoder. null for a damaged or incomplete file.
 */
export function plainPng(bytes: Buffer): Buffer | null {
  if (!isPng(bytes)) return null;
  const pieces: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  let hasPixels = false;
  for (let at = SIGNATURE_BYTES; at + AROUND_BYTES <= bytes.length; ) {
    const end = at + AROUND_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (pieces.length === 1 && name !== "IHDR") return null;
    if (KEPT_CHUNKS.has(name)) {
      if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
      pieces.push(bytes.subarray(at, end));
    }
    hasPixels ||= name === "IDAT";
    if (name === "IEND") return hasPixels ? Buffer.concat(pieces) : null;
    at = end;
  }
  return null;
}

/** The maximum per chunk in kitty's protocol. */
const CHUNK_UNITS = 4_096;

/** Transfers the pixels without showing them. `q=2`: a reply would be read as keys. */
function kittyUpload(id: number, base64: string): string {
  let bytes = "";
  for (let at = 0; at < base64.length; at += CHUNK_UNITS) {
    const more = at + CHUNK_UNITS < base64.length ? 1 : 0;
    const keys = at === 0 ? `a=t,f=100,t=d,i=${id},q=2,m=${more}` : `m=${more}`;
    bytes += `\x1b_G${keys};${base64.slice(at, at + CHUNK_UNITS)}\x1b\\`;
  }
  return bytes;
}

/** Shows it at the cursor, which does not move. */
function kittyPlacement(id: number, { columns, rows }: PictureArea): string {
  return `\x1b_Ga=p,i=${id},c=${columns},r=${rows},C=1,q=2\x1b\\`;
}

function kittyRemoval(id: number): string {
  return `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`;
}

function itermPicture(base64: string, { columns, rows }: PictureArea): string {
  const size = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  return `\x1b]1337;File=inline=1;size=${size};width=${columns};height=${rows};preserveAspectRatio=1:${base64}\x07`;
}
