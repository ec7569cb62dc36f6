// The promise behind the two faces: however often one goes there and back, stops, resizes and reads, the scrollback ends up
// with every line once, in order, below what the shell had written.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultsOf, LIVE, NO_FAULTS } from "../../terminal/painter/rig.js";
import { CTRL_END, CTRL_HOME, PAGE_DOWN, PAGE_UP, SurfaceRig, WHEEL_UP } from "./surface-rig.js";

type Step =
  | { type: "settle"; widths: number[] }
  | { type: "live"; rows: number[] }
  | { type: "resize"; columns: number; rows: number }
  | { type: "there and back"; columns: number; rows: number }
  | { type: "mode" }
  | { type: "stop" }
  | { type: "viewer" }
  | { type: "scroll"; key: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("settle" as const),
      widths: fc.array(fc.integer({ min: 12, max: 150 }), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("live" as const),
      rows: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("resize" as const),
      columns: fc.integer({ min: 40, max: 120 }),
      rows: fc.integer({ min: 10, max: 40 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("there and back" as const),
      columns: fc.integer({ min: 40, max: 120 }),
      rows: fc.integer({ min: 10, max: 40 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ type: "mode" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "stop" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "viewer" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("scroll" as const),
      key: fc.constantFrom(PAGE_UP, PAGE_DOWN, CTRL_HOME, CTRL_END, WHEEL_UP),
    }),
  },
);

async function play(steps: readonly Step[]): Promise<void> {
  const shell = Array.from({ length: 12 }, (_, index) => `$ command-${index} end`);
  const rig = new SurfaceRig({ columns: 80, rows: 24 }, shell);
  const expected = [...shell];
  for (const one of steps) {
    if (one.type === "settle") {
      for (const width of one.widths) {
        const line = `T${expected.length}:${"abc def ".repeat(20).slice(0, width).trimEnd()}:E${expected.length}`;
        expected.push(line);
        rig.surface.settle([line]);
      }
    } else if (one.type === "live") {
      const rows = one.rows.map((width) => `${LIVE}${"x".repeat(width)}`);
      rig.frame = { rows, cursor: { row: rows.length - 1, column: 1 }, transcriptRows: 1 };
    } else if (one.type === "resize") await rig.resize(one.columns, one.rows);
    else if (one.type === "there and back") {
      const { columns, rows } = rig.surface.size;
      await rig.resize(one.columns, one.rows);
      await rig.resize(columns, rows);
    } else if (one.type === "mode") rig.surface.setMode(rig.surface.mode === "full" ? "inline" : "full");
    else if (one.type === "stop") {
      rig.surface.suspend();
      expected.push(`$ fg ${expected.length}`);
      rig.write(`${expected.at(-1)}\r\n`);
      rig.surface.resume();
    } else if (one.type === "viewer") {
      rig.surface.hold();
      rig.write("\x1b[?1049hviewer\x1b[?1049l");
      rig.surface.release();
    } else rig.surface.key(one.key);
    rig.surface.requestFrame("now");
    await rig.read();
  }
  rig.surface.close();
  await rig.read();
  const faults = faultsOf(rig.emulator, expected, 1);
  expect({ ...faults, blankRows: 0 }).toEqual(NO_FAULTS);
  expect(rig.emulator.screen()).toBe("normal");
  expect(rig.emulator.modes()).toMatchObject({ mouseTrackingMode: "none", isCursorShown: true, wraparoundMode: true });
}

describe("whatever happens, and in whichever order", () => {
  test("after the end the scrollback holds every line once, in order, below what the shell wrote", {
    timeout: 60_000,
  }, async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 25 });
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: Number(process.env["RUNS"] ?? 40) });
  });
});
