// A remembered width must be the measured one, in whatever order rows grow, shrink and return.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growingWidth } from "../../../src/terminal/painter/frame.js";
import { rowWidth } from "../../../src/text/row.js";

describe("the width of a growing row", () => {
  test("is the width of the row", () => {
    const piece = fc.constantFrom(
      "a",
      "bc ",
      "漢",
      "e\u0301",
      "\u0301",
      "🚀",
      "\u200d",
      "👧",
      "\x1b[1m",
      "\x1b[0m",
      "[1m",
    );
    const step = fc.record({ row: fc.nat({ max: 5 }), piece, keep: fc.boolean() });
    const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const rows = ["", "", "", "", "", ""];
      for (const { row, piece: added, keep } of steps) {
        rows[row] = (keep ? (rows[row] ?? "") : "") + added;
        for (const text of rows) expect(growingWidth(text)).toBe(rowWidth(text));
      }
    });
    fc.assert(property, { numRuns: 150 });
  });
});
