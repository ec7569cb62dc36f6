// Widths: by example, against themselves, and against pi-tui, whose editor places the cursor with its own function.

import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIMPLE_CELLS } from "../../src/text/simple-cells.js";
import { clusterWidth, graphemes, isDisputed, textWidth } from "../../src/text/width.js";
import { everyClusterHasABase } from "./styled-rows.js";

const examples: [what: string, text: string, cells: number][] = [
  ["ASCII", "hello", 5],
  ["accented letters", "naïve", 5],
  ["combining marks", "e\u0301\u0323o", 2],
  ["ideographs", "日本語", 6],
  ["an ideograph beyond the BMP", "\u{20000}", 2],
  ["Hangul syllables", "한글", 4],
  ["Hangul in jamo", "\u1112\u1161\u11ab", 2],
  ["fullwidth and halfwidth forms", "Ａｱ", 3],
  ["halfwidth kana with a voice mark", "ｶﾞ", 2],
  ["an emoji", "🚀", 2],
  ["a family", "👩‍👩‍👧‍👦", 2],
  ["a skin tone", "👍🏽", 2],
  ["a flag", "🇩🇪", 2],
  ["half a flag", "🇩", 2],
  ["three halves", "🇩🇪🇫", 4],
  ["a tag flag", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 2],
  ["a keycap", "1\ufe0f\u20e3", 2],
  ["a sign as text", "☎", 1],
  ["a sign shown as text", "☎\ufe0e", 1],
  ["a sign shown as emoji", "☎\ufe0f", 2],
  ["ambiguous width", "…—“”●", 5],
  ["box drawing", "┌─┐▌", 4],
  ["a conjunct", "क्ष", 2],
  ["a vowel sign", "का", 2],
  ["Thai with marks", "ที่", 1],
  ["Thai AM", "น้ำ", 2],
  ["Arabic with marks", "مُ", 1],
  ["zero width", "a\u200bb", 2],
  ["a lone surrogate", "\ud83d", 0],
  ["nothing", "", 0],
];

test.each(examples)("%s: %s takes %i cells", (_what, text, cells) => {
  expect(textWidth(text)).toBe(cells);
});

describe("graphemes", () => {
  test("keeps together what a person sees as one character", () => {
    expect(graphemes("e\u0301👩‍👩‍👧‍👦🇩🇪x1\ufe0f\u20e3")).toEqual(["e\u0301", "👩‍👩‍👧‍👦", "🇩🇪", "x", "1\ufe0f\u20e3"]);
  });

  test("gives back the text, in pieces of at most two cells that add up to its width", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clusters = graphemes(text);
        expect(clusters.join("")).toBe(text);
        const cells = clusters.map(clusterWidth);
        expect(Math.max(0, ...cells)).toBeLessThanOrEqual(2);
        expect(cells.reduce((sum, each) => sum + each, 0)).toBe(textWidth(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("agrees with the segmenter wherever that finds nothing wider than two cells", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    fc.assert(
      fc.property(anyText, (text) => {
        const segments = Array.from(segmenter.segment(text), ({ segment }) => segment);
        fc.pre(segments.every((segment) => clusterWidth(segment) <= 2));
        expect(graphemes(text)).toEqual(segments);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("pi-tui", () => {
  test("agrees on every single character", () => {
    const strangers: string[] = [];
    for (let code = 0x20; code <= 0x10ffff; code++) {
      // Four planes hold nothing yet, and the private ones and the ideographs are all alike.
      if (code === 0x20100) code = 0x2fa00;
      if (code === 0x2fb00) code = 0x32300;
      if (code === 0x32400) code = 0xe0000;
      if (code === 0xe0200) code = 0x10ff00;
      const character = String.fromCodePoint(code);
      if (textWidth(character) !== visibleWidth(character)) strangers.push(code.toString(16));
    }
    expect(strangers).toEqual([]);
  });

  test("agrees on the examples and on long mixed lines of them", () => {
    const safe = examples.map(([, text]) => text);
    for (const text of safe) expect(visibleWidth(text)).toBe(textWidth(text));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...safe), { maxLength: 40 }), (parts) => {
        const text = parts.join(" ");
        expect(visibleWidth(text)).toBe(textWidth(text));
      }),
    );
  });

  test("agrees on random mixtures, but for marks that have no base", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(everyClusterHasABase(text));
        expect(textWidth(text)).toBe(visibleWidth(text));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("disputed clusters", () => {
  test("are those on which terminals disagree", () => {
    for (const cluster of [
      "👩‍👩‍👧‍👦",
      "🇩🇪",
      "👍🏽",
      "☎\ufe0f",
      "1\ufe0f\u20e3",
      "क्ष",
      "\u1112\u1161\u11ab",
      "🚀",
      "ที่",
    ]) {
      expect(isDisputed(cluster), cluster).toBe(true);
    }
  });

  test("are none of the letters, ideographs, lines and glyphs of everyday", () => {
    for (const cluster of graphemes("aé日한あＡ…┌▌●◌✕▲ℹ∴›❯⠹“ße\u0301\u{20000}Жאع")) {
      expect(isDisputed(cluster), cluster).toBe(false);
    }
  });
});

test("a character in the table of simple ones has the width that careful measuring gives it", () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0x10000; code++) {
    const cells = SIMPLE_CELLS[code];
    // Beside a combining mark the careful way is taken for the character, too.
    if (cells && textWidth(`${String.fromCharCode(code)}\u0301`) !== cells) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test("two simple characters never melt into one", () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const melted = Array.from(SIMPLE_CELLS.keys()).filter((code) => {
    if (!SIMPLE_CELLS[code]) return false;
    const text = String.fromCharCode(code, code, 0x61, 0xac00, code);
    return Array.from(segmenter.segment(text)).length !== text.length;
  });
  expect(melted).toEqual([]);
});

test("a long text has the clusters of its parts, however it falls into windows", () => {
  const parts = ["ที่", "👩‍👩‍👧‍👦", "🇩🇪", "e\u0301", `z${"\u0353".repeat(700)}`, "क्षि"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { minLength: 50, maxLength: 300 }), (list) => {
      expect(graphemes(list.join(""))).toEqual(list.flatMap(graphemes));
    }),
    { numRuns: 20 },
  );
});

const atom = fc.oneof(
  fc.constantFrom(..."aé日한ｶ👩🚀❤🏳🌈🏴⚧👍1#中ไกຳคकषकக", "\u200d", "\ufe0f", "\ufe0e", "\u20e3", "\u0301", "\u{1f3fb}"),
  fc.constantFrom("🇩", "🇪", "\u1100", "\u1161", "\u11a8", "\u094d", "\u093f", "\u093e", "\u0902", "\u0bc6", "\u0bbe"),
  fc.constantFrom(
    "က",
    "\u103c",
    "\u1031",
    "\u102c",
    "\u1037",
    "\u0600",
    "\u0e33",
    "\uff9e",
    "\u3099",
    "\u302e",
    "\u0651",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
);
const anyText = fc.array(atom, { maxLength: 12 }).map((parts) => parts.join("").replace(/[\x00-\x1f\x7f-\x9f]/g, "x"));
