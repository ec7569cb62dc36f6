// What is kept of a session to be read again: everything for a long time, the newest for ever.
import { expect, test } from "vitest";
import type { Block } from "../../../src/session/transcript/block.js";
import { emptyJournal, journaled } from "../../../src/session/transcript/journal.js";

const said = (id: number, text = "a line"): Block => ({ kind: "log", id: `b${id}`, text });

test("the newest blocks are kept, the oldest given up, and none is lost count of", () => {
  let journal = emptyJournal();
  for (let at = 0; at < 45_000; at += 1) {
    journal = journaled(journal, said(at));
    expect(journal.blocks.length + journal.dropped).toBe(at + 1);
  }
  expect(journal.blocks.length).toBeGreaterThanOrEqual(20_000);
  expect(journal.blocks.length).toBeLessThanOrEqual(21_000);
  expect(journal.blocks.at(-1)?.id).toBe("b44999");
  expect(journal.blocks[0]?.id).toBe(`b${journal.dropped}`);
  expect(journal.units).toBe(journal.blocks.length * "a line".length);
});

test("a block larger than all there is room for stands alone", () => {
  let journal = journaled(emptyJournal(), said(1));
  journal = journaled(journal, said(2, "x".repeat(40 * 1024 * 1024)));
  expect(journal).toMatchObject({ dropped: 1, blocks: [{ id: "b2" }] });
});
