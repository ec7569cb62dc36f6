// What the gate makes of foreign text, by example. That nothing harmful passes is proven in attack.test.ts.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText } from "../../src/text/row.js";
import {
  CLUSTER_UNITS_MAX,
  STYLE_CHANGES_PER_LINE_MAX,
  safeLine,
  safeLines,
  safeReveal,
  safeSgrLines,
} from "../../src/text/safe.js";
import { graphemes } from "../../src/text/width.js";
import { attacks } from "./attack-corpus.js";

const ESC = "\x1b";

describe("safeLine", () => {
  const cases: [what: string, from: string, to: string][] = [
    ["plain text as it is", "naïve 日本 “ok” ■", "naïve 日本 “ok” ■"],
    ["line breaks as one space", "a\r\n\nb\u2028c\u2029d\x0be\x85f", "a b c d e f"],
    ["tabs up to the next stop", "a\tb\t\tc", "a       b               c"],
    ["tabs after wide characters", "日本\tb", "日本    b"],
    ["no colours", `${ESC}[1;31mred${ESC}[0m`, "red"],
    ["a link as its text", `${ESC}]8;;https://x.example${ESC}\\text${ESC}]8;;${ESC}\\`, "text"],
    ["the body of a string that never ends", `${ESC}]0;title`, "0;title"],
    ["what follows a CSI without an end", `${ESC}[31é`, "é"],
    ["emoji with their joiners", "👩‍👩‍👧‍👦 ❤️ 1️⃣ 👍🏽", "👩‍👩‍👧‍👦 ❤️ 1️⃣ 👍🏽"],
    ["the flag of Wales, but no other tags", "🏴󠁧󠁢󠁷󠁬󠁳󠁿a\u{e0061}\u{e0062}", "🏴󠁧󠁢󠁷󠁬󠁳󠁿a"],
    ["no bidi controls", "a\u202eb\u2066c\u200fd\u061ce", "abcde"],
    ["no zero-width spaces, but the joiners of Persian", "a\u200bb می\u200cخواهم", "ab می\u200cخواهم"],
    ["lone surrogates as replacements", "a\ud83db\ude00", "a\ufffdb\ufffd"],
    ["a pair that an escape held apart as two replacements", `\ud83d${ESC}[m\ude00`, "\ufffd\ufffd"],
    ["no annotation controls", "\ufff9a\ufffab\ufffb", "ab"],
    ["no control characters", "a\x00b\x07c\x7fd\x80e\x9cf", "abcdef"],
  ];
  test.each(cases)("gives %s", (_what, from, to) => {
    expect(safeLine(from)).toBe(to);
  });
});

describe("safeLines", () => {
  const cases: [what: string, from: string, to: string[]][] = [
    ["nothing", "", []],
    ["one line with or without its newline", "a\n", ["a"]],
    ["an empty line", "\n", [""]],
    ["lines of every convention", "a\nb\r\nc", ["a", "b", "c"]],
    ["empty lines in between", "a\n\n\nb\n\n", ["a", "", "", "b", ""]],
    ["what a progress bar finally shows", " 5 %\r50 %\r100 %\n", ["100 %"]],
    ["the rest of a longer line that was overwritten", "hello world\rHELLO", ["HELLO world"]],
    ["nothing of a line that was erased", `hello world\r${ESC}[Kbye`, ["bye"]],
    ["nothing of a line that was erased and begun anew", `hello world${ESC}[2K${ESC}[1Gbye`, ["bye"]],
    ["a line that ends with a return", "half done\r", ["half done"]],
    ["the last step of a spinner", "wait |\b/\b-", ["wait -"]],
    ["overstruck headings once", "N\bNA\bAM\bME\bE", ["NAME"]],
    ["half of a wide character that was overwritten as a space", "日本\rx", ["x 本"]],
  ];
  test.each(cases)("gives %s", (_what, from, to) => {
    expect(safeLines(from)).toEqual(to);
  });

  test("lets a string sequence swallow no more than its own line", () => {
    expect(safeLines(`a${ESC}Pnever ended\nb${ESC}]2;t\x07c\nd`)).toEqual(["anever ended", "bc", "d"]);
  });
});

describe("safeSgrLines", () => {
  const cases: [what: string, from: string, to: string[]][] = [
    ["colours in one canonical form", `${ESC}[01;31mx${ESC}[m y`, [`${ESC}[1;31mx${ESC}[0m y`]],
    [
      "colours that go on over lines, each line on its own",
      `${ESC}[32ma\nb${ESC}[0m\nc`,
      [`${ESC}[32ma${ESC}[0m`, `${ESC}[32mb${ESC}[0m`, "c"],
    ],
    ["palette and true colours", `${ESC}[38;5;208;48;2;1;2;3mx`, [`${ESC}[38;5;208;48;2;1;2;3mx${ESC}[0m`]],
    ["nothing hidden or blinking", `${ESC}[5;8;1mx`, [`${ESC}[1mx${ESC}[0m`]],
    ["no broken colours", `${ESC}[38;2;300;0;0mx${ESC}[38;9;1my`, ["xy"]],
    ["no private or marked sequences that end like colours", `${ESC}[?1m${ESC}[>4;2m${ESC}[1$mx`, ["x"]],
    ["8-bit colours as 7-bit ones", "\x9b31mx", [`${ESC}[31mx${ESC}[0m`]],
    ["no colours without text", `${ESC}[31m${ESC}[0m`, [""]],
    ["the colours of what finally shows", `${ESC}[31mab\r${ESC}[32mx`, [`${ESC}[32mx${ESC}[31mb${ESC}[0m`]],
  ];
  test.each(cases)("gives %s", (_what, from, to) => {
    expect(safeSgrLines(from)).toEqual(to);
  });

  test("follows no more colour changes in a line than its maximum", () => {
    const [row = ""] = safeSgrLines(`${ESC}[31ma${ESC}[32mb`.repeat(STYLE_CHANGES_PER_LINE_MAX));
    expect(row.split("\x1b").length - 1).toBeLessThanOrEqual(STYLE_CHANGES_PER_LINE_MAX + 1);
    expect(plainText(row)).toBe("ab".repeat(STYLE_CHANGES_PER_LINE_MAX));
  });

  test("shows the same text as safeLines", () => {
    for (const { name, text } of attacks) {
      expect(safeSgrLines(text).map(plainText), name).toEqual(safeLines(text));
    }
  });
});

describe("safeReveal", () => {
  const cases: [what: string, from: string, to: string][] = [
    ["plain text as it is", "rm -rf ./build", "rm -rf ./build"],
    ["letters of any script as they are", "naïve 日本 привет שלום", "naïve 日本 привет שלום"],
    ["bidi controls", "a\u202eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"],
    ["zero-width characters", "a\u200bb\u2060\ufeff\u00ad", "a⟨U+200B⟩b⟨U+2060⟩⟨U+FEFF⟩⟨U+00AD⟩"],
    ["spaces that are none", "rm\u00a0x\u2003y\u3000z\u2800", "rm⟨U+00A0⟩x⟨U+2003⟩y⟨U+3000⟩z⟨U+2800⟩"],
    ["control characters", `a${ESC}[2J\x07\x9b`, "a⟨U+001B⟩[2J⟨U+0007⟩⟨U+009B⟩"],
    ["line breaks", "a\nb\r\nc\u2028", "a⟨U+000A⟩b⟨U+000D⟩⟨U+000A⟩c⟨U+2028⟩"],
    ["tabs as arrows up to the next stop", "ab\tc", "ab⇥     c"],
    ["tags", "x\u{e0061}", "x⟨U+E0061⟩"],
    ["fillers", "a\u3164\u115f", "a⟨U+3164⟩⟨U+115F⟩"],
    ["lone surrogates", "a\ud800", "a⟨U+D800⟩"],
    ["emoji as they are", "👩‍👩‍👧‍👦 ❤️ 1️⃣ 🇩🇪", "👩‍👩‍👧‍👦 ❤️ 1️⃣ 🇩🇪"],
    ["joiners that join no emoji", "a\u200db", "a⟨U+200D⟩b"],
    ["selectors that select nothing", "a\ufe0f", "a⟨U+FE0F⟩"],
  ];
  test.each(cases)("shows %s", (_what, from, to) => {
    expect(safeReveal(from)).toBe(to);
  });

  test("spells out what a tower of marks piles up beyond the maximum", () => {
    const shown = safeReveal(`a${"\u0353".repeat(CLUSTER_UNITS_MAX + 1)}`);
    expect(shown).toBe(`a${"\u0353".repeat(CLUSTER_UNITS_MAX - 1)}⟨U+0353⟩⟨U+0353⟩`);
  });

  test("loses nothing: two different texts never look the same, unless one spells an escape", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 }).filter((each) => !/[⟨⇥ ]/.test(each));
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        expect(safeReveal(one)).not.toBe(safeReveal(other));
      }),
    );
  });
});

test("no gate lets a cluster grow beyond its maximum", () => {
  const towers = attacks.filter(({ name }) => /tower|endless|selectors/.test(name));
  expect(towers.length).toBeGreaterThan(4);
  for (const { name, text } of towers) {
    for (const row of [safeLine(text), ...safeLines(text), ...safeSgrLines(text), safeReveal(text)]) {
      const longest = Math.max(...graphemes(plainText(row)).map((cluster) => cluster.length));
      expect(longest, name).toBeLessThanOrEqual(CLUSTER_UNITS_MAX);
    }
  }
});

test("what is safe stays the same when it is made safe again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const once = safeLine(text);
      expect(safeLine(once)).toBe(once);
      const rows = safeSgrLines(text);
      expect(rows.flatMap((row) => (row === "" ? [""] : safeSgrLines(row)))).toEqual(rows);
    }),
    { numRuns: 1000 },
  );
});

test("every character is shown as it is where something else in the line needs a closer look", () => {
  const differing: string[] = [];
  for (let unit = 0x20; unit <= 0xffff; unit++) {
    const text = `${String.fromCharCode(unit)} a`;
    if (safeLine(text) !== safeLine(`${text}${ESC}[m`)) differing.push(unit.toString(16));
  }
  expect(differing).toEqual([]);
});
