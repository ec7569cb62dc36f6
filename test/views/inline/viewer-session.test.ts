// The viewer while the agent goes on: what comes is read on, a question is told of, and nothing is written when nothing is new.

import { expect, test } from "vitest";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import type { ViewerDocument } from "../../../src/terminal/painter/viewer/viewer-state.js";
import { ViewerSession } from "../../../src/views/inline/overlays.js";
import { Emulator } from "../../rigs/emulator.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { colourless } from "../../terminal/painter/visible.js";

const size = { columns: 60, rows: 4 };
const documentOf = (...lines: string[]): ViewerDocument => ({ lines, marks: [] });

function opened() {
  const emulator = new Emulator(size);
  const clock = new ManualClock();
  let news: ViewerDocument | null = null;
  let isAsking = false;
  let writes = 0;
  const session = new ViewerSession(documentOf("one", "two"), size, {
    apply: (bytes) => {
      writes += 1;
      void emulator.write(bytes);
      return "drained";
    },
    look: { style: colourless, glyphs: unicodeGlyphs },
    from: {
      at: "end",
      follow: {
        clock,
        document: () => {
          const now = news;
          news = null;
          return now;
        },
        isAsking: () => isAsking,
      },
    },
  });
  return {
    clock,
    session,
    get writes() {
      return writes;
    },
    came: (document: ViewerDocument) => {
      news = document;
    },
    ask: (state: boolean) => {
      isAsking = state;
    },
    rows: async () => {
      await emulator.write("");
      return emulator.viewport().map((row) => row.trimEnd());
    },
  };
}

test("what comes while one reads its end is shown, and an idle viewer writes nothing", async () => {
  const viewer = opened();
  expect(await viewer.rows()).toEqual(["one", "two", "", "end of 2 lines, following · q close · / search"]);
  const before = viewer.writes;
  viewer.clock.advance(10_000);
  expect(viewer.writes).toBe(before);
  viewer.came(documentOf("one", "two", "three", "four"));
  viewer.clock.advance(300);
  expect((await viewer.rows()).slice(0, 3)).toEqual(["two", "three", "four"]);
});

test("a question that waits is told of, until it is gone; a closed viewer looks no more", async () => {
  const viewer = opened();
  viewer.ask(true);
  viewer.clock.advance(300);
  expect((await viewer.rows()).at(-1)).toMatch(/^\? the agent asks you · q close/);
  viewer.ask(false);
  viewer.clock.advance(300);
  expect((await viewer.rows()).at(-1)).toMatch(/^end of 2 lines/);
  expect(viewer.session.key("q")).toBe("closed");
  const before = viewer.writes;
  viewer.came(documentOf("three"));
  viewer.clock.advance(1_000);
  expect(viewer.writes).toBe(before);
});
