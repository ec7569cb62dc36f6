// A journal as something to read: spaced as it was on the screen, and growing without being laid out again.
import { describe, expect, test } from "vitest";
import type { Block } from "../../../../src/session/transcript/block.js";
import { emptyJournal, journaled } from "../../../../src/session/transcript/journal.js";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import { documentOf, growingDocument } from "../../../../src/terminal/painter/viewer/transcript-document.js";
import { plainText } from "../../../../src/text/row.js";
import { colourless } from "../visible.js";

const look = { style: colourless, glyphs: unicodeGlyphs };
const blocks: readonly Block[] = [
  { kind: "prompt", id: "1", text: "set it up" },
  { kind: "asked", id: "2", title: "Which one?", outcome: "pnpm" },
  { kind: "asked", id: "3", title: "Which checks?", outcome: "types" },
  { kind: "thinking", id: "4", text: "All of this is done in one place only, I think" },
];
const journalOf = (list: readonly Block[]) =>
  list.reduce((journal, block) => journaled(journal, block), emptyJournal());

describe("the document of a transcript", () => {
  test("has blank lines where the transcript has them, signs included", () => {
    expect(documentOf(journalOf(blocks), 30, look).lines.map(plainText)).toEqual([
      "› set it up",
      "",
      "? Which one?  pnpm",
      "? Which checks?  types",
      "",
      "∴ All of this is done in one",
      "place only, I think",
    ]);
  });

  test("grows with the journal, and says when there is nothing new", () => {
    let journal = journalOf(blocks.slice(0, 2));
    const next = growingDocument(() => journal, 30, look);
    expect(next()?.lines).toHaveLength(3);
    expect(next()).toBeNull();
    for (const block of blocks.slice(2)) journal = journaled(journal, block);
    expect(next()).toEqual(documentOf(journal, 30, look));
    expect(next()).toBeNull();
  });
});
