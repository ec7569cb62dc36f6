// Every check of the simulator, shown to fail: a terminal is brought into the state that the check is there for.
import { describe, expect, test } from "vitest";
import { profileFor } from "../../src/terminal/painter/profile.js";
import { checkErasure, checkInsertion, checkWrite } from "../rigs/simulator/byte-rules.js";
import { checkLiveArea, checkTranscript } from "../rigs/simulator/fidelity.js";
import { type Entry, Ledger } from "../rigs/simulator/ledger.js";
import { StateRules } from "../rigs/simulator/state-rules.js";
import { plainPrinting } from "../rigs/simulator/twin.js";
import { Window } from "../rigs/simulator/window.js";

const SIZE = { columns: 20, rows: 6 };
const TRANSCRIPT = ["one", "a line that is longer than the window", "three"];
const LIVE = { frame: { rows: ["live row", "> typed"], cursor: { row: 1, column: 7 } }, size: SIZE };
const DRAWN = "live row\r\n> typed";

function windowWith(bytes: string): Window {
  const window = new Window(SIZE);
  window.read(bytes);
  return window;
}

function printed(lines: readonly string[]): Entry[] {
  return lines.map((text) => ({ kind: "line", text }));
}

const lines = (...texts: string[]): string => texts.map((text) => `${text}\r\n`).join("");

function lookAt(bytes: string, transcript: readonly Entry[] = printed(TRANSCRIPT)): string {
  const window = windowWith(bytes);
  try {
    const { topRow } = checkLiveArea(window, LIVE);
    checkTranscript(window, topRow, transcript, Number.POSITIVE_INFINITY);
    return "as it should be";
  } catch (error) {
    return error instanceof Error ? error.message : "?";
  }
}

describe("the transcript", () => {
  test("passes when each line is there once", () => {
    expect(lookAt(lines(...TRANSCRIPT) + DRAWN)).toBe("as it should be");
  });

  test.each([
    ["a lost line", lines("one", "three"), /lost, doubled or wrong/],
    ["the first line lost", lines(...TRANSCRIPT.slice(1)), /missing at the top/],
    ["a doubled line", lines("one", ...TRANSCRIPT), /too many at the top/],
    [
      "two lines in the wrong order",
      lines("one", "three", "a line that is longer than the window"),
      /lost, doubled or wrong/,
    ],
    ["a ghost of the live area", lines("one", "live row", ...TRANSCRIPT.slice(1)), /lost, doubled or wrong/],
    ["a blank gap", lines("one", "", ...TRANSCRIPT.slice(1)), /gap/],
    ["a hard break in a line", lines("one", "a line that is longer", "than the window", "three"), /joined or cut/],
    ["two lines made one", lines("one", "a line that is longer than the windowthree"), /joined or cut|lost/],
    ["a changed character", lines("one", "a line that is longer than the windoW", "three"), /lost, doubled or wrong/],
  ])("fails with %s", (_, bytes, message) => {
    expect(lookAt(bytes + DRAWN)).toMatch(message);
  });

  test("may have blank rows in a gap and nothing else", () => {
    const withGap: Entry[] = [...printed(["one"]), { kind: "gap" }, ...printed(["two"])];
    expect(lookAt(lines("one", "", "", "two") + DRAWN, withGap)).toBe("as it should be");
    expect(lookAt(lines("one", "two") + DRAWN, withGap)).toBe("as it should be");
    expect(lookAt(lines("one", "x", "two") + DRAWN, withGap)).toMatch(/lost|wrong/);
  });

  test("is read across the cell that a wide character leaves empty", () => {
    const wide = `a${"漢字".repeat(12)}`;
    expect(lookAt(lines(wide) + DRAWN, printed([wide]))).toBe("as it should be");
  });
});

describe("the live area", () => {
  test.each([
    ["a row that is missing", "live row\r\n\x1b[7C", /live row 2/],
    ["a row with another text", "live rOw\r\n> typed", /live row 1/],
    ["something below it", "live row\r\n> typed\x1b7\r\nrest\x1b8", /below the live area/],
    ["the cursor elsewhere", "live row\r\n> typed\b", /column 6/],
    [
      "a first row that continues the transcript",
      "\x1b[A\x1b[20C  \blive row\x1b[K\r\n> typed",
      /part of the transcript|live row/,
    ],
  ])("fails with %s", (_, bytes, message) => {
    expect(lookAt(lines(...TRANSCRIPT) + bytes)).toMatch(message);
  });

  test("fails when the cursor is shown and no one may type", () => {
    const frame = { rows: ["live row"], cursor: null };
    expect(() => checkLiveArea(windowWith("live row\r"), { frame, size: SIZE })).toThrow("no place for it");
    expect(checkLiveArea(windowWith("\x1b[?25llive row\r"), { frame, size: SIZE })).toEqual({ topRow: 0 });
  });
});

describe("bytes", () => {
  test.each([["\x1b[2J"], ["\x1b[3J"], ["text\x1bc"], ["\x1b[2;10r"], ["\x1b[?2026hdraw"], ["\x1b[?2026l"]])(
    "%j is refused",
    (bytes) => {
      expect(() => checkWrite(bytes)).toThrow();
    },
  );

  test("of an ordinary frame are not", () => {
    expect(() => checkWrite("\x1b[?2026h\r\x1b[K\x1b[C\x1b[J\rrow\r\n\x1b[?2026l")).not.toThrow();
  });

  test("must not erase from the top left corner where that fills the history", () => {
    const window = windowWith("\x1b[J\x1b[C\x1b[J");
    const [corner, beside] = window.takeErasures();
    if (corner === undefined || beside === undefined) throw new Error("The window saw no erasures.");
    expect(() => checkErasure(corner, profileFor({ version: "tmux 3.3a" }, {}))).toThrow("corner");
    expect(() => checkErasure(corner, profileFor({ version: "kitty(0.26.5)" }, {}))).not.toThrow();
    expect(() => checkErasure(beside, profileFor({ version: "tmux 3.3a" }, {}))).not.toThrow();
  });

  test("must hide a shown cursor before an insertion, unless nothing can be seen of it", () => {
    expect(() => checkInsertion("line\r\n", "shown", profileFor({}, {}))).toThrow("cursor was shown");
    expect(() => checkInsertion("\x1b[?25lline\r\n", "shown", profileFor({}, {}))).not.toThrow();
    expect(() => checkInsertion("line\r\n", "shown", profileFor({ secondaryAttributes: "0;276;0" }, {}))).not.toThrow();
  });
});

describe("the screen's account", () => {
  test("fails with a confirmation that skips pending", () => {
    expect(() => new StateRules().check("active", new Ledger(), "allowed")).toThrow("from none");
  });

  test("fails with a confirmation that takes over while lines wait", () => {
    const ledger = new Ledger();
    const rules = new StateRules();
    rules.check("drawn", ledger, "allowed");
    ledger.settled(["waiting"]);
    ledger.frameBegins();
    expect(() => rules.check("active", ledger, "allowed")).toThrow("lines wait");
  });

  test("follows the boundary through lines that are inserted in parts", () => {
    const ledger = new Ledger();
    ledger.settled(["a", "b", "c"]);
    ledger.frameBegins();
    ledger.follow({ insertedLines: 2 });
    expect(ledger.printed).toEqual(printed(["a", "b"]));
    ledger.settled(["d"]);
    ledger.frameBegins();
    ledger.follow({ insertedLines: 3 });
    expect(ledger.printed).toEqual(printed(["a", "b", "c"]));
    ledger.follow({ insertedLines: 4 });
    expect(ledger.printed).toEqual(printed(["a", "b", "c", "d"]));
    expect(ledger.waitingCount).toBe(0);
  });
});

describe("plain printing", () => {
  test("comes through where the emulator can reflow, and not where it cannot", () => {
    const ledgerOf = (text: string): Ledger => {
      const ledger = new Ledger();
      ledger.foreign([text, "next"]);
      ledger.resized({ columns: 32, rows: 6 });
      return ledger;
    };
    expect(plainPrinting({ columns: 40, rows: 6 }, ledgerOf("some words ".repeat(20)))).toBe("unharmed");
    expect(plainPrinting({ columns: 40, rows: 6 }, ledgerOf("ab 👨‍👩‍👧 ".repeat(6).trimEnd()))).toBe("harmed");
  });
});
