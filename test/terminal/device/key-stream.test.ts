// Bytes of the keyboard as keys: which of them came together, so that they can be drawn together.
import { expect, test } from "vitest";
import { KeyStream } from "../../../src/terminal/device/key-stream.js";

function read(...chunks: readonly string[]): string[] {
  const keys: string[] = [];
  const stream = new KeyStream((sequence, place) => keys.push(`${sequence} ${place}`));
  for (const chunk of chunks) stream.read(chunk);
  stream.close();
  return keys;
}

test("every key of a chunk but the last says that more came with it", () => {
  expect(read("abc", "d")).toEqual(["a more", "b more", "c last", "d last"]);
  expect(read("a\x1b[200~two\nlines\x1b[201~b")).toEqual(["a more", "\x1b[200~two\nlines\x1b[201~ more", "b last"]);
});

test("a key that closes the stream takes the ones behind it along", () => {
  const keys: string[] = [];
  const stream: KeyStream = new KeyStream((sequence) => {
    keys.push(sequence);
    stream.close();
  });
  stream.read("qx");
  expect(keys).toEqual(["q"]);
});
