// Which items of a long list are drawn, and where they stand.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Heights } from "../../src/page/state/heights.js";

const named = (count: number, letter = "b") => Array.from({ length: count }, (_, at) => ({ id: `${letter}${at}` }));

describe("the heights of a transcript", () => {
  test("show the items around what is in sight, and room for the others", () => {
    const heights = new Heights(() => 10);
    heights.setItems(named(100));
    expect(heights.window(500, 100, 50)).toEqual({ from: 45, to: 66, beforePx: 450, afterPx: 340 });
  });

  test("an empty list has no window", () => {
    expect(new Heights(() => 10).window(0, 100, 50)).toEqual({ from: 0, to: 0, beforePx: 0, afterPx: 0 });
  });

  test("of items that are gone are forgotten, and those of the others are not", () => {
    const heights = new Heights(() => 10);
    heights.setItems(named(3_000));
    for (let at = 0; at < 3_000; at++) heights.measure(at, 20);
    const kept = named(3_000).slice(-100);
    heights.setItems(kept);
    expect(heights.totalPx).toBe(2_000);
    heights.setItems(named(3_000));
    expect(heights.totalPx).toBe(100 * 20 + 2_900 * 10);
  });

  test("are what was measured, also after items came before or behind", () => {
    const size = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 40 }), fc.array(size, { maxLength: 40 }), (before, behind) => {
        const heights = new Heights(() => 7);
        const items = named(behind.length);
        heights.setItems(items);
        behind.forEach((px, at) => {
          expect(heights.measure(at, px)).toBe(px !== 7);
          expect(heights.measure(at, px)).toBe(false);
        });
        heights.setItems([...named(before.length, "a"), ...items]);
        const all = [...before.map(() => 7), ...behind];
        expect(heights.totalPx).toBe(all.reduce((sum, px) => sum + px, 0));
        all.forEach((px, at) => {
          expect(heights.indexAt(heights.topOf(at) + px - 1)).toBe(at);
        });
      }),
    );
  });
});
