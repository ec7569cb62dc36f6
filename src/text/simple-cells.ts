// A table of the BMP characters that are one grapheme cluster on their own, never join a neighbour that is in the
// table too, and take the same number of cells in every terminal we know. Text made only of them needs neither
// Intl.Segmenter nor a Unicode property lookup, and that is nearly all text an agent ever prints.
// Everything left out (emoji, combining scripts, format characters, surrogates) is measured the careful way.

type Range = readonly [first: number, last: number];

const NARROW: readonly Range[] = [
  [0x20, 0x7e],
  [0xa0, 0xac], // U+00AD, the soft hyphen, is invisible here and a dash there
  [0xae, 0x2ff],
  [0x370, 0x373],
  [0x376, 0x377],
  [0x37a, 0x37f],
  [0x384, 0x38a],
  [0x38e, 0x3a1],
  [0x3a3, 0x482],
  [0x48a, 0x52f],
  [0x531, 0x556],
  [0x561, 0x586],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x660, 0x669],
  [0x6f0, 0x6f9],
  [0x1e00, 0x1eff],
  [0x2010, 0x2027],
  [0x202f, 0x205e],
  [0x2070, 0x2071],
  [0x2074, 0x208e],
  [0x20a0, 0x20c0],
  [0x2100, 0x218b],
  [0x2190, 0x2319],
  [0x231c, 0x2328],
  [0x232b, 0x23e8],
  [0x23ed, 0x23ef],
  [0x23f1, 0x23f2],
  [0x23f4, 0x2426],
  [0x2460, 0x25fc],
  [0x25ff, 0x2613],
  [0x2616, 0x262f],
  [0x2638, 0x2647],
  [0x2654, 0x267e],
  [0x2680, 0x2689],
  [0x2690, 0x2692],
  [0x2694, 0x26a0],
  [0x26a2, 0x26a9],
  [0x26ac, 0x26bc],
  [0x26bf, 0x26c3],
  [0x26c6, 0x26cd],
  [0x26cf, 0x26d3],
  [0x26d5, 0x26e9],
  [0x26eb, 0x26f1],
  [0x26f4, 0x26f4],
  [0x26f6, 0x26f9],
  [0x26fb, 0x26fc],
  [0x26fe, 0x2704],
  [0x2706, 0x2709],
  [0x270c, 0x2727],
  [0x2729, 0x274b],
  [0x274d, 0x274d],
  [0x274f, 0x2752],
  [0x2756, 0x2756],
  [0x2758, 0x2794],
  [0x2798, 0x27af],
  [0x27b1, 0x27be],
  [0x27c0, 0x2b1a],
  [0x2b1d, 0x2b4f],
  [0x2b51, 0x2b54],
  [0xe000, 0xf8ff], // private use: icons of patched fonts
  [0xff61, 0xff9d],
  [0xfffd, 0xfffd],
];

const WIDE: readonly Range[] = [
  [0x2e80, 0x2e99],
  [0x2f00, 0x2fd5],
  [0x3000, 0x3029],
  [0x3030, 0x303e],
  [0x3041, 0x3096],
  [0x309b, 0x30ff],
  [0x3105, 0x312f],
  [0x3220, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa48c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfa6d],
  [0xfe30, 0xfe52],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
];

/** Cells of a UTF-16 unit that is simple in the sense above; 0 means "measure it the careful way". */
export const SIMPLE_CELLS: Uint8Array = buildTable();

/** Whether each unit of a text is a character of one cell, as in nearly all Western prose. */
export function isNarrow(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (SIMPLE_CELLS[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/** Whether a text has more than `units` units in a row without two simple neighbours; no cluster is longer than that. */
export function mayHoldCluster(text: string, units: number): boolean {
  let run = 0;
  let isLastSimple = false;
  for (let i = 0; i < text.length; i++) {
    const isSimple = SIMPLE_CELLS[text.charCodeAt(i)] !== 0;
    run = isSimple && isLastSimple ? 1 : run + 1;
    if (run > units) return true;
    isLastSimple = isSimple;
  }
  return false;
}

function buildTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [first, last] of NARROW) table.fill(1, first, last + 1);
  for (const [first, last] of WIDE) table.fill(2, first, last + 1);
  return table;
}
