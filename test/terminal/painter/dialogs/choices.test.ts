// Choosing from a list: letters narrow long ones, digits pick from short ones, and the rows fit any width.
import { describe, expect, test } from "vitest";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import {
  type ChoicesKey,
  type ChoicesState,
  choiceRows,
  matching,
  openChoices,
  reduceChoices,
} from "../../../../src/terminal/painter/dialogs/choices.js";
import { hintRow, messageRows, titleRows } from "../../../../src/terminal/painter/dialogs/dialog-rows.js";
import { plainText, rowWidth } from "../../../../src/text/row.js";
import { colourless } from "../visible.js";

const look = { style: colourless, glyphs: unicodeGlyphs };
const managers = [
  { label: "npm", detail: "lock file found" },
  { label: "pnpm", detail: "fastest here" },
  { label: "yarn", detail: "" },
];

function press(state: ChoicesState, ...keys: ChoicesKey[]): { state: ChoicesState; chosen: number | null } {
  return keys.reduce<{ state: ChoicesState; chosen: number | null }>((step, key) => reduceChoices(step.state, key), {
    state,
    chosen: null,
  });
}

const type = (text: string): ChoicesKey => ({ type: "text", text });
const enter: ChoicesKey = { type: "enter" };

describe("a list to choose from", () => {
  test("narrows while one types, and takes what the cursor is on", () => {
    const open = openChoices(managers, { typing: "filter", cursor: 0 });
    expect(matching(press(open, type("p"), type("n")).state)).toEqual([1]);
    expect(press(open, type("fast"), enter).chosen).toBe(1);
    expect(press(open, type("zzz"), enter).chosen).toBeNull();
    expect(press(open, type("y"), { type: "backspace" }, enter).chosen).toBe(0);
    expect(press(open, { type: "move", by: -1 }, enter).chosen).toBe(2);
  });

  test("picks by the key of a choice, and ignores other letters", () => {
    const keyed = managers.map((choice, at) => ({ ...choice, key: ["y", "a", ""][at] ?? "" }));
    const open = openChoices(keyed, { typing: "keys", cursor: 2 });
    expect(press(open, type("a")).chosen).toBe(1);
    expect(press(open, type("2")).chosen).toBeNull();
    expect(press(open, type("x"), enter).chosen).toBe(2);
  });

  test("looks like this", () => {
    const state = openChoices(managers, { typing: "filter", cursor: 1 });
    expect(choiceRows(state, 40, look).map(plainText)).toEqual([
      "  npm   lock file found",
      "❯ pnpm  fastest here",
      "  yarn",
    ]);
  });

  test("shows a window of a long list around the cursor and how many more there are", () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ label: `item ${index}`, detail: "" }));
    const rows = choiceRows(openChoices(many, { typing: "filter", cursor: 20 }), 40, look).map(plainText);
    expect(rows).toHaveLength(9);
    expect(rows).toContain("❯ item 20");
    expect(rows.at(-1)).toBe("  … 22 more");
  });
});

test("what is asked is shown whole, with everything invisible made visible", () => {
  const head = {
    title: "run rm -rf \u202e/tmp/x",
    message: "a\u00a0b ".repeat(20),
    aside: "",
    danger: "danger" as const,
  };
  const rows = [...titleRows(head, 30, look), ...messageRows(head.message, 30)].map(plainText);
  expect(rows.join("")).toContain("⟨U+202E⟩");
  expect(rows.join(" ")).toContain("⟨U+00A0⟩");
  for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(30);
});

test("keys are named as far as there is room, the most important first", () => {
  expect(plainText(hintRow(["enter choose", "esc cancel", "type to filter"], 60, look))).toBe(
    "enter choose · esc cancel · type to filter",
  );
  expect(plainText(hintRow(["enter choose", "esc cancel", "type to filter"], 30, look))).toBe(
    "enter choose · esc cancel",
  );
});
