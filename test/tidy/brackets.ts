// Which bracket closes which, over the code view of a file. Angle brackets are left out: they may be comparisons.

const CLOSING_OF: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const CLOSERS = new Set(Object.values(CLOSING_OF));

/** For the offset of every opening bracket the offset of its closing one, and the other way round. */
export function matchBrackets(code: string): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < code.length; at++) {
    const char = code.charAt(at);
    if (char in CLOSING_OF) open.push(at);
    else if (CLOSERS.has(char)) {
      const start = open.pop();
      if (start === undefined) continue;
      partners.set(start, at);
      partners.set(at, start);
    }
  }
  return partners;
}

/** The offset of the first character that is not white space, from `at` on. */
export function skipSpace(code: string, at: number): number {
  let next = at;
  while (next < code.length && /\s/.test(code.charAt(next))) next++;
  return next;
}
