// A picture in words, for every place that cannot show one: what it is, how large, how heavy.
//
//   picture, image/png, 640 × 480, 12 kB
import { humanCount } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { firstBytes } from "./base64-bytes.js";
import { pictureFacts } from "./picture-facts.js";

/** The size of a JPEG stands behind its notes, which may hold a small picture of their own. */
const HEADER_BYTES_MAX = 64 * 1024;

/** "image/png" and "640 × 480"; the second is missing where the bytes do not say it. */
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
