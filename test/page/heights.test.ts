// Which items of a long list are drawn, and where they stand.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Heights } from "../../src/page/state/heights.js";

const named = (count: number) => Array.from({ length: count }, (_, at) => `b${at}`);

describe("the heights of a transcript", () => {
  test("show the items around what is in sight, and room for the others", () => {
    const heights = new Heights();
    heights.setItems(named(100), () => 10);
    expect(heights.window(500, 100, 50)).toEqual({ from: 45, to: 66, beforePx: 450, afterPx: 340 });
  });

  test("an empty list has no window", () => {
    expect(new Heights().window(0, 100, 50)).toEqual({ from: 0, to: 0, beforePx: 0, afterPx: 0 });
  });

  test("are what was measured, also after items came before or behind", () => {
    const size = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 40 }), fc.array(size, { maxLength: 40 }), (before, behind) => {
        const heights = new Heights();
        const ids = behind.map((_, at) => `b${at}`);
        heights.setItems(ids, () => 7);
        behind.forEach((px, at) => {
          heights.measure(`b${at}`, px);
        });
        heights.setItems([...before.map((_, at) => `a${at}`), ...ids], () => 7);
        const all = [...before.map(() => 7), ...behind];
        expect(heights.totalPx).toBe(all.reduce((sum, px) => sum + px, 0));
        all.forEach((px, at) => {
          expect(heights.indexAt(heights.topOf(at) + px - 1)).toBe(at);
        });
      }),
    );
  });
});
