// When the product counts as worse than plain printing, and what the table looks like.
import { describe, expect, test } from "vitest";
import { isWorse, mayBeChance, type Row, tableHead, tableLine } from "../../src/testing/terminals/comparison.js";
import type { Faults } from "../../src/testing/terminals/verdict.js";

const NONE: Faults = { lost: 0, doubled: 0, mangled: 0, ghost: 0, blank: 0, shellLost: 0, order: 0 };

describe("the product beside plain printing", () => {
  test.each(Object.keys(NONE))("is worse by a single fault of %s where plain printing has none at all", (name) => {
    expect(isWorse({ ...NONE, [name]: 1 }, [NONE])).toBe(true);
  });

  test("is not worse without a fault", () => {
    expect(isWorse(NONE, [NONE])).toBe(false);
    expect(isWorse(NONE, [{ ...NONE, lost: 9 }])).toBe(false);
  });

  test("may damage as many lines as the worst run of plain printing, and not one more", () => {
    const plain = [{ ...NONE, lost: 2 }, { ...NONE, lost: 3, mangled: 2 }, NONE];
    expect(isWorse({ ...NONE, lost: 5 }, plain)).toBe(false);
    expect(isWorse({ ...NONE, lost: 6 }, plain)).toBe(true);
  });

  test("is tried again only where the terminal damages plain text, and never for a ghost", () => {
    expect(mayBeChance({ ...NONE, lost: 1 }, [NONE])).toBe(false);
    expect(mayBeChance({ ...NONE, lost: 3 }, [{ ...NONE, mangled: 1 }])).toBe(true);
    expect(mayBeChance({ ...NONE, lost: 3, ghost: 1 }, [{ ...NONE, mangled: 1 }])).toBe(false);
  });

  test("is worse by a ghost even there, while a gap is one damage more", () => {
    expect(isWorse({ ...NONE, ghost: 1 }, [{ ...NONE, mangled: 100 }])).toBe(true);
    expect(isWorse({ ...NONE, blank: 1 }, [{ ...NONE, mangled: 100 }])).toBe(false);
    expect(isWorse({ ...NONE, mangled: 100, blank: 1 }, [{ ...NONE, mangled: 100 }])).toBe(true);
  });

  test("stands in a table with a line for each", () => {
    const row: Row = { terminal: "kitty", variant: "burst", seed: 2, mode: "inline", resizes: 50, faults: NONE };
    expect([tableHead(), tableLine(row)]).toEqual([
      "terminal   variant     seed  mode    resizes  lost  doubled  mangled  ghost  blank  shellLost  order",
      "kitty      burst          2  inline       50     0        0        0      0      0          0      0",
    ]);
  });
});
