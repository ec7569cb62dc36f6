// The screen as the product uses it: when it draws, what it does with a slow terminal, how it leaves.
import { describe, expect, test } from "vitest";
import { FullScreen } from "../../../src/terminal/painter/full-screen.js";
import { InlineScreen } from "../../../src/terminal/painter/inline-screen.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { verifies } from "../../verifies.js";
import { faultsOf, GENERIC, LIVE, NO_FAULTS, Rig, XTERM_JS } from "./rig.js";

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `T${index}: a settled line :E`);

function started(options: { rows?: number; shellLines?: string[] } = {}): Rig {
  const rig = new Rig({ columns: 40, rows: options.rows ?? 10, shellLines: options.shellLines ?? ["$ palaver"] });
  rig.screen.setLive([`${LIVE} `, `${LIVE} status`], { row: 0, column: 2 });
  rig.screen.flush();
  return rig;
}

describe("the inline screen", () => {
  test("puts settled lines above the live area and the cursor where one types", async () => {
    const rig = started();
    rig.screen.settle(["first", "second"]);
    rig.screen.flush();
    await rig.settleDown();
    expect(rig.emulator.viewport().slice(0, 5)).toEqual([
      "$ palaver",
      "first",
      "second",
      expect.stringMatching(/^▌ +$/),
      `${LIVE} status`,
    ]);
    expect(rig.emulator.cursor()).toEqual({ row: 3, column: 2 });
    expect(rig.emulator.modes().isCursorShown).toBe(true);
  });

  test.each([GENERIC, XTERM_JS])(
    "begins on a line of its own when the shell left the cursor in one ($name)",
    async (profile) => {
      for (const columns of [10, 40]) {
        const rig = new Rig({ columns, rows: 8, profile });
        await rig.emulator.write("$ cmd\r\nfoo");
        rig.screen.setLive([`${LIVE} status`], null);
        rig.screen.settle(["settled"]);
        rig.screen.flush();
        await rig.settleDown();
        const expected = ["$ cmd", "foo", "settled", `${LIVE} status`];
        expect(
          rig.emulator
            .viewport()
            .slice(0, 4)
            .map((row) => row.trimEnd()),
        ).toEqual(expected);
        await rig.resize(80, 8);
        await rig.settleDown();
        expect(
          rig.emulator
            .lines()
            .slice(0, 3)
            .map((line) => line.trimEnd()),
        ).toEqual(expected.slice(0, 3));
      }
    },
  );

  test("leaves long lines whole, so that they are copied without breaks", async () => {
    verifies("screen.copies-without-breaks");
    const rig = started();
    const command = `npm run build -- ${"--flag ".repeat(20)}end`;
    rig.screen.settle([command]);
    rig.screen.flush();
    await rig.settleDown();
    expect(rig.emulator.lines()).toContain(command);
    await rig.resize(23, 10);
    await rig.settleDown();
    expect(rig.emulator.lines()).toContain(command);
  });

  test("joins many requests for a frame into one, and draws a key at once", () => {
    const rig = started();
    const drawn = rig.writes.length;
    for (let i = 1; i <= 50; i++) {
      rig.screen.setLive([`${LIVE} ${"token ".repeat(i % 5)}${i}`, `${LIVE} status`], null);
      rig.screen.requestFrame("soon");
      rig.clock.advance(1);
    }
    rig.clock.advance(20);
    expect(rig.writes.length - drawn).toBeLessThanOrEqual(5);
    rig.screen.setLive([`${LIVE} typed`, `${LIVE} status`], null);
    rig.screen.requestFrame("now");
    expect(rig.writes.at(-1)).toContain("typed");
  });

  test("draws the frame that waits at once where its moment has come, and no earlier", () => {
    const rig = started();
    rig.clock.advance(100);
    rig.screen.requestFrame("now");
    const drawn = rig.writes.length;
    rig.screen.setLive([`${LIVE} first`, `${LIVE} status`], null);
    rig.screen.requestFrame("soon");
    rig.screen.drawDue();
    expect(rig.writes).toHaveLength(drawn);
    rig.clock.advance(100);
    expect(rig.writes.at(-1)).toContain("first");
    rig.clock.advance(100);
    rig.screen.setLive([`${LIVE} second`, `${LIVE} status`], null);
    rig.screen.requestFrame("soon");
    rig.screen.drawDue();
    expect(rig.writes.at(-1)).toContain("second");
    const afterwards = rig.writes.length;
    rig.screen.drawDue();
    rig.clock.advance(100);
    expect(rig.writes).toHaveLength(afterwards);
  });

  test("draws once when its view requests a frame while being drawn", () => {
    const rig = started();
    const before = rig.writes.length;
    let asked = 0;
    rig.screen.setView(() => {
      asked += 1;
      rig.screen.requestFrame("now");
      return { rows: [`${LIVE} asked ${asked}`], cursor: null };
    });
    rig.screen.flush();
    expect(rig.writes).toHaveLength(before + 1);
  });

  test("writes nothing when nothing changed", () => {
    const rig = started();
    const before = rig.writes.length;
    for (let i = 0; i < 20; i++) {
      rig.screen.requestFrame(i % 2 === 0 ? "soon" : "now");
      rig.clock.advance(50);
    }
    expect(rig.writes).toHaveLength(before);
  });

  test("sends a slow terminal one frame instead of many and loses no line", async () => {
    const writes: string[] = [];
    let answer: "drained" | "full" = "drained";
    const screen = new InlineScreen({
      apply: (bytes) => {
        writes.push(bytes);
        return answer;
      },
      clock: new ManualClock(),
      size: { columns: 40, rows: 10 },
      profile: XTERM_JS,
      onViolation: "throw",
    });
    screen.setLive([LIVE], null);
    answer = "full";
    screen.flush();
    const expected = numbered(80);
    for (const line of expected) {
      screen.settle([line]);
      screen.setLive([`${LIVE} ${line.slice(0, 4)}`], null);
      screen.requestFrame("now");
    }
    expect(writes).toHaveLength(1);
    answer = "drained";
    screen.drained();
    expect(writes).toHaveLength(2);
    const rig = new Rig({ columns: 40, rows: 10 });
    for (const bytes of writes) for (const piece of bytes.match(/[\s\S]{1,19}/g) ?? []) await rig.emulator.write(piece);
    expect(faultsOf(rig.emulator, expected, 1)).toEqual(NO_FAULTS);
  });

  test("splits a huge insertion into frames that are each complete", async () => {
    const rig = started();
    const before = rig.writes.length;
    const expected = numbered(4000);
    rig.screen.settle(expected);
    rig.screen.flush();
    const frames = rig.writes.slice(before);
    expect(frames.length).toBeGreaterThan(2);
    for (const frame of frames) expect(frame).toMatch(/^\x1b\[\?2026h[\s\S]*\x1b\[\?2026l$/);
    await rig.settleDown();
    expect(faultsOf(rig.emulator, ["$ palaver", ...expected], 2)).toEqual(NO_FAULTS);
  });

  test("touches nothing above the live area on clear", async () => {
    const rig = started();
    rig.screen.settle(["before"]);
    rig.screen.flush();
    rig.screen.clear();
    rig.screen.settle(["after"]);
    rig.screen.flush();
    await rig.settleDown();
    expect(rig.emulator.allRows().slice(0, 3)).toEqual(["$ palaver", "before", "after"]);
  });

  test("counts broken invariants where people work and throws where programmers look", () => {
    const screenThat = (onViolation: "throw" | "count") => {
      const screen = new InlineScreen({
        apply: () => "drained",
        clock: new ManualClock(),
        size: { columns: 40, rows: 10 },
        profile: GENERIC,
        onViolation,
        check: () => [{ invariant: 2, message: "made up" }],
      });
      screen.settle(["a line"]);
      return screen;
    };
    expect(() => screenThat("throw").flush()).toThrow("Invariant 2");
    const counting = screenThat("count");
    counting.flush();
    expect(counting.stats).toEqual({ frames: 1, violations: 1 });
  });

  test("lets a confirmation take over only after it was drawn", () => {
    const rig = started();
    rig.screen.confirm("requested");
    rig.screen.settle(["a preview"]);
    expect(rig.screen.activateConfirm()).toBe("not yet");
    rig.screen.flush();
    expect(rig.screen.state.confirmPhase).toBe("drawn");
    expect(rig.screen.activateConfirm()).toBe("active");
    rig.screen.confirm("closed");
    rig.screen.flush();
    expect(rig.screen.state.confirmPhase).toBe("none");
  });

  test("changes its ways when the terminal turns out to be another", async () => {
    const rig = new Rig({ columns: 40, rows: 10, profile: GENERIC });
    rig.screen.setLive([`${LIVE}${"=".repeat(35)}`, `${LIVE}${"-".repeat(35)}`], null);
    rig.screen.flush();
    rig.screen.setProfile(XTERM_JS);
    rig.screen.flush();
    await rig.resize(20, 10);
    await rig.settleDown();
    expect(rig.emulator.allRows().filter((row) => row.includes(LIVE))).toHaveLength(2);
  });
});

describe("giving the terminal back", () => {
  test("leaves a fresh line under the transcript and the modes as they were", async () => {
    const rig = started();
    rig.screen.settle(["done"]);
    rig.screen.close();
    rig.screen.close();
    await rig.settleDown();
    expect(rig.emulator.allRows().filter((row) => row !== "")).toEqual(["$ palaver", "done"]);
    expect(rig.emulator.cursor()).toEqual({ row: 2, column: 0 });
    expect(rig.emulator.modes()).toMatchObject({
      wraparoundMode: true,
      isCursorShown: true,
      synchronizedOutputMode: false,
    });
  });

  test("writes the last lines even when the terminal had no room for them before", () => {
    const writes: string[] = [];
    const screen = new InlineScreen({
      apply: (bytes) => {
        writes.push(bytes);
        return "full";
      },
      clock: new ManualClock(),
      size: { columns: 40, rows: 10 },
      profile: GENERIC,
      onViolation: "throw",
    });
    screen.setLive([LIVE], null);
    screen.flush();
    screen.settle(["the last words"]);
    screen.flush();
    screen.close();
    expect(writes.join("")).toContain("the last words");
  });

  test("for a while keeps lines back and draws everything again on return", async () => {
    const rig = started();
    rig.screen.suspend();
    await rig.settleDown();
    expect(rig.emulator.modes()).toMatchObject({ wraparoundMode: true, isCursorShown: true });
    await rig.emulator.write("$ the shell says hello\r\n");
    rig.screen.settle(["meanwhile"]);
    rig.screen.requestFrame("now");
    rig.screen.resume();
    await rig.settleDown();
    expect(
      rig.emulator
        .viewport()
        .slice(0, 4)
        .map((row) => row.trimEnd()),
    ).toEqual(["$ palaver", "$ the shell says hello", "meanwhile", LIVE]);
  });
});

describe("the full screen above it", () => {
  function opened(rig: Rig): FullScreen {
    const apply = (bytes: string): "drained" => {
      rig.write(bytes);
      return "drained";
    };
    const full = new FullScreen(apply, rig.screen.size, ({ rows, columns }) => ({
      rows: Array.from({ length: rows }, (_, index) => `${index} of the viewer`.padEnd(columns, ".")),
      cursor: { row: 1, column: 3 },
    }));
    rig.screen.hold();
    full.open();
    return full;
  }

  test("fills the window and leaves the main screen as it was", async () => {
    const rig = started({ rows: 6 });
    rig.screen.settle(["transcript"]);
    rig.screen.flush();
    const full = opened(rig);
    rig.screen.settle(["settled meanwhile"]);
    rig.screen.requestFrame("now");
    await rig.settleDown();
    expect(rig.emulator.screen()).toBe("alternate");
    expect(rig.emulator.viewport()).toEqual(
      Array.from({ length: 6 }, (_, index) => `${index} of the viewer`.padEnd(40, ".")),
    );
    expect(rig.emulator.cursor()).toEqual({ row: 1, column: 3 });
    full.close();
    rig.screen.release();
    await rig.settleDown();
    expect(rig.emulator.screen()).toBe("normal");
    expect(rig.emulator.allRows().map((row) => row.trimEnd())).toEqual([
      "$ palaver",
      "transcript",
      "settled meanwhile",
      LIVE,
      `${LIVE} status`,
      "",
    ]);
  });

  test("loses nothing of the main screen when the window changes while it is open", async () => {
    const rig = started({ shellLines: numbered(9).map((line) => `$ ${line}`) });
    const expected = Array.from({ length: 30 }, (_, index) => `T${index}: ${"long ".repeat(index)}:E`);
    rig.screen.settle(expected);
    rig.screen.flush();
    const full = opened(rig);
    for (const [columns, rows] of [
      [25, 8],
      [90, 20],
      [33, 12],
    ] as const) {
      await rig.resizeWindow(columns, rows);
      rig.screen.resize({ columns, rows });
      full.resize({ columns, rows });
    }
    full.close();
    rig.screen.release();
    await rig.settleDown();
    expect(faultsOf(rig.emulator, expected, 2)).toMatchObject({ lost: [], doubled: [], ghosts: [], isInOrder: true });
  });

  test("writes only what changed", async () => {
    const rig = started({ rows: 6 });
    let word = "one";
    const bytes: string[] = [];
    const full = new FullScreen(
      (written) => {
        bytes.push(written);
        return "drained";
      },
      rig.screen.size,
      () => ({ rows: ["title", `value: ${word}`], cursor: null }),
    );
    full.open();
    full.draw();
    expect(bytes).toHaveLength(2);
    word = "two";
    full.draw();
    expect(bytes.at(-1)).toBe("\x1b[?2026h\x1b[2;8Htwo\x1b[?2026l");
  });
});
