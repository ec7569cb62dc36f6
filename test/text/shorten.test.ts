// Shortened text fits, and says that something is missing.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText, rowWidth } from "../../src/text/row.js";
import { shortenEnd, shortenMiddle } from "../../src/text/shorten.js";
import { styledRow } from "./styled-rows.js";

describe("shortenEnd", () => {
  const cases: [text: string, width: number, short: string][] = [
    ["hello", 5, "hello"],
    ["hello world", 8, "hello w…"],
    ["hello world", 7, "hello…"],
    ["日本語", 4, "日…"],
    ["日本語", 5, "日本…"],
    ["hello", 1, "…"],
    ["hello", 0, ""],
    ["\x1b[1mhello\x1b[0m", 3, "\x1b[1mhe\x1b[0m…"],
  ];
  test.each(cases)("%j in %i cells is %j", (text, width, short) => {
    expect(shortenEnd(text, width)).toBe(short);
  });
});

describe("shortenMiddle", () => {
  const cases: [text: string, width: number, short: string][] = [
    ["src/a.ts", 8, "src/a.ts"],
    ["src/deeply/nested/folder/file.ts", 16, "src/dee…/file.ts"],
    ["src/very-long-file-name.ts", 12, "src/v…ame.ts"],
    ["src/a/b/c/d/e/", 9, "src/…d/e/"],
    ["abcdefghij", 5, "ab…ij"],
    ["abcdefghij", 1, "…"],
    ["abcdefghij", 0, ""],
  ];
  test.each(cases)("%j in %i cells is %j", (text, width, short) => {
    expect(shortenMiddle(text, width)).toBe(short);
  });
});

test.each([
  ["the end", shortenEnd],
  ["the middle", shortenMiddle],
] as const)("without %s, a row fits, and one that fitted is not touched", (_what, shorten) => {
  fc.assert(
    fc.property(styledRow, fc.nat(30), (row, width) => {
      const short = shorten(row, width);
      expect(rowWidth(short)).toBeLessThanOrEqual(width);
      if (rowWidth(row) <= width && width > 0) expect(short).toBe(row);
      else expect(width === 0 || plainText(short).includes("…")).toBe(true);
    }),
  );
});
