// The full screen as a person meets it: following and reading, searching, the typing guard, and leaving it in every way.
import { describe, expect, test } from "vitest";
import { LEAVE_FULL_SCREEN } from "../../../src/views/inline/full-modes.js";
import { UNPRINTED_LINES_MAX } from "../../../src/views/inline/terminal-surface.js";
import { CTRL_END, CTRL_HOME, PAGE_DOWN, PAGE_UP, SHELL, SurfaceRig, WHEEL_DOWN, WHEEL_UP } from "./surface-rig.js";

const CTRL_F = "\x06";

function full(lines: number): SurfaceRig {
  const rig = new SurfaceRig();
  rig.settle(lines);
  rig.surface.setMode("full");
  return rig;
}

const blank = (rows: number) => Array.from({ length: rows }, () => "");

describe("the full screen", () => {
  test("shows the end of the transcript above the live rows, with the cursor where one types", async () => {
    const rig = full(30);
    expect(await rig.screen()).toEqual([
      ...Array.from({ length: 8 }, (_, index) => `line ${23 + index}`),
      "▌ message",
      "▌ status",
    ]);
    expect(rig.emulator.screen()).toBe("alternate");
    expect(rig.emulator.cursor()).toEqual({ row: 8, column: 2 });
    expect(rig.emulator.modes()).toMatchObject({ isCursorShown: true, mouseTrackingMode: "vt200" });
  });

  test("a short transcript begins at the top, with the live rows at the bottom", async () => {
    const rig = full(2);
    expect(await rig.screen()).toEqual(["line 1", "line 2", ...blank(6), "▌ message", "▌ status"]);
  });

  test("lines that arrive are followed; scrolled away, the rows one reads stay where they are", async () => {
    const rig = full(30);
    rig.settle(1, 31);
    expect((await rig.screen())[7]).toBe("line 31");
    expect(rig.surface.key(PAGE_UP)).toBe(true);
    const before = await rig.screen();
    expect(before.slice(0, 8)).toEqual([
      ...[19, 20, 21, 22, 23, 24, 25].map((n) => `line ${n}`),
      "… 6 lines below · end: follow",
    ]);
    rig.settle(100, 32);
    const after = await rig.screen();
    expect(after.slice(0, 7)).toEqual(before.slice(0, 7));
    expect(after[7]).toBe("… 106 lines below · end: follow");
    expect(after.slice(8)).toEqual(["▌ message", "▌ status"]);
  });

  test("pages, the wheel, the first line and the last one", async () => {
    const rig = full(100);
    rig.surface.key(WHEEL_UP);
    expect(await rig.scrolledTo()).toBe("line 91");
    rig.surface.key(WHEEL_UP);
    expect(await rig.scrolledTo()).toBe("line 88");
    rig.surface.key(CTRL_HOME);
    expect(await rig.scrolledTo()).toBe("line 1");
    rig.surface.key(PAGE_DOWN);
    expect(await rig.scrolledTo()).toBe("line 7");
    rig.surface.key(CTRL_END);
    expect((await rig.screen()).slice(0, 8).at(-1)).toBe("line 100");
    rig.surface.key(WHEEL_UP);
    rig.surface.key(WHEEL_DOWN);
    expect((await rig.screen())[7]).toBe("line 100");
    expect(rig.surface.key("\x1b[F")).toBe(false);
    rig.surface.key(PAGE_UP);
    expect(rig.surface.key("\x1b[F")).toBe(true);
    expect((await rig.screen())[7]).toBe("line 100");
  });

  test("letters are the composer's, and so are all keys while the inline screen shows", () => {
    const rig = full(30);
    expect(rig.surface.key("n")).toBe(false);
    expect(rig.surface.key("\x1b[200~pageup\x1b[201~")).toBe(false);
    rig.surface.setMode("inline");
    expect(rig.surface.key(PAGE_UP)).toBe(false);
    expect(rig.surface.key(WHEEL_UP)).toBe(true);
  });

  test("ctrl+f finds in the transcript, n and N go on, and esc ends it", async () => {
    const rig = full(100);
    rig.surface.key(CTRL_F);
    for (const key of "line 1") rig.surface.key(key);
    expect((await rig.screen()).slice(7)).toEqual(["find line 1", "▌ message", "▌ status"]);
    expect(rig.emulator.cursor()).toEqual({ row: 7, column: 11 });
    rig.surface.key("\x1b[200~00\x1b[201~");
    rig.surface.key("\r");
    expect((await rig.screen())[7]).toBe("1 of 1 · n next · N back · esc done");
    for (const key of [CTRL_F, ..."line 4", "\r"]) rig.surface.key(key);
    expect(await rig.screen()).toContain("line 4");
    rig.surface.key("n");
    expect(await rig.screen()).toContain("line 40");
    rig.surface.key("N");
    expect((await rig.screen()).slice(0, 7)).toContain("line 4");
    expect(rig.surface.key("\x1b")).toBe(true);
    expect((await rig.screen())[7]).toMatch(/^… \d+ lines below · end: follow$/);
    expect(rig.surface.key("\x1b")).toBe(false);
  });

  test("a key that is none of the search ends it and goes to the composer", async () => {
    const rig = full(100);
    for (const key of [CTRL_F, ..."nowhere", "\r"]) rig.surface.key(key);
    expect((await rig.screen())[7]).toBe('no "nowhere" · esc done');
    expect(rig.surface.key("h")).toBe(false);
    expect((await rig.screen())[7]).toBe("line 100");
  });

  test("a change of the window wraps the page again", async () => {
    const rig = new SurfaceRig({ columns: 40, rows: 8 });
    rig.surface.settle(["x".repeat(45), "short"]);
    rig.surface.setMode("full");
    expect(await rig.screen()).toEqual(["x".repeat(40), "xxxxx", "short", ...blank(3), "▌ message", "▌ status"]);
    await rig.resize(20, 6);
    expect(await rig.screen()).toEqual(["x".repeat(20), "x".repeat(20), "xxxxx", "short", "▌ message", "▌ status"]);
    await rig.resize(60, 8);
    expect(await rig.screen()).toEqual(["x".repeat(45), "short", ...blank(4), "▌ message", "▌ status"]);
  });

  test("the same size again draws everything, whatever somebody else has left there", async () => {
    const rig = full(3);
    await rig.read();
    rig.write("\x1b[1;20Hghost\x1b[8;1Hghost");
    await rig.resize(40, 10);
    expect(await rig.screen()).toEqual(["line 1", "line 2", "line 3", ...blank(5), "▌ message", "▌ status"]);
  });

  test("in a window of three rows one still sees what one types", async () => {
    const rig = full(30);
    await rig.resize(20, 3);
    expect(await rig.screen()).toEqual(["line 30", "▌ message", "▌ status"]);
    rig.surface.key(PAGE_UP);
    expect(await rig.screen()).toEqual([expect.stringMatching(/^… \d+ lines? below/), "▌ message", "▌ status"]);
    await rig.resize(20, 2);
    expect(await rig.screen()).toHaveLength(2);
  });

  test("what is being written belongs to the end, and is not there when one reads further up", async () => {
    const rig = new SurfaceRig();
    rig.frame = { rows: ["▌ tail", "", "▌ message"], cursor: { row: 2, column: 2 }, transcriptRows: 1 };
    rig.settle(30);
    rig.surface.setMode("full");
    expect((await rig.screen()).slice(6)).toEqual(["line 30", "▌ tail", "", "▌ message"]);
    rig.surface.key(PAGE_UP);
    const rows = await rig.screen();
    expect(rows).not.toContain("▌ tail");
    expect(rig.emulator.cursor()).toEqual({ row: 9, column: 2 });
  });

  test("a new page leaves the old lines above it", async () => {
    const rig = full(30);
    rig.surface.clear();
    rig.settle(1, 31);
    expect(await rig.screen()).toEqual(["line 31", ...blank(7), "▌ message", "▌ status"]);
    rig.surface.key(PAGE_UP);
    expect(await rig.screen()).toContain("line 24");
  });

  test("an idle screen writes nothing", async () => {
    const rig = full(30);
    rig.writes.length = 0;
    rig.surface.requestFrame("now");
    rig.surface.requestFrame("soon");
    rig.clock.advance(1_000);
    expect(rig.writes).toEqual([]);
  });
});

describe("the typing guard on the full screen", () => {
  test("a confirmation takes keys only after it was drawn", () => {
    const rig = full(5);
    rig.surface.confirm("requested");
    expect(rig.surface.activateConfirm()).toBe("not yet");
    rig.surface.requestFrame("now");
    expect(rig.surface.activateConfirm()).toBe("active");
    rig.surface.confirm("closed");
    expect(rig.surface.activateConfirm()).toBe("not yet");
  });

  test("on a slow terminal it waits until the frame has got through", () => {
    const rig = full(5);
    rig.surface.confirm("requested");
    rig.frame = { rows: ["▌ allow?"], cursor: null };
    rig.speed = "full";
    rig.surface.requestFrame("now");
    expect(rig.surface.activateConfirm()).toBe("not yet");
    rig.speed = "drained";
    rig.surface.drained();
    expect(rig.surface.activateConfirm()).toBe("active");
  });

  test("a change of the mode in between begins the guard again", () => {
    const rig = new SurfaceRig();
    rig.surface.confirm("requested");
    rig.speed = "full";
    rig.surface.setMode("full");
    expect(rig.surface.activateConfirm()).toBe("not yet");
    rig.speed = "drained";
    rig.surface.drained();
    expect(rig.surface.activateConfirm()).toBe("active");
  });

  test("an active dialog has its own pages; shift and the wheel still scroll", () => {
    const rig = full(50);
    rig.surface.confirm("requested");
    rig.surface.requestFrame("now");
    rig.surface.activateConfirm();
    expect(rig.surface.key(PAGE_UP)).toBe(false);
    expect(rig.surface.key("\x1b[5;2~")).toBe(true);
    expect(rig.surface.key("y")).toBe(false);
  });

  test("what one searches for never reaches a question", () => {
    const rig = full(50);
    rig.surface.confirm("requested");
    rig.surface.requestFrame("now");
    rig.surface.activateConfirm();
    const taken = [CTRL_F, "y", "1", "\x03", "\x1b"].map((key) => rig.surface.key(key));
    expect(taken).toEqual([true, true, true, true, false]);
  });
});

describe("leaving the full screen", () => {
  test("prints what came meanwhile, once, and gives every mode back", async () => {
    const rig = full(3);
    rig.settle(20, 4);
    rig.surface.setMode("inline");
    rig.surface.requestFrame("now");
    await rig.read();
    expect(rig.emulator.screen()).toBe("normal");
    expect(rig.emulator.modes()).toMatchObject({ mouseTrackingMode: "none" });
    const lines = Array.from({ length: 23 }, (_, index) => `line ${index + 1}`);
    expect(rig.emulator.allRows().map((row) => row.trimEnd())).toEqual([...SHELL, ...lines, "▌ message", "▌ status"]);
    expect(rig.alternate).toEqual(["entered", "left"]);
    rig.surface.close();
    rig.surface.close();
    expect(rig.surface.key(WHEEL_UP)).toBe(true);
  });

  test("ctrl+z gives the shell its screen with all lines in it, and fg comes back to the full screen", async () => {
    const rig = full(3);
    rig.settle(2, 4);
    rig.surface.suspend();
    await rig.read();
    expect(rig.emulator.screen()).toBe("normal");
    expect(rig.emulator.modes()).toMatchObject({
      mouseTrackingMode: "none",
      wraparoundMode: true,
      isCursorShown: true,
    });
    rig.write("$ fg\r\n");
    rig.settle(2, 6);
    rig.surface.resume();
    expect((await rig.screen()).slice(0, 2)).toEqual(["line 1", "line 2"]);
    expect(rig.emulator.modes()).toMatchObject({ mouseTrackingMode: "vt200" });
    rig.surface.close();
    await rig.read();
    const rows = rig.emulator
      .allRows()
      .map((row) => row.trimEnd())
      .filter(Boolean);
    expect(rows).toEqual([...SHELL, "line 1", "line 2", "line 3", "line 4", "line 5", "$ fg", "line 6", "line 7"]);
  });

  test("a crash of what is shown does not keep the lines from the scrollback", async () => {
    const rig = full(3);
    rig.settle(1, 4);
    rig.surface.setView(() => {
      throw new Error("a bug");
    });
    expect(() => rig.surface.requestFrame("now")).toThrow("a bug");
    rig.surface.suspend();
    await rig.read();
    expect(rig.emulator.screen()).toBe("normal");
    expect(rig.emulator.allRows().map((row) => row.trimEnd())).toContain("line 4");
  });

  test("after a kill the watchdog's bytes leave it", async () => {
    const rig = full(3);
    await rig.read();
    await rig.emulator.write(LEAVE_FULL_SCREEN);
    expect(rig.emulator.screen()).toBe("normal");
    expect(rig.emulator.modes()).toMatchObject({ mouseTrackingMode: "none" });
    await rig.emulator.write("$ ");
    expect(
      rig.emulator
        .allRows()
        .map((row) => row.trimEnd())
        .filter(Boolean),
    ).toEqual([...SHELL, "line 1", "line 2", "line 3", "$"]);
  });

  test("a viewer over the full screen has the alternate screen to itself", async () => {
    const rig = full(3);
    rig.surface.hold();
    await rig.read();
    expect(rig.emulator.screen()).toBe("normal");
    rig.write("\x1b[?1049hviewer\x1b[?1049l");
    rig.settle(1, 4);
    rig.surface.release();
    expect(await rig.screen()).toEqual(["line 1", "line 2", "line 3", "line 4", ...blank(4), "▌ message", "▌ status"]);
    expect(rig.alternate).toEqual(["entered", "left", "entered", "left", "entered"]);
  });

  test("a window that went there and back may have lost the place: what comes next begins below everything", async () => {
    const rig = full(3);
    await rig.resize(30, 8);
    await rig.resize(40, 10);
    rig.settle(1, 4);
    rig.writes.length = 0;
    rig.surface.setMode("inline");
    rig.clock.advance(300);
    await rig.read();
    const bytes = rig.writes.join("");
    expect(bytes.indexOf("\x1b[999B")).toBeGreaterThan(bytes.indexOf("\x1b[?1049l"));
    expect(bytes.indexOf("line 4")).toBeGreaterThan(bytes.indexOf("\x1b[999B"));
    expect(rig.emulator.allRows().filter((row) => row.startsWith("line"))).toHaveLength(4);
  });

  test("a long session is printed in between, so that it takes no more memory", async () => {
    const rig = full(1);
    rig.settle(UNPRINTED_LINES_MAX + 1, 2);
    expect((await rig.screen()).slice(-3)).toEqual([`line ${UNPRINTED_LINES_MAX + 2}`, "▌ message", "▌ status"]);
    const rows = rig.emulator.allRows().map((row) => row.trimEnd());
    expect(rows.filter((row) => row.startsWith("line"))).toHaveLength(UNPRINTED_LINES_MAX + 2);
  });
});
