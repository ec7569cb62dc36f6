// The judge of the real terminals: each kind of damage is counted as what it is, and an undamaged scrollback as none.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { disguised } from "../../tools/terminals/live-disguise.js";
import { type Expectation, type Faults, judge } from "../../tools/terminals/verdict.js";

const NONE: Faults = { lost: 0, doubled: 0, mangled: 0, ghost: 0, blank: 0, shellLost: 0, order: 0 };

const expected: Expectation = {
  shell: ["$000: some files :000$", "$001: more files :001$"],
  lines: ["T0000:one two three:0000E", "T0001:漢字🚀 and more:0001E", "T0002:five six:0002E"],
  heads: ["T0000:", "T0001:", "T0002:"],
  ends: [":0000E", ":0001E", ":0002E"],
  endMark: "THE-END",
};
const intact = [...expected.shell, ...expected.lines, expected.endMark];

function faultsOf(rows: readonly string[]): Faults {
  return judge(rows, expected).faults;
}

function replaced(at: number, ...rows: string[]): string[] {
  return [...intact.slice(0, at), ...rows, ...intact.slice(at + 1)];
}

describe("the verdict on a scrollback", () => {
  test("finds nothing wrong where everything is there once", () => {
    expect(judge(intact, expected)).toEqual({ faults: NONE, details: [], isComplete: true });
  });

  test("does not mind where rows end or how they are padded", () => {
    const property = fc.property(fc.integer({ min: 12, max: 60 }), fc.nat(3), (width, padding) => {
      const rows = intact.flatMap((line) => wrapped(line, width)).map((row) => row + " ".repeat(padding));
      expect(faultsOf(rows)).toEqual(NONE);
    });
    fc.assert(property);
  });

  test("says when the end was not read", () => {
    expect(judge(intact.slice(0, -1), expected).isComplete).toBe(false);
  });

  test.each<[string, string[], Partial<Faults>]>([
    ["a line that is gone", replaced(3), { lost: 1 }],
    ["a line without its end", replaced(3, "T0001:漢字🚀 and"), { mangled: 1 }],
    ["a line without its head", replaced(3, "🚀 and more:0001E"), { mangled: 1 }],
    ["a line with something in it", replaced(3, "T0001:漢字🚀 a?nd more:0001E"), { mangled: 1 }],
    ["a line that is there twice", replaced(3, ...intact.slice(3, 4), ...intact.slice(3, 4)), { doubled: 1 }],
    [
      "a line that is there one and a half times",
      replaced(3, "T0001:漢字", "T0001:漢字🚀 and more:0001E"),
      { doubled: 1 },
    ],
    ["a middle part that is there twice", replaced(3, "T0001:漢字🚀 and more:0001E", "🚀 and"), { doubled: 1 }],
    [
      "two lines that changed places",
      [...intact.slice(0, 3), ...intact.slice(3, 5).reverse(), "THE-END"],
      { order: 1 },
    ],
    ["an empty row between lines", replaced(3, "", ...intact.slice(3, 4)), { blank: 1 }],
    ["a line of the shell that is gone", replaced(0), { shellLost: 1 }],
    ["a live row that stayed", replaced(3, ...intact.slice(3, 4), disguised("working 12 s")), { ghost: 1 }],
    ["a live bar alone", replaced(3, ...intact.slice(3, 4), "▌"), { ghost: 1 }],
    ["a live row inside a line", replaced(3, "T0001:漢字", disguised("tail 漢"), "🚀 and more:0001E"), { ghost: 1 }],
    [
      "live cells at the end of a row",
      replaced(3, `T0001:漢字🚀 and ${disguised("x")}more:0001E`),
      { ghost: 1, mangled: 1 },
    ],
  ])("counts %s", (_, rows, faults) => {
    expect(faultsOf(rows)).toEqual({ ...NONE, ...faults });
  });

  test("tells cells that the terminal itself has kept behind its edge from a live row that stayed", () => {
    const pad = " ".repeat(30);
    const kept = replaced(3, `T0001:漢字🚀 and more:0001E${pad}${disguised("xyz")}`);
    const judged = (rows: string[], keptCells: number, narrowestCells = 40) =>
      judge(rows, { ...expected, keptCells, narrowestCells }).faults;
    expect(judged(kept, 3)).toEqual({ ...NONE, mangled: 1 });
    expect(judged(kept, 2)).toEqual({ ...NONE, ghost: 1 });
    expect(judged(kept, 3, 80)).toEqual({ ...NONE, ghost: 1 });
    expect(judged(replaced(3, ...intact.slice(3, 4), disguised("xyz")), 3)).toEqual({ ...NONE, ghost: 1 });
  });

  test("does not count empty rows before the first line and after the end", () => {
    expect(faultsOf(["", ...intact, "", ""])).toEqual(NONE);
  });
});

function wrapped(line: string, width: number): string[] {
  const characters = Array.from(line);
  const rows: string[] = [];
  for (let at = 0; at < characters.length; at += width) rows.push(characters.slice(at, at + width).join(""));
  return rows;
}
