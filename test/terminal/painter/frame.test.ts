// What is kept of a live area that does not fit.
import { describe, expect, test } from "vitest";
import { fitFrame, liveRowsMax } from "../../../src/terminal/painter/frame.js";

describe("a frame on a screen", () => {
  test("that is too low keeps its last rows, and the cursor moves with them", () => {
    const frame = { rows: ["one", "two", "› hello", "status"], cursor: { row: 2, column: 7 } };
    expect(fitFrame(frame, { columns: 20, rows: 4 })).toEqual({
      rows: ["two", "› hello", "status"],
      cursor: { row: 1, column: 7 },
    });
  });

  test("loses its cursor with the row it was on", () => {
    const frame = { rows: ["› hello", "two", "three"], cursor: { row: 0, column: 7 } };
    expect(fitFrame(frame, { columns: 20, rows: 3 })).toEqual({ rows: ["two", "three"], cursor: null });
  });

  test("that is too narrow is clipped before the last column, wide characters and styles included", () => {
    const frame = { rows: ["\x1b[1m漢字漢字\x1b[0m"], cursor: null };
    expect(fitFrame(frame, { columns: 8, rows: 10 }).rows).toEqual(["\x1b[1m漢字漢\x1b[0m "]);
  });

  test("has at least one row", () => {
    expect(fitFrame({ rows: [], cursor: null }, { columns: 10, rows: 3 })).toEqual({ rows: [""], cursor: null });
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [8, 7],
    [9, 7],
    [10, 8],
    [12, 8],
    [15, 10],
    [30, 20],
    [120, 80],
  ])("of %i rows gives the live area at most %i", (rows, most) => {
    expect(liveRowsMax({ columns: 80, rows })).toBe(most);
  });
});
