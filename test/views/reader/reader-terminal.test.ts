// The reader's hold on a terminal: raw keys and one mode, both given back, and nothing at all for a terminal without modes.
import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { isDumbTerminal } from "../../../src/views/reader/dumb-terminal.js";
import { ReaderTerminal } from "../../../src/views/reader/run-reader.js";

function opened(modes: "paste" | "none") {
  const written: string[] = [];
  const modesSet: boolean[] = [];
  const heard: string[] = [];
  const input = Object.assign(new EventEmitter(), {
    setRawMode: (mode: boolean) => modesSet.push(mode),
    setEncoding: () => undefined,
    resume: () => undefined,
    pause: () => undefined,
  });
  const output = Object.assign(new EventEmitter(), {
    columns: 100,
    write: (bytes: string) => {
      written.push(bytes);
      return written.length < 3;
    },
  });
  const windowEvents = new EventEmitter();
  const terminal = new ReaderTerminal({
    input,
    output,
    windowEvents,
    modes,
    onKeys: (chunk) => heard.push(chunk),
    onColumns: (columns) => heard.push(`${columns} columns`),
    onDrained: () => heard.push("drained"),
    onInputClosed: () => heard.push("closed"),
  });
  terminal.start();
  return { terminal, written, modesSet, heard, input, output, windowEvents };
}

test("keys, widths, room and the end are told while it is ours, and not after", () => {
  const { terminal, heard, input, output, windowEvents } = opened("paste");
  const happen = () => {
    input.emit("data", "a");
    windowEvents.emit("SIGWINCH");
    output.emit("drain");
    input.emit("end");
  };
  happen();
  terminal.stop();
  happen();
  expect(heard).toEqual(["a", "100 columns", "drained", "closed"]);
});

test("what is switched on is switched off, once, however often it is stopped", () => {
  const { terminal, written, modesSet } = opened("paste");
  terminal.start();
  terminal.stop();
  terminal.stop();
  expect(written).toEqual(["\x1b[?2004h", "\x1b[?2004l"]);
  expect(terminal.rescue).toBe("\x1b[?2004l");
  expect(modesSet).toEqual([true, false]);
});

test("a terminal without modes is sent none", () => {
  const { terminal, written } = opened("none");
  terminal.stop();
  expect(written).toEqual([]);
  expect(terminal.rescue).toBe("");
});

test("says when the terminal cannot take more", () => {
  const { terminal } = opened("none");
  expect(["a", "b", "c"].map((bytes) => terminal.write(bytes))).toEqual(["drained", "drained", "full"]);
});

test.each([
  ["dumb", true],
  ["unknown", true],
  ["xterm-256color", false],
  [undefined, false],
])("TERM=%s can only append: %s", (TERM, isDumb) => {
  expect(isDumbTerminal({ TERM })).toBe(isDumb);
});
