// The judge of the renderer benchmark must see every kind of damage, or a renderer that loses lines would look fine.
import { describe, expect, test } from "vitest";
import { type Fault, judge, shellHistory } from "../../bench/renderers/judge.mjs";

const CHROME = { status: 1, borders: 2 };
const STATUS = "  §STATUS§ model-x";
const BORDER = "─".repeat(40);
const LINES = ["L000001: the first line", "L000002: the second, which is long", "L000003: the third"];
const [FIRST = "", SECOND = "", THIRD = ""] = LINES;

function screen(...transcript: string[]): string[] {
  return [...shellHistory(), ...transcript, STATUS, BORDER, "> ", BORDER];
}

function faultsIn(rows: readonly string[], expected: readonly string[] = LINES): Partial<Record<Fault, number>> {
  return Object.fromEntries(Object.entries(judge(rows, expected, CHROME)).filter(([, count]) => count > 0));
}

describe("the judge of the renderer benchmark", () => {
  test("finds nothing wrong with a transcript that is whole, however its rows break", () => {
    expect(faultsIn(screen(...LINES))).toEqual({});
    expect(faultsIn(screen(FIRST, "L000002: the second,   ", "  which is long", THIRD))).toEqual({});
  });

  test.each<[string, string[], Partial<Record<Fault, number>>]>([
    ["a line that is gone", screen(FIRST, THIRD), { lost: 1 }],
    ["a line that is there three times", screen(FIRST, SECOND, SECOND, SECOND, THIRD), { doubled: 2 }],
    ["a line without its middle", screen(FIRST, "L000002: the se which is long", THIRD), { mangled: 1 }],
    [
      "a line with a row of the live area in it",
      screen(FIRST, "L000002: the second,", "> ", "which is long", THIRD),
      { mangled: 1 },
    ],
    ["lines in the wrong order", screen(SECOND, FIRST, THIRD), { misordered: 1 }],
    ["an empty row between two lines", screen(FIRST, "   ", SECOND, THIRD), { blanks: 1 }],
    ["a status left behind", screen(FIRST, STATUS, SECOND, THIRD), { ghosts: 1 }],
    ["borders left behind", screen(FIRST, BORDER, BORDER, SECOND, THIRD), { ghosts: 2 }],
    ["a dialog left behind", screen(...LINES, "▌ §OVERLAY§ yes"), { ghosts: 1 }],
    ["shell history that was cleared", screen(...LINES).slice(40), { shellLost: 40 }],
  ])("sees %s", (_, rows, faults) => {
    expect(faultsIn(rows)).toEqual(faults);
  });

  test("does not take a whole copy beside a broken one for a mangled line", () => {
    expect(faultsIn(screen(FIRST, "L000002: the se", SECOND, THIRD))).toEqual({ doubled: 1 });
  });

  test("looks only for the id where nothing else is expected", () => {
    expect(faultsIn(screen("• L000001: is bold", "  const a = 'L000002:'"), ["L000001:", "L000002:"])).toEqual({});
  });

  test("does not ask for a line that was cut off before its id was complete", () => {
    expect(faultsIn(screen(...LINES, "L0000"), [...LINES, "L0000"])).toEqual({});
  });

  test("finds every line lost on an empty screen", () => {
    expect(faultsIn([])).toEqual({ lost: 3, shellLost: 40 });
  });
});
