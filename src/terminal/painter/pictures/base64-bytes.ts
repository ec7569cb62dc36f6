// The bytes behind the beginning of a base64 text, for rooms that have no Buffer: enough of a picture to know what it is,
// without unpacking megabytes to say "640 × 480".

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES: ReadonlyMap<string, number> = new Map(Array.from(ALPHABET, (letter, value) => [letter, value]));

/** At most so many bytes; fewer where the text ends or is no base64 any more. */
export function firstBytes(base64: string, bytesMax: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(bytesMax, Math.floor((base64.length * 3) / 4)));
  let bits = 0;
  let bitCount = 0;
  let length = 0;
  for (let at = 0; at < base64.length && length < bytes.length; at += 1) {
    const value = VALUES.get(base64[at] ?? "");
    if (value === undefined) break;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    bytes[length] = (bits >> bitCount) & 0xff;
    length += 1;
  }
  return bytes.subarray(0, length);
}
