// Damages bytes the way broken pipes, broken programs and attackers do: bits flip, pieces are lost, doubled, moved or come
// from somewhere else, and bytes that mean something to one decoder or another turn up where they do not belong.
import type { SeededRandom } from "../simulator/seeded-random.js";

/** Bytes that some decoder treats in a special way. */
const TELLING: readonly (readonly number[])[] = [
  [0x00],
  [0x07],
  [0x0a],
  [0x0d],
  [0x0d, 0x0a],
  [0x0a, 0x0a],
  [0x1b],
  [0x1b, 0x5b],
  [0x1b, 0x5d],
  [0x1b, 0x50],
  [0x1b, 0x5c],
  [0x22],
  [0x27],
  [0x23],
  [0x3a],
  [0x5c],
  [0x60],
  [0x7b],
  [0x7d],
  [0x5b],
  [0x5d],
  [0x80],
  [0xff],
  [0xc3],
  [0xe2, 0x80, 0xa8],
  [0xe2, 0x80, 0xae],
  [0xef, 0xbb, 0xbf],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
];

/** Longer inputs find nothing that shorter ones do not, and cost more. */
const INPUT_BYTES_MAX = 64 * 1024;

export function mutateBytes(bytes: Uint8Array, others: readonly Uint8Array[], random: SeededRandom): Uint8Array {
  let result = bytes;
  for (let left = random.integer(1, 6); left > 0; left--) result = once(result, others, random);
  return result.slice(0, INPUT_BYTES_MAX);
}

export function anyBytes(random: SeededRandom): Uint8Array {
  const isText = random.chance(0.5);
  return Uint8Array.from({ length: random.integer(0, 200) }, () =>
    random.chance(0.2) ? (random.pick(TELLING)[0] ?? 0) : isText ? random.integer(0x20, 0x7e) : random.integer(0, 255),
  );
}

function once(bytes: Uint8Array, others: readonly Uint8Array[], random: SeededRandom): Uint8Array {
  const at = random.integer(0, bytes.length);
  const to = Math.min(bytes.length, at + random.integer(0, random.pick([1, 8, 64, 1_000])));
  const piece = bytes.slice(at, to);
  switch (random.integer(0, 7)) {
    case 0:
      return joined(bytes.slice(0, at), bytes.slice(to));
    case 1:
      return joined(bytes.slice(0, at), piece, piece, bytes.slice(to));
    case 2:
      return joined(bytes.slice(0, at), random.pick(TELLING), bytes.slice(at));
    case 3:
      return joined(bytes.slice(0, at), random.pick(TELLING), bytes.slice(to));
    case 4:
      return flipped(bytes, at, random);
    case 5:
      return joined(bytes.slice(0, at), random.pick(others).slice(random.integer(0, 400)));
    case 6:
      return joined(bytes.slice(0, at), anyBytes(random), bytes.slice(to));
    default:
      return bytes.slice(0, at);
  }
}

function flipped(bytes: Uint8Array, at: number, random: SeededRandom): Uint8Array {
  const result = bytes.slice();
  result[at] = (result[at] ?? 0) ^ (1 << random.integer(0, 7));
  return result;
}

function joined(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
