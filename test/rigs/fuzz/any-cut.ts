// The ways in which a stream of bytes may be cut into chunks. Whatever the cut, a decoder has to understand the same; so
// every target decodes its input in each of these ways and compares.
import { SeededRandom } from "../simulator/seeded-random.js";

/** Byte by byte is only worth its time while the input is short. */
const SINGLE_BYTES_MAX = 4_096;

export function cutsOf(bytes: Uint8Array): Uint8Array[][] {
  const cuts = [[bytes], inPieces(bytes, 1), inPieces(bytes, 2)];
  if (bytes.length <= SINGLE_BYTES_MAX) cuts.push(Array.from(bytes, (_, index) => bytes.slice(index, index + 1)));
  return cuts;
}

// The seed follows from the bytes, so that the same input is always cut in the same places.
function inPieces(bytes: Uint8Array, way: number): Uint8Array[] {
  const random = new SeededRandom(bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, way));
  const sizeMax = random.pick([3, 17, 200, 5_000]);
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + random.integer(1, sizeMax));
    pieces.push(bytes.slice(from, to));
    from = to;
  }
  return pieces;
}
