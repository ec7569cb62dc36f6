// Reduces a PNG to the chunks that make the picture, each with a valid checksum. Text, profiles and animations do not
// reach the terminal's decoder.
import { isPng } from "./picture-facts.js";

const KEPT: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const SIGNATURE_BYTES = 8;
/** Length, name and checksum of a chunk. */
const AROUND_BYTES = 12;

/** null for a damaged or incomplete file. */
export function plainPng(bytes: Uint8Array): Uint8Array | null {
  if (!isPng(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: Uint8Array[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  let hasPixels = false;
  for (let at = SIGNATURE_BYTES; at + AROUND_BYTES <= bytes.length; ) {
    const end = at + AROUND_BYTES + view.getUint32(at);
    if (end > bytes.length) return null;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (pieces.length === 1 && name !== "IHDR") return null;
    if (KEPT.has(name)) {
      if (checksum(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return null;
      pieces.push(bytes.subarray(at, end));
    }
    hasPixels ||= name === "IDAT";
    if (name === "IEND") return hasPixels ? joined(pieces) : null;
    at = end;
  }
  return null;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const REMAINDERS: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

/** CRC-32, as PNG has it. */
export function checksum(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  // By index: an iterator is several times slower on megabytes.
  for (let at = 0; at < bytes.length; at += 1) {
    remainder = (REMAINDERS[(remainder ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (remainder >>> 8);
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
