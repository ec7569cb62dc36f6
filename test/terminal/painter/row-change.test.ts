// The smallest piece of a row that has to be written again.
import { describe, expect, test } from "vitest";
import { rowChange } from "../../../src/terminal/painter/row-change.js";

describe("the change of a row", () => {
  test.each([
    ["letters at the end", "the sep", "the separator", { column: 7, body: "arator", leftoverCells: 0 }],
    [
      "one digit in the middle",
      "run  12 s · 4 lines",
      "run  13 s · 4 lines",
      { column: 6, body: "3", leftoverCells: 0 },
    ],
    ["a letter less", "hello", "hell", { column: 4, body: "", leftoverCells: 1 }],
    ["another length in the middle", "run 9 s", "run 10 s", { column: 4, body: "10 s", leftoverCells: 0 }],
    ["wide characters", "漢字", "漢字日", { column: 4, body: "日", leftoverCells: 0 }],
    ["everything", "abc", "xyz", { column: 0, body: "xyz", leftoverCells: 0 }],
    ["nothing left", "abc", "", { column: 0, body: "", leftoverCells: 3 }],
  ])("is only what differs: %s", (_, before, after, expected) => {
    expect(rowChange(before, after)).toMatchObject(expected);
  });

  test("takes up the style in the middle of a coloured row and ends plain", () => {
    const change = rowChange("\x1b[36mrun 12 s\x1b[0m", "\x1b[36mrun 13 s\x1b[0m");
    expect(change).toMatchObject({ column: 5, body: "\x1b[36m3\x1b[m" });
  });

  test("begins before a colour that changed, never inside of its sequence", () => {
    const change = rowChange("ab \x1b[31mword\x1b[0m", "ab \x1b[32mword\x1b[0m");
    expect(change).toMatchObject({ column: 3, body: "\x1b[32mword\x1b[0m" });
  });

  test("takes up the link in the middle of a linked row and closes it", () => {
    const open = "\x1b]8;;https://a.b\x1b\\";
    const close = "\x1b]8;;\x1b\\";
    const change = rowChange(`${open}page 1${close}`, `${open}page 2${close}`);
    expect(change).toMatchObject({ column: 5, body: `${open}2${close}` });
  });

  test("never begins inside of a link's address or its end", () => {
    const link = (uri: string) => `see \x1b]8;;${uri}\x1b\\here\x1b]8;;\x1b\\`;
    expect(rowChange(link("https://a.b/1"), link("https://a.b/2"))).toMatchObject({
      column: 4,
      body: link("https://a.b/2").slice(4),
    });
    expect(rowChange(link("https://a.b/1").slice(0, 18), link("https://a.b/1"))).toMatchObject({ column: 4 });
  });

  test("begins before a cluster that grew, so that marks stay with their letter", () => {
    expect(rowChange("cafe", "cafe\u0301")).toMatchObject({ column: 3, body: "e\u0301" });
    expect(rowChange("👨", "👨‍👩‍👧")).toMatchObject({ column: 0, body: "👨‍👩‍👧" });
  });
});
