// One name for a key, however a terminal writes it.
import { expect, test } from "vitest";
import { keyName } from "../../../src/terminal/dialogs/key-names.js";

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
