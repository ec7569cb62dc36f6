// Type and size of a picture, read from its header, because an agent's word for it may be wrong; and the words for it
// where it cannot be shown: "picture, image/png, 640 × 480, 12 kB".
import { humanCount } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";

type PictureType = "png" | "jpeg" | "gif" | "webp";

export interface PictureFacts {
  readonly type: PictureType;
  readonly widthPx: number;
  readonly heightPx: number;
}

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
const IHDR = "IHDR";

/** null for an unknown format or a size of 0. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | null {
  const facts = pngFacts(bytes) ?? jpegFacts(bytes) ?? gifFacts(bytes) ?? webpFacts(bytes);
  return facts === null || facts.widthPx === 0 || facts.heightPx === 0 ? null : facts;
}

export function isPng(bytes: Uint8Array): boolean {
  return PNG_START.every((byte, at) => bytes[at] === byte);
}

function pngFacts(bytes: Uint8Array): PictureFacts | null {
  if (!isPng(bytes) || ascii(bytes, 12, 4) !== IHDR || bytes.length < 24) return null;
  const view = viewOf(bytes);
  return { type: "png", widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
}

// The frame header among the segments of a JPEG has the size.
function jpegFacts(bytes: Uint8Array): PictureFacts | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { type: "jpeg", widthPx: view.getUint16(at + 7), heightPx: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

function gifFacts(bytes: Uint8Array): PictureFacts | null {
  if (!/^GIF8[79]a$/.test(ascii(bytes, 0, 6)) || bytes.length < 10) return null;
  const view = viewOf(bytes);
  return { type: "gif", widthPx: view.getUint16(6, true), heightPx: view.getUint16(8, true) };
}

// Only extended WebP has its size in a plain place.
function webpFacts(bytes: Uint8Array): PictureFacts | null {
  if (ascii(bytes, 0, 4) !== "RIFF" || ascii(bytes, 8, 8) !== "WEBPVP8X" || bytes.length < 30) return null;
  const three = (at: number) => (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8) + ((bytes[at + 2] ?? 0) << 16);
  return { type: "webp", widthPx: three(24) + 1, heightPx: three(27) + 1 };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function ascii(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}

/** Decodes at most this many bytes, fewer at the end or at invalid base64. */
export function firstBytes(base64: string, bytesMax: number): Uint8Array {
  const [letters = ""] = /^[A-Za-z0-9+/]*/.exec(base64.slice(0, Math.ceil(bytesMax / 3) * 4)) ?? [];
  // A letter alone makes no byte.
  const whole = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  return Uint8Array.from(atob(whole), (byte) => byte.charCodeAt(0)).subarray(0, bytesMax);
}

/** The header of a JPEG may come after embedded metadata. */
const HEADER_BYTES_MAX = 64 * 1024;

/** "image/png" and, where known, "640 × 480". */
export function pictureParts({ mimeType, base64 }: { mimeType: string; base64: string }): string[] {
  const facts = pictureFacts(firstBytes(base64, HEADER_BYTES_MAX));
  const type = facts === null ? safeLine(mimeType) || "of an unknown kind" : `image/${facts.type}`;
  return facts === null ? [type] : [type, `${humanCount(facts.widthPx)} × ${humanCount(facts.heightPx)}`];
}

export function pictureKilobytes(base64: string): number {
  return Math.max(1, Math.round((base64.length * 3) / 4 / 1000));
}

export function pictureWords(picture: { mimeType: string; base64: string }): string {
  return ["picture", ...pictureParts(picture), `${humanCount(pictureKilobytes(picture.base64))} kB`].join(", ");
}
