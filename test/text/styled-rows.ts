// Random rows, as our own code would write them: safe text in styles and links.

import fc from "fast-check";
import { linkBytes } from "../../src/text/row.js";
import { safeLine } from "../../src/text/safe.js";

const word = fc.oneof(
  fc.stringMatching(/^[a-z,.()-]{1,12}$/),
  fc.constantFrom(
    "日本語",
    "한글",
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "e\u0301e\u0323",
    "क्षि",
    "「かな」。",
    "…",
    "ကြော",
    "1️⃣",
    "\u0301",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }).map(safeLine),
);

const style = fc.constantFrom(
  "\x1b[1m",
  "\x1b[31m",
  "\x1b[0m",
  "\x1b[m",
  "\x1b[22;4m",
  "\x1b[38;5;9m",
  "\x1b[39m",
  "\x1b[48;2;1;2;3m",
);
const link = fc.constantFrom(linkBytes("https://a.example/"), linkBytes("https://b.example/", "7"), linkBytes(""));

export const safeText = fc
  .array(fc.oneof(word, fc.constantFrom(" ", " ", "  ")), { maxLength: 30 })
  .map((parts) => parts.join(""));
export const asciiText = fc.stringMatching(/^[a-z ]{0,120}$/);
export const styledRow = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 3, arbitrary: fc.constant(" ") }, style, link), {
    maxLength: 30,
  })
  .map((parts) => parts.join(""));

/**
 * Whether every cluster begins with something a mark can stand on. On vowel signs that stand alone pi-tui counts
 * nothing when another mark is beside them; there, and only there, its widths and ours differ.
 */
export function everyClusterHasABase(text: string): boolean {
  return Array.from(new Intl.Segmenter().segment(text)).every(({ segment }) =>
    /^[^\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(segment),
  );
}
