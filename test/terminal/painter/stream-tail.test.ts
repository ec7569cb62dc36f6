// Text that arrives in pieces, as rows of the open line and as finished lines.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StreamTail } from "../../../src/terminal/painter/stream-tail.js";
import { rowWidth } from "../../../src/text/row.js";
import { wrapRow } from "../../../src/text/wrap.js";

describe("a streaming tail", () => {
  test("gives finished lines away and shows the open one wrapped", () => {
    const tail = new StreamTail();
    expect(tail.append("one\ntwo and")).toEqual(["one"]);
    expect(tail.append(" a half")).toEqual([]);
    expect(tail.rows(8)).toEqual(["two and ", "a half"]);
    expect(tail.append("\n\nx")).toEqual(["two and a half", ""]);
    expect(tail.rows(8)).toEqual(["x"]);
    expect(tail.finish()).toEqual(["x"]);
    expect(tail.rows(8)).toEqual([]);
    expect(tail.finish()).toEqual([]);
  });

  test("wraps in pieces exactly as it would at once, at any width and any change of it", () => {
    const text = fc.array(fc.constantFrom("ab", " ", "漢", "e\u0301", "🚀", "👨‍👩‍👧", "c"), { maxLength: 60 });
    const steps = fc.array(fc.record({ pieces: text, columns: fc.integer({ min: 2, max: 30 }) }), { maxLength: 8 });
    const property = fc.property(steps, (all) => {
      const tail = new StreamTail();
      let whole = "";
      for (const { pieces, columns } of all) {
        for (const piece of pieces) {
          tail.append(piece);
          whole += piece;
          const rows = tail.rows(columns);
          expect(rows.join("")).toBe(whole);
          expect(Math.max(0, ...rows.map(rowWidth))).toBeLessThanOrEqual(columns);
        }
        if (whole !== "") expect(tail.rows(columns)).toEqual(wrapRow(whole, columns, { at: "cells" }));
      }
    });
    fc.assert(property, { numRuns: 60 });
  });
});
