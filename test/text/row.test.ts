// Rows as tokens and as cells.

import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linkBytes, plainText, rowWidth, sliceRow, tokens } from "../../src/text/row.js";
import { clusterWidth, graphemes, textWidth } from "../../src/text/width.js";
import { everyClusterHasABase, safeText, styledRow } from "./styled-rows.js";

const red = "\x1b[31m";
const plain = "\x1b[0m";

describe("tokens", () => {
  test("are text, styles and links", () => {
    expect(tokens(`a${red}b${linkBytes("https://x.example/", "1")}c`)).toEqual([
      { kind: "text", text: "a" },
      { kind: "sgr", params: "31" },
      { kind: "text", text: "b" },
      { kind: "link", uri: "https://x.example/", id: "1" },
      { kind: "text", text: "c" },
    ]);
  });

  test("leave out the cursor marker of a hosted component", () => {
    expect(tokens("ab\x1b_pi:c\x07cd")).toEqual([{ kind: "text", text: "abcd" }]);
    expect(rowWidth("ab\x1b_pi:c\x07cd")).toBe(4);
  });

  test("have the text of the row", () => {
    fc.assert(
      fc.property(styledRow, (row) => {
        const found = tokens(row);
        expect(found.map((token) => (token.kind === "text" ? token.text : "")).join("")).toBe(plainText(row));
      }),
    );
  });
});

describe("a link", () => {
  test("cannot end its own sequence", () => {
    expect(linkBytes("https://x/\x1b\\\x07é y", "a;b")).toBe("\x1b]8;id=a_b;https://x/%1B\\%07%C3%A9%20y\x1b\\");
  });

  test("that is too long is none", () => {
    expect(linkBytes(`https://x/${"a".repeat(3000)}`)).toBe(linkBytes(""));
  });
});

test("the width of a row is the width of its text, and pi-tui sees the same", () => {
  fc.assert(
    fc.property(styledRow, (row) => {
      expect(rowWidth(row)).toBe(textWidth(plainText(row)));
      fc.pre(everyClusterHasABase(plainText(row)));
      expect(rowWidth(row)).toBe(visibleWidth(row));
    }),
  );
});

describe("sliceRow", () => {
  const cases: [what: string, row: string, from: number, to: number, slice: string][] = [
    ["plain text", "hello", 1, 3, "el"],
    ["beyond the end", "hello", 3, 99, "lo"],
    ["nothing", "hello", 7, 9, ""],
    ["an empty range", "hello", 3, 3, ""],
    ["a style that began before", `${red}hello${plain}`, 1, 3, `${red}el${plain}`],
    ["a style that is never closed", `a${red}bc`, 0, 2, `a${red}b${plain}`],
    ["no style that has no text here", `a${red}b${plain}c`, 0, 1, "a"],
    ["a link", `${linkBytes("u:v")}ab`, 1, 2, `${linkBytes("u:v")}b${linkBytes("")}`],
    ["a wide character cut at the right", "a日b", 0, 2, "a "],
    ["a wide character cut at the left", "a日b", 2, 4, " b"],
    ["a wide character cut at both sides", "日日", 1, 3, "  "],
    ["marks with their letter", "e\u0301a\u0301", 0, 1, "e\u0301"],
    ["marks not without their letter", "e\u0301a\u0301", 1, 2, "a\u0301"],
    ["marks with their letter, even in another style", `e${red}\u0301a`, 0, 1, `e${red}\u0301${plain}`],
  ];
  test.each(cases)("gives %s", (_what, row, from, to, slice) => {
    expect(sliceRow(row, from, to)).toBe(slice);
  });

  test("cuts a row into two that make the row, wherever no wide character is cut", () => {
    fc.assert(
      fc.property(styledRow, fc.nat(40), (row, cell) => {
        fc.pre(isBoundary(plainText(row), cell));
        const left = sliceRow(row, 0, cell);
        const right = sliceRow(row, cell, Number.POSITIVE_INFINITY);
        expect(plainText(left) + plainText(right)).toBe(plainText(row));
      }),
      { numRuns: 1000 },
    );
  });

  test("is exactly as wide as asked, while the row reaches that far", () => {
    fc.assert(
      fc.property(styledRow, fc.nat(30), fc.nat(30), (row, from, cells) => {
        const expected = Math.max(0, Math.min(cells, rowWidth(row) - from));
        expect(rowWidth(sliceRow(row, from, from + cells))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test("shows each cell in the style it had in the row", () => {
    fc.assert(
      fc.property(styledRow, fc.nat(20), fc.integer({ min: 1, max: 20 }), (row, from, cells) => {
        fc.pre(isBoundary(plainText(row), from) && isBoundary(plainText(row), from + cells));
        const whole = sliceRow(row, 0, Number.POSITIVE_INFINITY);
        const again = sliceRow(sliceRow(row, from, Number.POSITIVE_INFINITY), 0, cells);
        expect(sliceRow(whole, from, from + cells)).toBe(again);
      }),
      { numRuns: 1000 },
    );
  });

  test("of plain text is plain text", () => {
    fc.assert(
      fc.property(safeText, fc.nat(20), fc.nat(20), (text, from, cells) => {
        expect(sliceRow(text, from, from + cells)).not.toContain("\x1b");
      }),
    );
  });
});

function isBoundary(text: string, cell: number): boolean {
  let at = 0;
  for (const cluster of graphemes(text)) {
    if (at >= cell) break;
    at += clusterWidth(cluster);
  }
  return at <= cell;
}
