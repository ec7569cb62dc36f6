// How well a typed word fits a name. Its letters must appear in order; closer together and nearer to the start of a
// word scores higher.
//
//   "pn" fits pnpm (begins with it), open (inside), pip-none (its letters, apart)

export const NO_FIT = -1;

const BEGINS = 4_000;
const BEGINS_WORD = 3_000;
const INSIDE = 2_000;
const APART = 1_000;
const PLACES_MAX = 900;

/** Higher is better; `NO_FIT` when it does not match. */
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
