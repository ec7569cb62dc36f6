// Vi's normal mode as triples: a text with its cursor, keys, and what comes of them; and what holds for any keys.
import fc from "fast-check";
import { expect, test } from "vitest";
import { enterNormal, type ViState, type ViText, viInsert, viKey } from "../../src/session/vi-keys.js";

const normal: ViState = { ...viInsert, mode: "normal" };

function read(drawn: string): ViText {
  return { text: drawn.replace("|", ""), at: drawn.indexOf("|") };
}

function play(state: ViState, written: ViText, keys: Iterable<string>) {
  let now = { state, written };
  for (const key of keys) if (now.state.mode === "normal") now = viKey(now.state, now.written, key);
  return now;
}

test.each([
  ["|one two", "l", "o|ne two"],
  ["o|ne", "h", "|one"],
  ["on|e", "l", "on|e"],
  ["|one two three", "ww", "one two |three"],
  ["one two |three", "bb", "|one two three"],
  ["|one two", "e", "on|e two"],
  ["on|e two", "e", "one tw|o"],
  ["|a.b c", "w", "a|.b c"],
  ["one tw|o", "0", "|one two"],
  ["|one two", "$", "one tw|o"],
  ["on|e\nfour", "j", "one\nfo|ur"],
  ["three\nfo|ur", "k", "th|ree\nfour"],
  ["thre|e\nab", "j", "three\na|b"],
  ["|one", "x", "|ne"],
  ["on|e", "x", "o|n"],
  ["|one two", "dw", "|two"],
  ["one |two", "dw", "one| "],
  ["one |two\nthree", "dw", "one| \nthree"],
  ["|one two", "cw", "| two"],
  ["one\nt|wo\nthree", "dd", "one\n|three"],
  ["one\nt|wo", "dd", "|one"],
  ["o|ne\ntwo", "ddp", "two\n|one"],
  ["|one two", "dwp", "tone| wo"],
  ["|ab", "xp", "b|a"],
  ["o|ne", "A", "one|"],
  ["on|e", "I", "|one"],
  ["o|ne", "a", "on|e"],
  ["o|ne\ntwo", "o", "one\n|\ntwo"],
  ["|👩‍👩‍👧 b", "x", "| b"],
  ["|one", "dz", "|one"],
  ["|", "xddwbe", "|"],
])("%j %s → %j", (before, keys, after) => {
  const { text, at } = play(normal, read(before), keys).written;
  expect(`${text.slice(0, at)}|${text.slice(at)}`).toBe(after);
});

test("cw, i, a, A, I and o begin insert mode; esc in it goes one character back", () => {
  for (const keys of ["cw", "i", "a", "A", "I", "o", "cc"]) {
    expect(play(normal, read("on|e"), keys).state.mode).toBe("insert");
  }
  expect(enterNormal(viInsert, read("one|")).written.at).toBe(2);
  expect(enterNormal(viInsert, read("one\n|")).written.at).toBe(4);
});

test("u leaves the text to the editor's undo", () => {
  expect(viKey(normal, read("on|e"), "u")).toMatchObject({ undo: true, written: { text: "one", at: 2 } });
});

test("whatever the keys, the cursor stands on a character of the text, and dd p brings every line back", () => {
  const key = fc.constantFrom(..."hjklwbe0$xdcpuz");
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", ".", "ü", "日", "👩‍👩‍👧", "é"), maxLength: 30 });
  fc.assert(
    fc.property(text, fc.array(key, { maxLength: 40 }), (start, keys) => {
      const { state, written } = play(normal, { text: start, at: 0 }, keys);
      const boundaries = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(written.text)];
      const places = [...boundaries.map(({ index }) => index), written.text.length];
      expect(places).toContain(written.at);
      const isBehind = written.text.charAt(written.at) === "" || written.text.charAt(written.at) === "\n";
      const isLineStart = written.at === 0 || written.text.charAt(written.at - 1) === "\n";
      if (state.mode === "normal") expect(isBehind && !isLineStart).toBe(false);
      const clean = { ...state, mode: "normal", pending: "" } as const;
      const lines = (given: string) => given.split("\n").toSorted();
      const again = play(clean, written, "ddp").written.text;
      expect(lines(again).filter(Boolean)).toEqual(lines(written.text).filter(Boolean));
    }),
  );
});
