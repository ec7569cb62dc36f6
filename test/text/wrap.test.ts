// Wrapping, by picture and by property.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linkBytes, plainText, rowWidth } from "../../src/text/row.js";
import { clusterWidth, graphemes } from "../../src/text/width.js";
import { wrapRow } from "../../src/text/wrap.js";
import { asciiText, safeText, styledRow } from "./styled-rows.js";

const red = "\x1b[31m";
const plain = "\x1b[0m";
const words = (text: string, width: number) => wrapRow(text, width, { at: "words" });
const cells = (text: string, width: number) => wrapRow(text, width, { at: "cells" });

describe("at words", () => {
  const cases: [what: string, text: string, width: number, rows: string[]][] = [
    ["nothing is one empty row", "", 10, [""]],
    ["what fits stays", "the quick", 9, ["the quick"]],
    ["words go to the next row", "the quick brown fox", 10, ["the quick", "brown fox"]],
    ["spaces at a break disappear", "the quick   brown", 10, ["the quick", "brown"]],
    ["spaces inside a row stay", "the  quick brown", 12, ["the  quick", "brown"]],
    ["an indent stays", "    indented text", 12, ["    indented", "text"]],
    ["a long word is broken where the row ends", "abcdefghij", 4, ["abcd", "efgh", "ij"]],
    ["a long word starts on its own row", "x abcdefghij", 4, ["x", "abcd", "efgh", "ij"]],
    ["spaces that hang over the end disappear", "abcd   ", 4, ["abcd"]],
    ["ideographs part anywhere", "日本語の文章", 5, ["日本", "語の", "文章"]],
    ["closing marks do not start a row", "日本語。文章", 6, ["日本", "語。文", "章"]],
    ["opening marks do not end a row", "日本「語」", 6, ["日本", "「語」"]],
    ["ideographs part from letters", "abc日本", 5, ["abc日", "本"]],
    ["a family is never split", "ab👩‍👩‍👧‍👦", 3, ["ab", "👩‍👩‍👧‍👦"]],
    ["marks stay with their letter", "abce\u0301e\u0301", 4, ["abce\u0301", "e\u0301"]],
    ["a wide character in a row of one cell is an ellipsis", "a日", 1, ["a", "…"]],
    ["no-break spaces do not break", "a b\u00a0c", 4, ["a", "b\u00a0c"]],
  ];
  test.each(cases)("%s", (_what, text, width, rows) => {
    expect(words(text, width)).toEqual(rows);
  });
});

test("at cells nothing disappears", () => {
  expect(cells("the quick  brown", 5)).toEqual(["the q", "uick ", " brow", "n"]);
  expect(cells("a日本", 2)).toEqual(["a", "日", "本"]);
});

test("rows after the first hang under the text of the first", () => {
  expect(wrapRow("- the quick brown fox", 12, { at: "words", hangingIndentCells: 2 })).toEqual([
    "- the quick",
    "  brown fox",
  ]);
});

test("an indent that leaves no room gives way", () => {
  expect(wrapRow("abc 日本", 3, { at: "words", hangingIndentCells: 20 })).toEqual(["abc", " 日", " 本"]);
});

test("every row carries its style and closes it", () => {
  expect(words(`${red}the quick${plain} brown`, 5)).toEqual([`${red}the${plain}`, `${red}quick${plain}`, "brown"]);
});

test("every row carries its link and closes it", () => {
  const link = linkBytes("https://x.example/");
  expect(words(`${link}the quick`, 5)).toEqual([`${link}the${linkBytes("")}`, `${link}quick${linkBytes("")}`]);
});

test("an indent is not part of a style", () => {
  const rows = wrapRow(`\x1b[4mthe quick${plain}`, 7, { at: "words", hangingIndentCells: 2 });
  expect(rows).toEqual([`\x1b[4mthe${plain}`, `  \x1b[4mquick${plain}`]);
});

describe("for any row and width", () => {
  const anyRow = fc.oneof(styledRow, safeText, asciiText);
  const anyWidth = fc.integer({ min: 2, max: 40 });

  test("no row is wider than asked", () => {
    fc.assert(
      fc.property(
        anyRow,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(10),
        fc.constantFrom("words", "cells"),
        (row, width, indent, at) => {
          for (const each of wrapRow(row, width, { at, hangingIndentCells: indent })) {
            expect(rowWidth(each)).toBeLessThanOrEqual(width);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("nothing is lost, but for spaces at breaks", () => {
    fc.assert(
      fc.property(anyRow, anyWidth, (row, width) => {
        expect(cells(row, width).map(plainText).join("")).toBe(plainText(row));
        const spaceless = (text: string) => text.replaceAll(" ", "");
        expect(spaceless(words(row, width).map(plainText).join(""))).toBe(spaceless(plainText(row)));
        expect(leftOut(plainText(row), words(row, width).map(plainText))).toMatch(/^ *$/);
      }),
      { numRuns: 1000 },
    );
  });

  test("a row holds as much as fits", () => {
    fc.assert(
      fc.property(anyRow, anyWidth, (row, width) => {
        const rows = cells(row, width);
        for (const [index, next] of rows.slice(1).entries()) {
          const first = graphemes(plainText(next)).find((cluster) => clusterWidth(cluster) > 0) ?? "";
          expect(rowWidth(rows[index] ?? "") + clusterWidth(first)).toBeGreaterThan(width);
        }
      }),
    );
  });

  test("no row starts with a character without a cell", () => {
    fc.assert(
      fc.property(anyRow, anyWidth, (row, width) => {
        for (const each of [...words(row, width), ...cells(row, width)].slice(1)) {
          const text = plainText(each);
          if (text === "" || plainText(row).startsWith(text)) continue;
          expect(clusterWidth(graphemes(text)[0] ?? "x")).toBeGreaterThan(0);
        }
      }),
    );
  });

  test("each row is complete in itself: wrapping it again changes nothing", () => {
    fc.assert(
      fc.property(styledRow, anyWidth, (row, width) => {
        for (const each of words(row, width)) expect(words(each, width)).toEqual([each]);
      }),
    );
  });

  test("the quick way for narrow text breaks where the careful way does", () => {
    fc.assert(
      fc.property(asciiText, anyWidth, fc.nat(6), fc.constantFrom("words", "cells"), (text, width, indent, at) => {
        const options = { at, hangingIndentCells: indent };
        const careful = wrapRow(text.replaceAll("e", "e\u0301"), width, options);
        expect(wrapRow(text, width, options)).toEqual(careful.map((row) => row.replaceAll("\u0301", "")));
      }),
      { numRuns: 1000 },
    );
  });
});

// Finds the rows in the text one after the other and returns what lies between them.
function leftOut(text: string, rows: readonly string[]): string {
  let rest = "";
  let at = 0;
  for (const row of rows) {
    const found = text.indexOf(row, at);
    if (found < 0) return `row not found: ${row}`;
    rest += text.slice(at, found);
    at = found + row.length;
  }
  return rest + text.slice(at);
}
