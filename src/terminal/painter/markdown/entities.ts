// Character references: numeric ones and common names. Unknown names stay as they are.

/** Each name followed by its character. */
const NAMED: ReadonlyMap<string, string> = new Map(
  `amp& lt< gt> quot" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“
  rdquo” laquo« raquo» bull• middot· times× divide÷ plusmn± deg° para¶ sect§ euro€ larr← uarr↑ rarr→
  darr↓ harr↔ le≤ ge≥ ne≠ check✓`
    .split(/ |\n +/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g;
const LAST_CODE_POINT = 0x10ffff;

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : "\ufffd";
  });
}
