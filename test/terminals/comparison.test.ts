// When the product counts as worse than plain printing, and what the table looks like.
import { describe, expect, test } from "vitest";
import { type Pair, type Row, tableHead, tableLine, worseThanPlain } from "../../tools/terminals/comparison.js";
import type { Faults } from "../../tools/terminals/verdict.js";

const NONE: Faults = { lost: 0, doubled: 0, mangled: 0, ghost: 0, blank: 0, shellLost: 0, order: 0 };

const session = (inline: Partial<Faults>, plain: Partial<Faults> = {}): Pair => {
  return { name: "a session", inline: { ...NONE, ...inline }, plain: { ...NONE, ...plain } };
};

describe("the product beside plain printing", () => {
  test.each(Object.keys(NONE))("is worse by a single fault of %s where plain printing has none at all", (name) => {
    expect(worseThanPlain([session({}), session({ [name]: 1 })])).toHaveLength(1);
  });

  test("is not worse without a fault", () => {
    expect(worseThanPlain([session({}), session({})])).toEqual([]);
    expect(worseThanPlain([session({}, { lost: 9 })])).toEqual([]);
  });

  test("may damage as many lines in all as plain printing where the terminal damages that, and not one more", () => {
    const plain = [session({ lost: 2 }), session({ lost: 1 }, { lost: 3, mangled: 2 })];
    expect(worseThanPlain([...plain, session({ doubled: 2 })])).toEqual([]);
    expect(worseThanPlain([...plain, session({ doubled: 3 })])).toEqual([
      "a session, a session, a session: 6 damages in all, 5 with plain printing",
    ]);
  });

  test("may not damage more of the shell's lines even where it damages less in all", () => {
    expect(worseThanPlain([session({ shellLost: 2 }, { mangled: 9, shellLost: 2 })])).toEqual([]);
    expect(worseThanPlain([session({ shellLost: 3 }, { mangled: 9, shellLost: 2 })])).toEqual([
      "a session: 3 of the shell's lines damaged in all, 2 with plain printing",
    ]);
  });

  test("is worse by a ghost even there, while a gap is one damage more", () => {
    expect(worseThanPlain([session({ ghost: 1 }, { mangled: 100 })])).toEqual([
      "a session: leaves rows of its live area behind",
    ]);
    expect(worseThanPlain([session({ blank: 1 }, { mangled: 100 })])).toEqual([]);
    expect(worseThanPlain([session({ mangled: 100, blank: 1 }, { mangled: 100 })])).toHaveLength(1);
  });

  test("stands in a table with a line for each", () => {
    const row: Row = { terminal: "kitty", variant: "burst", seed: 2, mode: "inline", resizes: 50, faults: NONE };
    expect([tableHead(), tableLine(row)]).toEqual([
      "terminal   variant     seed  mode    resizes  lost  doubled  mangled  ghost  blank  shellLost  order",
      "kitty      burst          2  inline       50     0        0        0      0      0          0      0",
    ]);
  });
});
