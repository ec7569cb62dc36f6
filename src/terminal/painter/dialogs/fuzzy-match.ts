// How well a typed word fits a name. The letters of the word have to appear in the name in their order; the closer
// together and the nearer to the start of a word, the better.
//
//   "pn" fits pnpm (begins with it), open (inside), pip-none (its letters, apart)

export const NO_FIT = -1;

const BEGINS = 4_000;
const BEGINS_WORD = 3_000;
const INSIDE = 2_000;
const APART = 1_000;
/** Positions beyond this make no difference any more. */
const PLACES_MAX = 900;

/** Higher is better; `NO_FIT` when the letters are not there in this order. */
export function fuzzyScore(word: string, name: string): number {
  const wanted = word.toLowerCase();
  const text = name.toLowerCase();
  const at = text.indexOf(wanted);
  if (at === 0) return BEGINS - Math.min(PLACES_MAX, text.length);
  if (at > 0) return (isWordStart(text, at) ? BEGINS_WORD : INSIDE) - Math.min(PLACES_MAX, at);
  const gaps = gapsOf(wanted, text);
  return gaps === NO_FIT ? NO_FIT : APART - Math.min(PLACES_MAX, gaps);
}

function isWordStart(text: string, at: number): boolean {
  return /[^\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

function gapsOf(wanted: string, text: string): number {
  let gaps = 0;
  let from = 0;
  for (const letter of wanted) {
    const at = text.indexOf(letter, from);
    if (at < 0) return NO_FIT;
    gaps += at - from;
    from = at + letter.length;
  }
  return gaps;
}
