// What a terminal may do to the cursor and to its height behind our back, brought about by hand in the emulator: the cursor
// goes where tmux puts it, the window gets lower while a frame is on its way.
import { describe, expect, test } from "vitest";
import { fitFrame } from "../../../src/terminal/painter/frame.js";
import { profileFor } from "../../../src/terminal/painter/profile.js";
import { guarded } from "../../../src/terminal/painter/rest.js";
import { faultsOf, GENERIC, LIVE, NO_FAULTS, Rig } from "./rig.js";

const TMUX = profileFor({ version: "tmux 3.3a" }, {});
const SIZE = { columns: 60, rows: 20 };
const LINES = ["the first line", "the second line", "the third line"];
const LONG_TAIL = `${LIVE}${"t".repeat(50)}`;

describe("the row above the live area", () => {
  const frame = { rows: ["tail", "> typed"], cursor: { row: 1, column: 7 } };

  test("is empty where the terminal needs it, and the cursor moves down with the rows", () => {
    expect(guarded(frame, TMUX, SIZE)).toEqual({ rows: ["", "tail", "> typed"], cursor: { row: 2, column: 7 } });
  });

  test("is not added elsewhere, nor above an empty row, nor in a low window", () => {
    const spaced = { rows: ["", "> typed"], cursor: null };
    expect(guarded(frame, GENERIC, SIZE)).toBe(frame);
    expect(guarded(spaced, TMUX, SIZE)).toBe(spaced);
    expect(guarded(frame, TMUX, { columns: 60, rows: 8 })).toBe(frame);
  });

  test("leaves a row for the transcript, however tall the live area is", () => {
    const tall = { rows: Array.from({ length: 60 }, () => "row"), cursor: null };
    for (let rows = 3; rows <= 60; rows++) {
      const size = { columns: 60, rows };
      expect(guarded(fitFrame(tall, size), TMUX, size).rows.length).toBeLessThan(rows);
    }
  });
});

// tmux puts a cursor that stood on an empty row behind the end of the line above it.
function cursorBehindLineAbove(rig: Rig, line: string): void {
  rig.write(`\x1b[A\x1b[${line.length + 1}G`);
}

describe("a cursor that the terminal has put behind the line above", () => {
  test.each([
    ["a row changes", (rig: Rig) => rig.screen.setLive([LONG_TAIL, `${LIVE}changed`], null)],
    ["rows come", (rig: Rig) => rig.screen.setLive([LONG_TAIL, `${LIVE}one`, `${LIVE}two`], null)],
    ["rows go", (rig: Rig) => rig.screen.setLive([LONG_TAIL], null)],
    ["the window changes", (rig: Rig) => rig.screen.resize(SIZE)],
    ["a line settles", (rig: Rig) => rig.screen.settle(["the line meanwhile"])],
  ])("hurts no line when %s", async (_, happens) => {
    const rig = new Rig({ ...SIZE, profile: TMUX });
    rig.screen.settle(LINES);
    rig.screen.setLive([LONG_TAIL, `${LIVE}status`], null);
    rig.screen.flush();
    cursorBehindLineAbove(rig, LINES[2] ?? "");
    happens(rig);
    rig.screen.flush();
    rig.screen.settle(["the next line", "the last line"]);
    rig.screen.close();
    await rig.settleDown();
    expect(faultsOf(rig.emulator, [...LINES, "the next line", "the last line"], 0)).toEqual(NO_FAULTS);
  });
});

describe("a terminal that says where it has put the cursor", () => {
  const slipped = (): Rig => {
    const rig = new Rig({ ...SIZE, profile: TMUX });
    rig.screen.settle(LINES);
    rig.screen.setLive([LONG_TAIL, `${LIVE}status`], null);
    rig.screen.flush();
    return rig;
  };

  test("gets a new guard row, so that the next slip hurts no line either", async () => {
    const rig = slipped();
    for (let slips = 0; slips < 3; slips++) {
      cursorBehindLineAbove(rig, LINES[2] ?? "");
      rig.screen.resize(SIZE);
      rig.screen.cursorSeen((LINES[2] ?? "").length);
      rig.screen.setLive([LONG_TAIL, `${LIVE}status ${slips}`], null);
      rig.screen.flush();
    }
    rig.rest();
    rig.screen.settle(["the next line"]);
    rig.screen.close();
    await rig.settleDown();
    expect(faultsOf(rig.emulator, [...LINES, "the next line"], 0)).toEqual(NO_FAULTS);
  });

  test("gives the line that settles next a line of its own", async () => {
    const rig = slipped();
    cursorBehindLineAbove(rig, LINES[2] ?? "");
    rig.screen.cursorSeen((LINES[2] ?? "").length);
    rig.screen.settle(["the next line"]);
    rig.screen.close();
    await rig.settleDown();
    expect(rig.emulator.allRows().slice(0, 4)).toEqual([...LINES, "the next line"]);
  });

  test("is left alone when the cursor is where it should be", async () => {
    const rig = slipped();
    await rig.settleDown();
    const { frames } = rig.screen.stats;
    rig.screen.cursorSeen(0);
    expect(rig.screen.stats.frames).toBe(frames);
  });
});

test("settled text goes on behind a line that is full to the edge without touching its end", async () => {
  const rig = new Rig({ ...SIZE, profile: TMUX });
  const full = `${"f".repeat(SIZE.columns - 1)};`;
  rig.screen.settle([full]);
  rig.screen.setLive([LONG_TAIL], null);
  rig.screen.flush();
  // The cursor waits behind the last column, as after printing there.
  rig.write(`\x1b[A\x1b[${SIZE.columns}G\x1b[?7h;`);
  rig.screen.settle(["the next line"]);
  rig.screen.close();
  await rig.settleDown();
  expect(faultsOf(rig.emulator, [full, "the next line"], 0)).toEqual(NO_FAULTS);
});

describe("a cursor in the composer that the terminal has put one row too high", () => {
  test("hurts no line when the window changes and the next block settles", async () => {
    const rig = new Rig({ ...SIZE, profile: TMUX });
    const composer = ["", `${LIVE} `, `${LIVE}status`];
    rig.screen.settle(LINES);
    rig.screen.setLive(composer, { row: 1, column: 2 });
    rig.screen.flush();
    rig.write("\x1b[A\r");
    rig.screen.resize(SIZE);
    rig.screen.flush();
    rig.screen.settle(["", "the next line"]);
    rig.rest();
    await rig.settleDown();
    const rows = rig.emulator.allRows().map((row) => row.trimEnd());
    expect(rows.slice(0, 8)).toEqual([...LINES, "the next line", ...composer.map((row) => row.trimEnd()), ""]);
  });

  test("and where it should be, the empty line before the block is the row above the composer", async () => {
    const rig = new Rig({ ...SIZE, profile: TMUX });
    rig.screen.settle(LINES);
    rig.screen.setLive(["", `${LIVE} `], { row: 1, column: 2 });
    rig.screen.flush();
    rig.screen.settle(["", "the next line"]);
    rig.screen.flush();
    await rig.settleDown();
    const rows = rig.emulator.allRows().map((row) => row.trimEnd());
    expect(rows.slice(0, 8)).toEqual([...LINES, "", "the next line", "", LIVE, ""]);
  });
});

test("a cursor waits in the composer only right below the guard row", async () => {
  const shownWith = async (rows: string[]): Promise<boolean> => {
    const rig = new Rig({ ...SIZE, profile: TMUX });
    rig.screen.setLive(rows, { row: rows.length - 1, column: 2 });
    rig.screen.flush();
    await rig.settleDown();
    return rig.emulator.modes().isCursorShown;
  };
  expect(await shownWith(["> "])).toBe(true);
  expect(await shownWith(["tail", "> "])).toBe(false);
});

describe("a frame on its way into a window that is lower than the live area", () => {
  const tall = Array.from({ length: 10 }, (_, index) => `${LIVE}row ${index}`);

  test.each([
    ["a line settles", (rig: Rig) => rig.screen.settle(["the fourth line"])],
    ["a row comes", (rig: Rig) => rig.screen.setLive([...tall, `${LIVE}one more`], null)],
    ["a row goes", (rig: Rig) => rig.screen.setLive(tall.slice(1), null)],
  ])("leaves no live row in the scrollback when %s", async (_, happens) => {
    const rig = new Rig({ ...SIZE, profile: GENERIC });
    rig.screen.settle(Array.from({ length: 20 }, (_, index) => `line ${index};`));
    rig.screen.setLive(tall, null);
    rig.screen.flush();
    await rig.resizeWindow(SIZE.columns, 6);
    happens(rig);
    rig.screen.flush();
    rig.screen.resize({ columns: SIZE.columns, rows: 6 });
    rig.screen.close();
    await rig.settleDown();
    expect(rig.emulator.allRows().filter((row) => row.includes(LIVE))).toEqual([]);
    const text = rig.emulator.allRows().join("\n");
    for (let index = 0; index < 20; index++) expect(text.split(`line ${index};`).length).toBe(2);
  });
});
