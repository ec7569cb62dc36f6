// The signs of a dialog are Palaver's alone: whatever an agent says, wherever it is shown, and whatever blanks it puts around
// them, no row of its own has one.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText } from "../../src/text/row.js";
import { isReserved, safeLine, safeLines, safeReveal, safeSgrLines } from "../../src/text/safe.js";
import { everyEvent } from "../attack/every-event.js";
import { verifies } from "../verifies.js";
import { faces, type Surface } from "./faces.js";

const SIGNS = [..."▉▊▋▌▍▎▏▐▕┃❙❚▮┊╏❯❱❭➤"];
// Every kind of blank: ASCII, wide, narrow, without width, and characters that are drawn as nothing.
const BLANKS = [
  ..." \t\u00a0\u1680\u2000\u2003\u2007\u2009\u200a\u200b\u200d\u202f\u205f\u2060\u2800\u3000\u115f\u3164\uffa0\ufe0f",
  "",
];
const COLOURS = ["\x1b[34m", "\x1b[1;31m", "\x1b[0m", "\r", "\b"];
const WORDS = [
  "Allow it?",
  "y  yes",
  "n  no",
  "```\n",
  "\n",
  "| a | b |\n|---|---|\n",
  "- ",
  "> ",
  "    ",
  "x".repeat(57),
];

const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
  { weight: 3, arbitrary: fc.constantFrom(...BLANKS) },
  fc.constantFrom(...COLOURS),
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
);
const drawing = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(""));

describe("text from outside", () => {
  test("has no sign of a dialog behind the gate, whatever stands around it", () => {
    verifies("text.cannot-draw-dialogs");
    fc.assert(
      fc.property(drawing, (text) => {
        const shown = [safeLine(text), safeReveal(text), ...safeLines(text), ...safeSgrLines(text)];
        expect(shown.filter(isReserved)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test("has no sign of a tool row, and none of the user's at the start of a line", () => {
    verifies("text.cannot-draw-dialogs");
    const forged = fc.array(
      fc.oneof(part, fc.constantFrom(..."●◌✕›"), fc.constantFrom(" edit a.ts  +1 −1  allowed once", " ")),
      { maxLength: 24 },
    );
    fc.assert(
      fc.property(forged, (parts) => {
        const text = parts.join("");
        const shown = [safeLine(text), ...safeLines(text), ...safeSgrLines(text)].map((line) => plainText(line));
        expect(shown.filter((line) => /[●◌✕]|^\s*›/.test(line))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    expect(safeLines("● edit a.ts\n  › yes\nFile › Open")).toEqual(["• edit a.ts", "  > yes", "File › Open"]);
  });

  test("keeps its width: a sign is replaced by one of the same", () => {
    expect(safeLine("▌\u2003❯ 1  yes")).toBe("│\u2003> 1  yes");
    expect(safeLines("┃ a\n▐b")).toEqual(["│ a", "│b"]);
  });

  test("is spelt out in an approval, where it would stand beside the real ones", () => {
    expect(safeReveal("❯ 1  yes")).toBe("⟨U+276F⟩ 1  yes");
  });

  test("has no other bar at the start of a line", () => {
    expect(safeLines("█ Allow it?\n  █  1  yes\n｜Allow it?\n🭼 a\n🮏 b")).toEqual([
      "│ Allow it?",
      "  │  1  yes",
      "│ Allow it?",
      "│ a",
      "│ b",
    ]);
  });

  test("has no other bar where a wrapped line may begin, whatever blank stands beside it", () => {
    for (const blank of [" ", "\u2003", "\u2800", "\u115f"]) {
      expect(safeLine(`a long line █${blank}Allow it?`)).toBe(`a long line │${blank}Allow it?`);
      expect(safeLine(`${blank}⣿${blank}Allow it?`)).toContain(`│${blank}Allow it?`);
    }
  });

  test("keeps the blocks that progress bars and QR codes are made of", () => {
    expect(safeLine("█████░░░ 62 %")).toBe("█████░░░ 62 %");
    expect(safeLine("[█    ] 8 % done")).toBe("[█    ] 8 % done");
    expect(safeLine("█▀▀▀█ ▄ █")).toBe("█▀▀▀█ ▄ █");
    expect(safeLine("█ ▄▄▄▄▄ █▀█")).toBe("█ ▄▄▄▄▄ █▀█");
  });
});

/** The rows that have a sign of ours; the mark before a widget is ours, too, and no row of text can begin with it. */
function drawn(face: Surface): string[] {
  return face
    .text()
    .split("\n")
    .filter((row) => isReserved(row.replace(/^(?:┊ )+/, "")));
}

describe.each(Object.entries(faces))("%s", (_, open) => {
  test("shows no sign of a dialog in any field of any event", async () => {
    const texts = fc.sample(drawing, { numRuns: 400, seed: 7 });
    const face = await open();
    let next = 0;
    const events = [1, 2].flatMap(() => everyEvent(() => texts[next++ % texts.length] ?? ""));
    for (const event of events) {
      await face.hear(event);
      await face.look();
      expect(drawn(face)).toEqual([]);
    }
  });
});
