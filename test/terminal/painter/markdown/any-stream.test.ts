// What holds for every Markdown text, however it arrives: the settled lines are those of a whole rendering, nothing is lost,
// nothing foreign comes through, and no live row is too wide.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMarkdownStream, markdownRows } from "../../../../src/terminal/painter/markdown/markdown-stream.js";
import { plainText, rowWidth } from "../../../../src/text/row.js";
import { verifies } from "../../../verifies.js";
import { harbour } from "../visible.js";
import { anyMarkdown, confetti, cutInto, document } from "./any-markdown.js";

const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
// Where a row has a single cell, a wide character has no place; that is for the text room to test.
const widths = fc.integer({ min: 4, max: 120 });
const wraps = fc.constantFrom("words" as const, "terminal" as const);

/** PALAVER_THOROUGHNESS=50 looks fifty times as long. */
const THOROUGHNESS = Number(process.env["PALAVER_THOROUGHNESS"] ?? 1);

/** Only what we write ourselves: SGR that our styles use, and links. */
const OURS = /\x1b\[[0-9;]*m|\x1b\]8;;[\x21-\x7e]*\x1b\\/g;

function streamed(
  tokens: readonly string[],
  widthCells: number,
  wrap: "words" | "terminal",
  takeEvery: number,
): string[] {
  const stream = createMarkdownStream({ style: harbour, wrap });
  const rows: string[] = [];
  tokens.forEach((token, index) => {
    stream.append(token);
    if (index % takeEvery === 0) {
      rows.push(...stream.takeSettled(widthCells));
      stream.liveRows(widthCells);
    }
  });
  stream.finish();
  rows.push(...stream.takeSettled(widthCells));
  expect(stream.takeSettled(widthCells)).toEqual([]);
  expect(stream.liveRows(widthCells)).toEqual([]);
  return rows;
}

describe("any Markdown", () => {
  test("settles as the same lines, however it was cut into tokens and whenever they were taken", () => {
    verifies("screen.settled-never-changes");
    fc.assert(
      fc.property(
        anyMarkdown,
        sizes,
        widths,
        wraps,
        fc.integer({ min: 1, max: 9 }),
        (text, cuts, width, wrap, every) => {
          const whole = markdownRows(text, width, { style: harbour, wrap });
          expect(streamed(cutInto(text, cuts), width, wrap, every)).toEqual(whole);
        },
      ),
      { numRuns: 300 * THOROUGHNESS },
    );
  });

  test.each([
    ["HTML", "<d>\nl\n\ufeffe"],
    ["HTML, with a wide space", "<d>\nl\n\u3000e"],
    ["indented code", "    l\n    \u00a0\n\n    e"],
    ["what is no table", "```\n```\na||\n\ufeff-|-"],
    ["a list", "- \u3000\n- \ufeffx\n  y"],
  ])("a sign that nobody sees is no blank in %s, wherever the text was cut", (_, text) => {
    const whole = markdownRows(text, 40, { style: harbour, wrap: "words" });
    for (let at = 1; at < text.length; at++) {
      const pieces = [text.slice(0, at), text.slice(at)];
      expect(streamed(pieces, 40, "words", 1), `cut at ${at}`).toEqual(whole);
    }
  });

  test("never has a live row wider than the screen, nor prose that was wrapped for it", () => {
    fc.assert(
      fc.property(anyMarkdown, sizes, fc.integer({ min: 1, max: 120 }), (text, cuts, width) => {
        const stream = createMarkdownStream({ style: harbour, wrap: "words" });
        let widest = 0;
        for (const token of cutInto(text, cuts)) {
          stream.append(token);
          for (const row of stream.liveRows(width)) widest = Math.max(widest, rowWidth(row));
          stream.takeSettled(width);
          for (const row of stream.liveRows(width)) widest = Math.max(widest, rowWidth(row));
        }
        expect(widest).toBeLessThanOrEqual(width);
      }),
      { numRuns: 60 * THOROUGHNESS },
    );
  });

  test("keeps every letter and digit in order when the width changes while it streams", () => {
    fc.assert(
      fc.property(document, sizes, fc.array(widths, { minLength: 1, maxLength: 5 }), (text, cuts, changing) => {
        const stream = createMarkdownStream({ style: harbour, wrap: "words" });
        const rows: string[] = [];
        cutInto(text, cuts).forEach((token, index) => {
          stream.append(token);
          rows.push(...stream.takeSettled(changing[index % changing.length] ?? 80));
        });
        stream.finish();
        rows.push(...stream.takeSettled(80));
        const steady = markdownRows(text, 80, { style: harbour, wrap: "words" });
        // A table that is too narrow repeats its header in every record, so tables are compared elsewhere.
        if (!text.includes("|")) expect(letters(rows)).toBe(letters(steady));
      }),
      { numRuns: 150 * THOROUGHNESS },
    );
  });

  test("lets no escape sequence through but our own", () => {
    fc.assert(
      fc.property(fc.oneof(confetti, fc.string({ unit: "binary", maxLength: 200 })), sizes, (text, cuts) => {
        const rows = streamed(cutInto(text, cuts), 40, "words", 3);
        for (const row of rows)
          expect(row.replace(OURS, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 150 * THOROUGHNESS },
    );
  });
});

function letters(rows: readonly string[]): string {
  return rows
    .map(plainText)
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
