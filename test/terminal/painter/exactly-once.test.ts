// The promise of the inline screen as a property: whatever happens in whatever order, scrollback plus screen hold every
// settled line once and in order, nothing of the live area anywhere else, and all that stood there before.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CellPosition, Size } from "../../../src/terminal/painter/frame.js";
import { type Profile, profileFor } from "../../../src/terminal/painter/profile.js";
import { verifies } from "../../verifies.js";
import { faultsOf, GENERIC, LIVE, NO_FAULTS, Rig, XTERM_JS } from "./rig.js";

type Step =
  | { type: "settle"; count: number; widthCells: number; kind: "ascii" | "wide" | "styled" | "emoji" }
  | { type: "live"; rows: number[]; cursorRow: number }
  | {
      type: "resize";
      columns: number;
      rows: number;
      meanwhile: "nothing" | "a line settles" | "a row changes" | "rows come";
    }
  | { type: "rest" }
  | { type: "clear" }
  | { type: "suspend" };

type Meanwhile = Extract<Step, { type: "resize" }>["meanwhile"];
const ANYTHING: readonly Meanwhile[] = ["nothing", "nothing", "a line settles", "a row changes", "rows come"];
// A live area that is drawn whole into a window lower than itself scrolls off at the top: no program can prevent that.
const NOTHING_TALLER: readonly Meanwhile[] = ["nothing", "nothing", "a row changes"];

const step = (columnsMin: number, rowsMin: number, meanwhile: readonly Meanwhile[]): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant("settle" as const),
        count: fc.integer({ min: 1, max: 3 }),
        widthCells: fc.integer({ min: 12, max: 300 }),
        kind: fc.constantFrom("ascii" as const, "ascii" as const, "wide" as const, "styled" as const, "emoji" as const),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant("live" as const),
        rows: fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 9 }),
        cursorRow: fc.integer({ min: -1, max: 4 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant("resize" as const),
        columns: fc.integer({ min: columnsMin, max: 140 }),
        rows: fc.integer({ min: rowsMin, max: 50 }),
        meanwhile: fc.constantFrom(...meanwhile),
      }),
    },
    { weight: 3, arbitrary: fc.constant({ type: "rest" as const }) },
    { weight: 1, arbitrary: fc.constant({ type: "clear" as const }) },
    { weight: 1, arbitrary: fc.constant({ type: "suspend" as const }) },
  );

const SHELL = Array.from({ length: 12 }, (_, i) => `$ command-${i} ${"output ".repeat(i % 4)}end-${i}`);
const ALPHABET = { ascii: "abcdefgh ij", wide: "漢字日本", styled: "klmnopqr", emoji: "🚀xyz" };

function line(id: number, { widthCells, kind }: Extract<Step, { type: "settle" }>): string {
  const letters = Array.from(ALPHABET[kind]);
  const body = Array.from(
    { length: Math.ceil(widthCells / (kind === "wide" ? 2 : 1)) },
    (_, i) => letters[i % letters.length],
  );
  const text = `T${id}:${body.join("").trimEnd()}:E${id}`;
  return kind === "styled" ? `\x1b[1m${text.slice(0, 6)}\x1b[0;32m${text.slice(6)}\x1b[0m` : text;
}

async function run(steps: readonly Step[], size: Size, profile: Profile = XTERM_JS): Promise<void> {
  const rig = new Rig({ ...size, profile, shellLines: SHELL });
  const expected = [...SHELL];
  let liveRows = [LIVE];
  let cursor: CellPosition | null = null;
  rig.screen.setLive(liveRows, cursor);
  rig.screen.flush();
  for (const one of steps) {
    switch (one.type) {
      case "settle": {
        for (let i = 0; i < one.count; i++) {
          const text = line(expected.length, one);
          expected.push(text.replace(/\x1b\[[\d;]*m/g, ""));
          rig.screen.settle([text]);
        }
        break;
      }
      case "live": {
        liveRows = one.rows.map((width, index) => `${LIVE}${String(index).repeat(width)}`);
        cursor = one.cursorRow < 0 ? null : { row: Math.min(one.cursorRow, liveRows.length - 1), column: 1 };
        rig.screen.setLive(liveRows, cursor);
        break;
      }
      case "resize":
        await rig.resizeWindow(one.columns, one.rows);
        // A frame for the old size is still on its way when the window changes.
        if (one.meanwhile === "a line settles") {
          expected.push(`T${expected.length}:${"meanwhile ".repeat(expected.length % 9)}:E`);
          rig.screen.settle(expected.slice(-1));
        }
        if (one.meanwhile === "a row changes") liveRows = [...liveRows.slice(0, -1), `${LIVE}${"!".repeat(70)}`];
        if (one.meanwhile === "rows come") liveRows = [`${LIVE}${"+".repeat(70)}`, ...liveRows, `${LIVE}-`];
        rig.screen.setLive(liveRows, cursor);
        rig.screen.flush();
        rig.screen.resize({ columns: one.columns, rows: one.rows });
        break;
      case "rest":
        rig.rest();
        break;
      case "clear":
        rig.screen.clear();
        break;
      case "suspend":
        rig.screen.suspend();
        rig.screen.resume();
        break;
    }
    rig.screen.flush();
    await rig.settleDown();
  }
  rig.rest();
  await rig.settleDown();
  const blankRows = profile.guard === "empty-row" ? 1 : 0;
  expect(faultsOf(rig.emulator, expected, liveRows.length)).toEqual({ ...NO_FAULTS, blankRows });
  rig.screen.close();
  await rig.settleDown();
  expect(faultsOf(rig.emulator, expected, 0)).toEqual(NO_FAULTS);
  expect(rig.emulator.cursor().column).toBe(0);
  expect(rig.emulator.modes()).toMatchObject({
    wraparoundMode: true,
    isCursorShown: true,
    synchronizedOutputMode: false,
  });
}

describe("after any sequence of events", () => {
  test("every settled line is there once, at usual sizes", { timeout: 60_000 }, async () => {
    verifies("screen.exactly-once");
    const property = fc.asyncProperty(fc.array(step(60, 15, ANYTHING), { minLength: 1, maxLength: 25 }), (steps) =>
      run(steps, { columns: 100, rows: 30 }),
    );
    await fc.assert(property, { numRuns: Number(process.env["RUNS"] ?? 25) });
  });

  test("every settled line is there once, when a frame is on its way into a window a tenth as wide", {
    timeout: 60_000,
  }, async () => {
    const property = fc.asyncProperty(fc.array(step(10, 15, ANYTHING), { minLength: 1, maxLength: 25 }), (steps) =>
      run(steps, { columns: 100, rows: 30 }),
    );
    await fc.assert(property, { numRuns: Number(process.env["RUNS"] ?? 25) });
  });

  test("every settled line is there once, down to ten columns and three rows", { timeout: 60_000 }, async () => {
    verifies("screen.any-size");
    const property = fc.asyncProperty(fc.array(step(10, 3, NOTHING_TALLER), { minLength: 1, maxLength: 25 }), (steps) =>
      run(steps, { columns: 40, rows: 10 }),
    );
    await fc.assert(property, { numRuns: Number(process.env["RUNS"] ?? 25) });
  });

  // xterm.js needs its own treatment when rows get narrower; everything else it does as other terminals do.
  test.each([
    ["that nobody knows", GENERIC],
    ["with prompt marks", profileFor({ version: "kitty(0.26.5)" }, {})],
    ["inside of tmux", profileFor({ version: "tmux 3.3a" }, {})],
  ])(
    "every settled line is there once on a terminal %s, whatever its height",
    { timeout: 60_000 },
    async (_, profile) => {
      const steps = fc.array(step(100, 15, ANYTHING), { minLength: 1, maxLength: 25 });
      const property = fc.asyncProperty(steps, (all) =>
        run(
          all.map((one) => (one.type === "resize" ? { ...one, columns: 100 } : one)),
          { columns: 100, rows: 30 },
          profile,
        ),
      );
      await fc.assert(property, { numRuns: Number(process.env["RUNS"] ?? 12) });
    },
  );

  test("the group is what keeps xterm.js from leaving ghosts behind when the window gets narrower", async () => {
    const ghostsWith = async (profile: Profile): Promise<number> => {
      const rig = new Rig({ columns: 80, rows: 20, profile, shellLines: SHELL });
      rig.screen.setLive(
        Array.from({ length: 5 }, () => `${LIVE}${"x".repeat(70)}`),
        null,
      );
      rig.screen.flush();
      await rig.resize(50, 20);
      await rig.settleDown();
      return faultsOf(rig.emulator, SHELL, 5).ghosts.length;
    };
    expect(await ghostsWith(XTERM_JS)).toBe(0);
    expect(await ghostsWith(GENERIC)).toBeGreaterThan(0);
  });
});

describe("a line that settles while the window has become narrower and no one has told us yet", () => {
  const answers = { kitty: "kitty(0.26.5)", tmux: "tmux 3.3a" };
  test.each([
    ["generic", GENERIC],
    ["xterm.js", XTERM_JS],
    ["kitty", profileFor({ version: answers.kitty }, {})],
    ["tmux", profileFor({ version: answers.tmux }, {})],
    ["vte", profileFor({ secondaryAttributes: "65;7006;1" }, {})],
  ])("keeps nothing of the live area beside it (%s)", async (_name, profile) => {
    const rig = new Rig({ columns: 100, rows: 30, profile });
    const below = [`${LIVE}${"c".repeat(34)}`, `${LIVE}${"s".repeat(34)}`];
    rig.screen.setLive([`${LIVE}tail`, ...below], null);
    rig.screen.flush();
    await rig.resizeWindow(40, 30);
    rig.screen.settle([`T:${"x".repeat(90)}:E`]);
    rig.screen.setLive([`${LIVE}next`, ...below], null);
    rig.screen.flush();
    await rig.resize(40, 30);
    await rig.settleDown();
    const rows = rig.emulator.allRows().map((row) => row.trimEnd());
    const guard = profile.guard === "empty-row" ? [""] : [];
    expect(rows.slice(0, 6 + guard.length)).toEqual([
      `T:${"x".repeat(38)}`,
      "x".repeat(40),
      `${"x".repeat(12)}:E`,
      ...guard,
      `${LIVE}next`,
      ...below,
    ]);
  });
});
