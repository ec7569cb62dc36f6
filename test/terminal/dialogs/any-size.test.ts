// Whatever is asked, at whatever size, whatever is typed: a dialog keeps to its rows and columns, and what has the focus is in it.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { FormField } from "../../../src/contract/dialogs.js";
import { plainText, rowWidth } from "../../../src/text/row.js";
import { DialogRig } from "./dialog-rig.js";

const words = fc.oneof(
  fc.string({ maxLength: 30, unit: "grapheme" }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom("", "a", "日本語の質問", "a\nb\nc", "x".repeat(200), "\x1b[2J\u202e\t", "word ".repeat(40)),
);
const option = fc.record({ label: words, value: fc.string({ maxLength: 3 }), description: fc.option(words) });
const options = fc.array(option, { maxLength: 15 });
const field: fc.Arbitrary<FormField> = fc.record({
  name: fc.string({ minLength: 1, maxLength: 4 }),
  label: words,
  kind: fc.constantFrom("text", "secret", "number", "confirm", "select", "multi_select"),
  options,
  description: words,
  required: fc.boolean(),
});
const flags = fc.record({ allow_remember: fc.boolean(), allow_reason: fc.boolean(), rule: words, scope: words });
const choice = fc.constantFrom(
  "allow_once" as const,
  "allow_always" as const,
  "reject_once" as const,
  "reject_always" as const,
);

const question: fc.Arbitrary<Ask["question"]> = fc.oneof(
  fc.record({
    kind: fc.constant("select" as const),
    params: fc.record({ title: words, message: words, options, opts: fc.record({ multi: fc.boolean() }) }),
  }),
  fc.record({
    kind: fc.constant("confirm" as const),
    params: fc.record({
      title: words,
      message: words,
      opts: fc.tuple(flags, words, words).map(([flag, command, danger]) => ({ ...flag, command, danger })),
    }),
  }),
  fc.record({
    kind: fc.constant("input" as const),
    params: fc.record({
      title: words,
      message: words,
      placeholder: words,
      opts: fc.record({ default: words, secret: fc.boolean(), required: fc.boolean() }),
    }),
  }),
  fc.record({
    kind: fc.constant("editor" as const),
    params: fc.record({ title: words, message: words, prefill: words }),
  }),
  fc.record({
    kind: fc.constant("form" as const),
    params: fc.record({ title: words, message: words, fields: fc.array(field, { maxLength: 6 }) }),
  }),
  fc.record({
    kind: fc.constant("files" as const),
    params: fc.record({
      title: words,
      message: words,
      folder: words,
      opts: fc.record({ multi: fc.boolean(), default: words }),
    }),
  }),
  fc.record({
    kind: fc.constant("permission" as const),
    params: fc.record({
      title: words,
      tool: words,
      command: words,
      choices: fc.array(fc.record({ id: words, label: words, choice }), { maxLength: 6 }),
    }),
  }),
);
const key = fc.constantFrom(
  "down",
  "up",
  "tab",
  "pageDown",
  "end",
  " ",
  "x",
  "日",
  "ctrl+s",
  "left",
  "right",
  "shift+enter",
);

test("a dialog never has more rows or columns than it may, and its cursor is in it", () => {
  fc.assert(
    fc.property(
      question,
      fc.array(key, { maxLength: 6 }),
      fc.integer({ min: 20, max: 100 }),
      fc.integer({ min: 5, max: 20 }),
      (asked, keys, columns, rowsMax) => {
        const rig = new DialogRig(asked);
        for (const pressed of keys) rig.press(pressed);
        const { rows, cursor } = rig.dialog.frame(columns, rowsMax);
        expect(rows.length).toBeLessThanOrEqual(rowsMax);
        for (const row of rows) {
          expect(rowWidth(row)).toBeLessThanOrEqual(columns);
          expect(plainText(row)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
        }
        if (cursor !== null) {
          expect(cursor.row).toBeLessThan(rows.length);
          expect(cursor.column).toBeLessThanOrEqual(columns);
        }
        const takesText = asked.kind === "input" || asked.kind === "editor";
        if (takesText) expect(cursor).not.toBeNull();
      },
    ),
    {
      numRuns: 300,
      // The words for a list that has not come are as wide as the narrowest window.
      examples: [[{ kind: "files", params: { title: "" } }, [], 20, 5]],
    },
  );
});

test("an approval that is not answered by y or by Enter on an allowing answer is never given", () => {
  const typed = fc.array(
    fc.oneof(fc.constantFrom("enter", "escape", "d", " ", "1", "a"), fc.string({ maxLength: 1 })),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(typed, (keys) => {
      const rig = new DialogRig({ kind: "confirm", params: { title: "run it" } });
      for (const pressed of keys.filter((pressed) => pressed !== "y")) {
        const outcome = rig.press(pressed);
        if (outcome?.type === "answered") expect(outcome.value).toBe(false);
        if (outcome?.type === "answered" || outcome?.type === "cancelled") return;
      }
    }),
  );
});
