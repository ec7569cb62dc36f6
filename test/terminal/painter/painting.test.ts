// Painting step by step must show what one fresh paint would show: rows, styles and cursor, on every kind of terminal. And
// the bytes of a frame keep the rules that make resizing safe.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Frame, Size } from "../../../src/terminal/painter/frame.js";
import { type Painted, patch, unpainted } from "../../../src/terminal/painter/patch.js";
import { type Profile, profileFor } from "../../../src/terminal/painter/profile.js";
import { Emulator } from "../../rigs/emulator.js";
import { verifies } from "../../verifies.js";
import { GENERIC, XTERM_JS } from "./rig.js";

const SIZE: Size = { columns: 40, rows: 12 };
const KITTY: Profile = profileFor({ version: "kitty(0.26.5)" }, {});
const TMUX: Profile = profileFor({ version: "tmux 3.3a" }, {});

const piece = fc.constantFrom(
  "a",
  "bc ",
  "  ",
  "漢字",
  "é",
  "e\u0301",
  "🚀",
  "\x1b[1m",
  "\x1b[31m",
  "\x1b[48;5;22m",
  "\x1b[0m",
  "\x1b]8;;https://example.org\x1b\\",
  "\x1b]8;;\x1b\\",
);
const row = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
const frame: fc.Arbitrary<Frame> = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 6 }),
  cursor: fc.option(fc.record({ row: fc.integer({ min: 0, max: 5 }), column: fc.integer({ min: 0, max: 38 }) })),
});
const step = fc.record({ frame, settled: fc.array(row, { maxLength: 2 }) });
const startRow = fc.integer({ min: 0, max: 11 });

interface Seen {
  rows: string[];
  cells: string[];
  cursor: { row: number; column: number };
  isCursorShown: boolean;
}

// The picture from the first live row on; what is above it is the transcript.
function seen(emulator: Emulator, painted: Painted): Seen {
  const top = emulator.cursor().row - painted.rest.row;
  const rows = emulator
    .viewport()
    .slice(top, top + painted.rows.length)
    .map((text) => text.trimEnd());
  const cells = rows.flatMap((_, y) =>
    Array.from({ length: SIZE.columns - 1 }, (__, x) => {
      const cell = emulator.cell(top + y, x);
      return `${cell.text.trim()}${cell.isBold}${cell.isInverse}${cell.hasBackground}`;
    }),
  );
  const { row: at, column } = emulator.cursor();
  return { rows, cells, cursor: { row: at - top, column }, isCursorShown: emulator.modes().isCursorShown };
}

async function fresh(last: Frame, profile: Profile): Promise<Seen> {
  const emulator = new Emulator(SIZE);
  const { bytes, painted } = patch(unpainted(SIZE), { settled: [], frame: last, size: SIZE, profile });
  await emulator.write(`\x1b[?25l\x1b[?7l${bytes}`);
  return seen(emulator, painted);
}

describe.each([
  ["xterm.js", XTERM_JS],
  ["an unknown terminal", GENERIC],
  ["kitty", KITTY],
  ["tmux", TMUX],
])("on %s", (_, profile) => {
  test("frames painted one after the other look like the last one painted alone", async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      startRow,
      async (steps, start) => {
        const emulator = new Emulator(SIZE);
        await emulator.write(`${"shell\r\n".repeat(start)}\x1b[?25l\x1b[?7l`);
        let painted = unpainted(SIZE);
        for (const { frame: next, settled } of steps) {
          const result = patch(painted, { settled, frame: next, size: SIZE, profile });
          painted = result.painted;
          await emulator.write(result.bytes);
          expect(emulator.cursor().column).toBe(painted.rest.column);
          const wraparoundMode = painted.wraps === "on";
          expect(emulator.modes()).toMatchObject({ wraparoundMode, synchronizedOutputMode: false });
        }
        expect(seen(emulator, painted)).toEqual(
          await fresh(steps.at(-1)?.frame ?? { rows: [], cursor: null }, profile),
        );
        emulator.dispose();
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  test("no frame erases the screen, the scrollback, or anything from the top left corner on", () => {
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      let painted = unpainted(SIZE);
      for (const { frame: next, settled } of steps) {
        const result = patch(painted, { settled, frame: next, size: SIZE, profile });
        painted = result.painted;
        expect(result.bytes).not.toMatch(/\x1b\[[23]J/);
        if (profile === TMUX || profile === GENERIC) expect(result.bytes).not.toMatch(/(?:\r|A|^)\x1b\[J/);
      }
    });
    fc.assert(property, { numRuns: 25 });
  });
});

describe("the bytes of", () => {
  const STATUS = "  a longer status";
  const live = (tail: string, typed: string): Frame => ({
    rows: [tail, `› ${typed}`, STATUS],
    cursor: { row: 1, column: 2 + typed.length },
  });
  const bytesFor = (before: Frame, next: Frame, settled: string[] = [], profile = XTERM_JS): string => {
    const { painted } = patch(unpainted(SIZE), { settled: [], frame: before, size: SIZE, profile });
    return readable(patch(painted, { settled, frame: next, size: SIZE, profile }).bytes);
  };

  test("a token are the token and the way there and back", () => {
    expect(bytesFor(live("the sep", ""), live("the separator", ""))).toBe("<save><up 1><col 8>arator<restore>");
  });

  test("a key are the key", () => {
    expect(bytesFor(live("tail", "hell"), live("tail", "hello"))).toBe("o");
    expect(bytesFor(live("tail", "hello"), live("tail", "hell"))).toBe("<bs> <bs>");
  });

  test("a settled line leave the rows below it alone", () => {
    expect(bytesFor(live("the tail", "hi"), live("next", "hi"), ["the tail."])).toBe(
      "<sync><down><down><up 3><cr><delete 1><insert 2><wrap>the tail.<wipe><cr><lf>next<down></sync>",
    );
  });

  test("one more row are that row and those below it, joined again in a group; elsewhere there is room first, then all rows", () => {
    const grown: Frame = { rows: ["tail", "more", "› hi", STATUS], cursor: { row: 2, column: 4 } };
    expect(bytesFor(live("tail", "hi"), grown)).toBe(
      "<sync><up 1><wrap><col 999> m<cr>more<erase below><col 999>  <bs>› hi<col 999>  <bs><nowrap>  a longer status<up 1><col 5></sync>",
    );
    expect(bytesFor(live("tail", "hi"), grown, [], GENERIC)).toBe(
      "<sync><hide><up 1><cr><wipe><right><erase below><cr><lf><lf><lf><up 3>" +
        "<save>tail<restore><below 1>more<restore><below 2>› hi<restore><below 3>  a longer status<restore><lf><lf><col 5><show></sync>",
    );
  });

  test("one row less scroll nothing", () => {
    const grown: Frame = { rows: ["tail", "more", "› hi", STATUS], cursor: { row: 2, column: 4 } };
    expect(bytesFor(grown, live("tail", "hi"), [], GENERIC)).toBe(
      "<sync><hide><save><up 1><cr>› hi<erase below><restore><cr>  a longer status<restore><up 1><show></sync>",
    );
  });

  test("a settled line that takes the place of live rows scroll nothing", () => {
    const two: Frame = { rows: ["first", "second"], cursor: null };
    expect(bytesFor(two, { rows: ["second"], cursor: null }, ["first"], GENERIC)).toBe(
      "<sync><wipe><right><erase below><cr><wrap>first<cr><lf><nowrap><save>second<restore></sync>",
    );
  });

  test("a frame on a guard row never go back to the first column of it", () => {
    const calm: Frame = { rows: ["a tail that is far too long for the cursor to wait below it"], cursor: null };
    const bytes = bytesFor(calm, { rows: ["another", "frame"], cursor: null }, [], TMUX);
    expect(bytes).toBe(
      "<wrap> <erase below><bs><wipe><down><down><up 2><nowrap><save><below 1><cr>another<restore><below 2><cr>frame<restore>",
    );
  });

  test("nothing new are none", () => {
    verifies("screen.idle-writes-nothing");
    expect(bytesFor(live("tail", "hi"), live("tail", "hi"))).toBe("");
  });
});

function readable(bytes: string): string {
  const names: readonly (readonly [RegExp, string])[] = [
    [/\x1b\[\?2026h/g, "<sync>"],
    [/\x1b\[\?2026l/g, "</sync>"],
    [/\x1b\[\?7h/g, "<wrap>"],
    [/\x1b\[J/g, "<erase below>"],
    [/\x1b\[\?25l/g, "<hide>"],
    [/\x1b\[\?25h/g, "<show>"],
    [/\x1b\[\?7l/g, "<nowrap>"],
    [/\x1b7/g, "<save>"],
    [/\x1b8/g, "<restore>"],
    [/\x1bD/g, "<down>"],
    [/\x1b\[(\d*)A/g, "<up $1>"],
    [/\x1b\[(\d*)B/g, "<below $1>"],
    [/\x1b\[C/g, "<right>"],
    [/\x1b\[(\d*)L/g, "<insert $1>"],
    [/\x1b\[(\d*)M/g, "<delete $1>"],
    [/\x1b\[(\d*)G/g, "<col $1>"],
    [/\x1b\[K/g, "<wipe>"],
    [/\r/g, "<cr>"],
    [/\n/g, "<lf>"],
    [/\x08/g, "<bs>"],
    [/<(up|below|insert|delete) >/g, "<$1 1>"],
  ];
  return names.reduce((text, [pattern, name]) => text.replace(pattern, name), bytes);
}
