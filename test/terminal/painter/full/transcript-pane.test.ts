// What is kept of a transcript for the full screen, and that reading it costs the same however long it is.
import { describe, expect, test } from "vitest";
import { createKeymap } from "../../../../src/session/keymap.js";
import { paneIntent } from "../../../../src/terminal/painter/full/pane-keys.js";
import { KeptLines, TranscriptPane } from "../../../../src/terminal/painter/full/transcript-pane.js";
import { wheelRows } from "../../../../src/terminal/painter/full/wheel.js";

const lines = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `line ${from + index}`);

describe("the kept lines", () => {
  test("are at most so many, and the newest of them", () => {
    const kept = new KeptLines();
    let dropped = 0;
    for (let at = 0; at < 100_000; at += 500) dropped += kept.add(lines(500, at));
    expect(kept.lines.length).toBeLessThanOrEqual(22_000);
    expect(kept.lines.at(-1)).toBe("line 99999");
    expect(kept.lines[0]).toBe(`line ${dropped}`);
  });

  test("are at most so much text, but never less than the last line", () => {
    const kept = new KeptLines();
    for (let at = 0; at < 50; at += 1) kept.add(["x".repeat(200_000)]);
    expect(kept.lines.join("").length).toBeLessThanOrEqual(4 * 1024 * 1024);
    kept.add(["y".repeat(10_000_000)]);
    expect(kept.lines.map((line) => line[0])).toEqual(["y"]);
  });
});

describe("the pane", () => {
  test("stays at the line one reads when older lines are given up", () => {
    const pane = new TranscriptPane();
    pane.fit({ columns: 40, rows: 6 });
    pane.add(lines(20_000));
    pane.act({ type: "page", direction: "back" });
    const top = () => {
      const { reading } = pane;
      return reading === null ? "following" : pane.page(reading).rows[0];
    };
    const before = top();
    expect(before).toMatch(/^line 199\d\d$/);
    pane.add(lines(5_000, 20_000));
    expect(top()).toBe(before);
    pane.add(lines(60_000, 25_000));
    expect(top()).toMatch(/^line \d+$/);
  });

  test("wraps what is on the page and nothing else", () => {
    const wrapped: string[] = [];
    const watched = (text: string) =>
      new Proxy(new String(text), {
        get(target, name) {
          if (name === "length") wrapped.push(text);
          return Reflect.get(target, name, target);
        },
      }) as unknown as string;
    const pane = new TranscriptPane();
    pane.fit({ columns: 40, rows: 6 });
    pane.add(lines(10_000).map(watched));
    wrapped.length = 0;
    pane.add(["the end"]);
    pane.lastRows(1);
    expect(wrapped).toEqual([]);
  });

  test("a search that finds nothing, or has nothing to search in, does no harm", () => {
    const pane = new TranscriptPane();
    pane.fit({ columns: 40, rows: 6 });
    for (const query of ["x", ""]) {
      pane.act({ type: "search.begin" });
      pane.act({ type: "search.edit", query });
      pane.act({ type: "search.accept" });
      pane.act({ type: "search.again", direction: "forward" });
    }
    pane.act({ type: "follow" });
    expect(pane.lastRows(5)).toEqual([]);
  });
});

test.each([
  ["\x1b[<64;1;1M", -3],
  ["\x1b[<65;1;1M", 3],
  ["\x1b[<68;120;40M", -3],
  ["\x1b[<0;1;1M", 0],
  ["\x1b[<0;1;1m", 0],
  ["\x1b[A", null],
  ["x", null],
])("the mouse report %j scrolls by %s", (sequence, rows) => {
  expect(wheelRows(sequence)).toBe(rows);
});

test.each([
  ["composer", "pageup", "page"],
  ["dialog", "pageup", null],
  ["dialog", "shift+pageup", "page"],
  ["dialog", "ctrl+f", "search.begin"],
  ["composer", "ctrl+end", "follow"],
  ["composer", "end", null],
  ["composer", "n", null],
  ["composer", "escape", null],
] as const)("beside a %s the key %s means %s", (keysOf, key, type) => {
  expect(paneIntent({ reading: null, keysOf }, key)?.type ?? null).toBe(type);
});

test("the keys that scroll are the user's own, and none of his for writing are taken", () => {
  const { keymap } = createKeymap({ "page-up": ["alt+k"], find: ["ctrl+s"], "go-end": [] });
  const meaning = (key: string) => paneIntent({ reading: null, keysOf: "composer", keymap }, key)?.type ?? null;
  expect(["alt+k", "ctrl+s", "pageup", "ctrl+f", "ctrl+end", "pagedown"].map(meaning)).toEqual([
    "page",
    "search.begin",
    null,
    null,
    null,
    "page",
  ]);
});
