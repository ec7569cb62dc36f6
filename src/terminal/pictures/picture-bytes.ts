// Pictures in the words of terminals. The payload is base64 that we made ourselves from bytes that we have looked at; it
// ends no sequence and begins none.
import type { PictureArea } from "../painter/pictures/picture-area.js";

/** What kitty's protocol allows in one piece. */
const CHUNK_UNITS = 4_096;

/** PendingEffects the pixels over under a number, without showing them. `q=2`: an answer would be read as keys. */
export function kittyUpload(id: number, base64: string): string {
  let bytes = "";
  for (let at = 0; at < base64.length; at += CHUNK_UNITS) {
    const more = at + CHUNK_UNITS < base64.length ? 1 : 0;
    const keys = at === 0 ? `a=t,f=100,t=d,i=${id},q=2,m=${more}` : `m=${more}`;
    bytes += `\x1b_G${keys};${base64.slice(at, at + CHUNK_UNITS)}\x1b\\`;
  }
  return bytes;
}

/** Shows it from the cursor on, which stays where it is. */
export function kittyPlacement(id: number, { columns, rows }: PictureArea): string {
  return `\x1b_Ga=p,i=${id},c=${columns},r=${rows},C=1,q=2\x1b\\`;
}

/** Takes it off the screen and out of the terminal's memory. */
export function kittyRemoval(id: number): string {
  return `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`;
}

export function itermPicture(base64: string, { columns, rows }: PictureArea): string {
  const size = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  return `\x1b]1337;File=inline=1;size=${size};width=${columns};height=${rows};preserveAspectRatio=1:${base64}\x07`;
}
