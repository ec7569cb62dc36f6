// One name for a key, however a terminal writes it.
import { expect, test } from "vitest";
import { isCutReport, keyName } from "../../../src/terminal/dialogs/key-names.js";

test.each([
  ["home", ["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"]],
  ["end", ["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"]],
  ["ctrl+end", ["\x1b[1;5F"]],
  ["escape", ["\x1b"]],
])("%s is known by everything that terminals send for it", (name, sequences) => {
  expect(sequences.map((sequence) => keyName(sequence)?.toLowerCase())).toEqual(sequences.map(() => name));
});

test("a key that goes up has no name", () => {
  expect(keyName("\x1b[97;1:3u")).toBeUndefined();
});

test("a report of the terminal that was cut is known, and no key or whole report is taken for one", () => {
  const cut = ["\x1b[<0;", "\x1b[?62;", "\x1b[M", "\x1b]11;rgb:", "\x1bP>|xterm"];
  const whole = [
    "\x1b",
    "1",
    "\x1b[A",
    "\x1b[1;5F",
    "\x1b[<0;1;1M",
    "\x1b[97;1:3u",
    "\x1b]11;rgb:0\x07",
    "\x1bOP",
    "\x1bx",
  ];
  expect(cut.filter((sequence) => !isCutReport(sequence))).toEqual([]);
  expect(whole.filter(isCutReport)).toEqual([]);
});
