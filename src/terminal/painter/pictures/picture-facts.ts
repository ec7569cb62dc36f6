// What a picture is, read from its own first bytes: an agent's word for it may be wrong, and what a terminal is asked to
// decode must be what we think it is. Only headers are read, never pixels.

export type PictureType = "png" | "jpeg" | "gif" | "webp";

export interface PictureFacts {
  readonly type: PictureType;
  readonly widthPx: number;
  readonly heightPx: number;
}

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
const IHDR = "IHDR";

/** null for what is no picture that we know, or one without a size. */
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

// A JPEG is a row of segments; the frame header among them has the size. Tables and notes before it are stepped over.
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

// Of the three kinds of WebP only the one with an extended header says its size in a plain place.
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
