// Counting rows of lines that nobody remembers any more.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countedWidth, emptyTally, rowsOfLine, tallied, tallyAt } from "../../../src/terminal/painter/row-tally.js";

describe("the tally of rows", () => {
  test("is the same whether the lines were counted at this width or at another", () => {
    const widths = fc.array(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 20 }), { maxLength: 6 });
    const columns = fc.integer({ min: 1, max: 400 });
    const property = fc.property(widths, columns, columns, (blocks, first, second) => {
      const counted = blocks.reduce((tally, block) => tallied(tally, block), emptyTally(first));
      const expected = blocks.flat().reduce((sum, width) => sum + rowsOfLine(Math.min(width, 4096), second), 0);
      expect(tallyAt(counted, second)).toMatchObject({ lines: blocks.flat().length, rows: expected });
    });
    fc.assert(property);
  });

  test.each([
    ["plain", 5],
    ["", 0],
    ["\x1b[1mbold\x1b[0m", 4],
    ["漢字", 4],
    ["🚀", 2],
  ])("counts %j as %i cells", (line, cells) => {
    expect(countedWidth(line)).toBe(cells);
  });
});
