// The scripted session: the same for everybody who knows its seed, and made so that a judge can tell its parts apart.
import { describe, expect, test } from "vitest";
import { plainText, rowWidth } from "../../src/text/row.js";
import { disguised, hasLiveGlyph } from "../../tools/terminals/live-disguise.js";
import { type SessionPlan, sessionScript, VARIANTS } from "../../tools/terminals/session-script.js";

const plan: SessionPlan = { seed: 3, variant: "mixed", lineCount: 350, resizeCount: 50, text: "wide" };

describe("the script of a session", () => {
  test("is the same for the same seed and another one for another seed", () => {
    expect(sessionScript(plan)).toEqual(sessionScript(plan));
    expect(sessionScript({ ...plan, seed: 4 }).lines).not.toEqual(sessionScript(plan).lines);
  });

  test.each(VARIANTS)("changes the size as often as it was asked to (%s)", (variant) => {
    const { checkpoints, pieces } = sessionScript({ ...plan, variant });
    expect(checkpoints.flatMap(({ sizes }) => sizes)).toHaveLength(50);
    expect(checkpoints.every(({ atPiece }) => atPiece > 0 && atPiece < pieces.length)).toBe(true);
  });

  test("streams every line whole, with narrow and wide text up to 360 columns", () => {
    const { lines, pieces } = sessionScript(plan);
    expect(pieces.join("")).toBe(`${lines.join("\n")}\n`);
    expect(Math.max(...lines.map(rowWidth))).toBeGreaterThan(300);
    expect(lines.some((line) => /\p{Emoji_Presentation}/u.test(line))).toBe(true);
    expect(lines.some((line) => /\p{Script=Han}/u.test(line))).toBe(true);
    expect(sessionScript({ ...plan, text: "ascii" }).lines.every((line) => /^[\x20-\x7e]+$/.test(line))).toBe(true);
  });

  test("contains nothing that could be taken for the live area", () => {
    const { lines, shell } = sessionScript(plan);
    expect([...lines, ...shell].filter(hasLiveGlyph)).toEqual([]);
  });
});

describe("a disguised live row", () => {
  const row = "\x1b[36m⠹\x1b[m run 漢字 🚀 é ▌ done";

  test("is as wide as before, with its styles and blanks where they were", () => {
    expect(rowWidth(disguised(row))).toBe(rowWidth(row));
    expect(disguised(row)).toMatch(/^\x1b\[36m.\x1b\[m .{3} .{2} . . ▌ .{4}$/u);
  });

  test("can be recognised by every single character", () => {
    const characters = Array.from(plainText(disguised(row))).filter((character) => character !== " ");
    expect(characters.filter((character) => !hasLiveGlyph(character))).toEqual([]);
  });
});
