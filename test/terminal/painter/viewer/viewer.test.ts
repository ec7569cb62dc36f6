// Reading a long transcript on the full screen: scrolling, searching and jumping, at any width, and leaving no trace.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import type { Size } from "../../../../src/terminal/painter/frame.js";
import { FullScreen } from "../../../../src/terminal/painter/full-screen.js";
import { highlighted, matchesIn } from "../../../../src/terminal/painter/viewer/line-search.js";
import { viewerFrame } from "../../../../src/terminal/painter/viewer/viewer-frame.js";
import { viewerIntent } from "../../../../src/terminal/painter/viewer/viewer-keys.js";
import {
  openViewer,
  reduceViewer,
  rowsOf,
  type ViewerAction,
  type ViewerState,
} from "../../../../src/terminal/painter/viewer/viewer-state.js";
import { plainText } from "../../../../src/text/row.js";
import { Emulator } from "../../../rigs/emulator.js";
import { colourless } from "../visible.js";

const look = { style: colourless, glyphs: unicodeGlyphs };
const lines = Array.from({ length: 100 }, (_, index) => `line ${index} ${"x".repeat((index * 7) % 40)}`);
const document = { lines, marks: [0, 20, 60] };
const size: Size = { columns: 30, rows: 6 };

function press(state: ViewerState, ...keys: string[]): ViewerState {
  return keys.reduce((now, key) => {
    const intent = viewerIntent(now, key);
    return intent === null || intent.type === "close" ? now : reduceViewer(now, intent);
  }, state);
}

const page = (state: ViewerState) => viewerFrame(state, look).rows.map(plainText);
const topLine = (state: ViewerState) => state.top.line;

describe("the viewer", () => {
  test("names the way out and what was not found at any width, and the other keys where there is room", () => {
    const wide = { columns: 80, rows: 6 };
    const narrow = { columns: 40, rows: 6 };
    const last = (state: ViewerState) => page(state).at(-1);
    expect(last(press(openViewer(document, wide), "g"))).toBe("line 1 of 100 · q close · / search · [ ] prompts");
    expect(last(press(openViewer(document, wide), ..."g/x", "enter"))).toBe(
      "1 of 97 · q close · n next · N back · / search",
    );
    expect(last(press(openViewer(document, narrow), ..."g/x", "enter"))).toBe("1 of 97 · q close · n next · N back");
    const query = "a query that is longer than the row";
    expect(last(press(openViewer(document, narrow), "/", ...query, "enter"))).toMatch(/^no "a query .*…" · q close$/);
  });

  test("at the end of what grows follows it and says so; elsewhere it stays, and names the key that follows", () => {
    const grown = { lines: [...lines, "news"], marks: document.marks };
    const wide = { columns: 80, rows: 6 };
    const grow = (state: ViewerState) => reduceViewer(state, { type: "grow", document: grown });
    const atEnd = grow(openViewer(document, wide, "grows"));
    expect(page(atEnd).slice(-2)).toEqual(["news", "end of 101 lines, following · q close · / search · [ ] prompts"]);
    const reading = press(openViewer(document, wide, "grows"), "up");
    expect(grow(reading).top).toEqual(reading.top);
    expect(page(grow(reading)).at(-1)).toContain("q close · end: follow");
    expect(page(press(grow(reading), "end")).at(-2)).toBe("news");
    const searching = press(openViewer(document, wide, "grows"), "/");
    expect(grow(searching).top).toEqual(searching.top);
  });

  test("tells that the agent waits for an answer, before anything else", () => {
    const asked = (columns: number) =>
      reduceViewer(openViewer(document, { columns, rows: 6 }), { type: "agent.waits", waits: "for an answer" });
    expect(page(asked(80)).at(-1)).toBe("? the agent asks you · q close · end of 100 lines");
    expect(page(asked(40)).at(-1)).toBe("? the agent asks you · q close");
    const missing = press(asked(80), "/", "z", "z", "enter");
    expect(page(missing).at(-1)).toBe('? the agent asks you · q close · no "zz" · end of 100 lines');
    const quiet = reduceViewer(asked(80), { type: "agent.waits", waits: "for nothing" });
    expect(page(quiet).at(-1)).toMatch(/^end of 100 lines/);
  });

  test("opens at the end, with its place and its keys in the last row", () => {
    const rows = page(openViewer({ lines: ["one", "two", "three"], marks: [] }, { columns: 60, rows: 5 }));
    expect(rows).toEqual(["one", "two", "three", "", "end of 3 lines · q close · / search"]);
    expect(page(openViewer(document, size)).at(-2)).toBe(rowsOf(lines[99] ?? "", 30).at(-1));
  });

  test("scrolls by rows and pages, and stops at both ends", () => {
    const start = press(openViewer(document, size), "g");
    expect(page(start).slice(0, 2)).toEqual(["line 0 ", "line 1 xxxxxxx"]);
    expect(topLine(press(start, "j", "j"))).toBe(2);
    expect(press(start, "k", "pageup").top).toEqual({ line: 0, row: 0 });
    const end = press(start, "G");
    expect(press(end, "j", "space", "pagedown").top).toEqual(end.top);
    expect(press(start, "space", "b").top).toEqual(start.top);
  });

  test("jumps between the user's own words", () => {
    const end = openViewer(document, size);
    const back = press(end, "[");
    expect(topLine(back)).toBe(60);
    expect(topLine(press(back, "[", "["))).toBe(0);
    expect(topLine(press(back, "[", "[", "["))).toBe(0);
    expect(topLine(press(back, "[", "[", "]"))).toBe(20);
  });

  test("searches while one types, continues with n and N, around the ends, and says when there is nothing", () => {
    const start = press(openViewer(document, size), "g");
    const typing = press(start, "/", ..."line 42");
    expect(viewerFrame(typing, look)).toMatchObject({ cursor: { row: 5, column: 8 } });
    expect(page(typing).join("\n")).toContain("line 42");
    expect(press(typing, "escape").top).toEqual(start.top);
    const found = press(typing, "enter");
    expect(found.search).toEqual({ phase: "found", query: "line 42", line: 42, nth: 1, of: 1 });
    expect(press(start, "/", ..."line 9", "enter", "n").search).toMatchObject({ line: 90 });
    expect(press(start, "/", ..."line 9", "enter", "N").search).toMatchObject({ line: 99 });
    const missing = press(start, "/", ..."nowhere", "enter");
    expect(page(missing).at(-1)).toContain('no "nowhere"');
    expect(missing.top).toEqual(start.top);
  });

  test("a query in small letters finds capitals, one with a capital means it", () => {
    expect(matchesIn("Error and error", "error")).toEqual([
      [0, 5],
      [10, 15],
    ]);
    expect(matchesIn("Error and error", "Error")).toEqual([[0, 5]]);
    expect(matchesIn("İstanbul", "stan")).toEqual([[1, 5]]);
  });

  test("counts the lines that match, and says which one is the current one", () => {
    const lines = Array.from({ length: 40 }, (_, at) => (at % 10 === 0 ? `match ${at}` : `line ${at}`));
    const steps = [
      { type: "go", to: "start" },
      { type: "search.begin" },
      { type: "search.edit", query: "match" },
      { type: "search.accept" },
      { type: "search.again", direction: "forward" },
      { type: "search.again", direction: "forward" },
    ] as const;
    const state = steps.reduce(reduceViewer, openViewer({ lines, marks: [] }, { columns: 60, rows: 12 }));
    const frame = viewerFrame(state, { style: colourless, glyphs: unicodeGlyphs });
    expect(frame.rows.at(-1)).toMatch(/3 of 4 · q close · n next/);
    expect(frame.rows.filter((row) => row.includes("\x1b[7m")).map(plainText)).toEqual(["match 20"]);
    const back = reduceViewer(reduceViewer(state, { type: "search.again", direction: "forward" }), {
      type: "search.again",
      direction: "forward",
    });
    expect(back.search).toMatchObject({ nth: 1, of: 4, line: 0 });
  });

  test("marks matches, the current one in reverse, and keeps the text and the colours around them", () => {
    const red = "\x1b[31mred word here\x1b[m";
    expect(plainText(highlighted(red, "word", "current"))).toBe("red word here");
    expect(highlighted(red, "word", "current")).toContain("\x1b[7mword\x1b[m");
    expect(highlighted(red, "word", "other")).toContain("\x1b[4mword\x1b[m");
    expect(plainText(highlighted("日本語と日本", "本", "other"))).toBe("日本語と日本");
  });

  test("every place it can be brought to shows what a whole wrapped transcript shows there", () => {
    const action: fc.Arbitrary<ViewerAction> = fc.oneof(
      fc.integer({ min: -50, max: 50 }).map((rows): ViewerAction => ({ type: "scroll", rows })),
      fc.constantFrom<ViewerAction>(
        { type: "page", direction: "forward" },
        { type: "page", direction: "back" },
        { type: "go", to: "start" },
        { type: "jump", direction: "back" },
        { type: "jump", direction: "forward" },
      ),
      fc
        .record({ columns: fc.integer({ min: 1, max: 60 }), rows: fc.integer({ min: 1, max: 20 }) })
        .map((next): ViewerAction => ({ type: "resize", size: next })),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const state = actions.reduce(reduceViewer, openViewer(document, size));
        const before = lines.slice(0, state.top.line).flatMap((line) => rowsOf(line, state.size.columns)).length;
        const all = lines.flatMap((line) => rowsOf(line, state.size.columns));
        const rows = viewerFrame(state, look).rows.slice(0, -1);
        const from = before + state.top.row;
        expect(rows).toEqual(all.slice(from, from + rows.length));
      }),
    );
  });

  test("fits a screen of 10×3 and one of a single row", () => {
    for (const tiny of [
      { columns: 10, rows: 3 },
      { columns: 1, rows: 1 },
    ]) {
      const state = reduceViewer(openViewer(document, size), { type: "resize", size: tiny });
      const { rows } = viewerFrame(state, look);
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(2, tiny.rows));
      for (const row of rows) expect(plainText(row).length).toBeLessThanOrEqual(tiny.columns);
    }
  });
});

test("on the alternate screen it leaves the main screen as it was", async () => {
  const emulator = new Emulator({ columns: 30, rows: 6 });
  await emulator.write("shell 1\r\nshell 2\r\n$ ");
  const before = emulator.viewport();
  let state = press(openViewer(document, size), "g");
  const full = new FullScreen(
    (bytes) => {
      void emulator.write(bytes);
      return "drained";
    },
    size,
    () => viewerFrame(state, look),
  );
  full.open();
  state = press(state, "space");
  full.draw();
  await emulator.write("");
  expect(emulator.viewport()[0]).toBe(page(state)[0]);
  full.close();
  await emulator.write("");
  expect(emulator.viewport()).toEqual(before);
});
