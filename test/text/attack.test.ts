// Foreign text on a real emulator: whatever it contains, nothing but its own row may change. The same watch first proves
// that it notices the attacks, by letting them through.

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { plainText, sliceRow, tokens } from "../../src/text/row.js";
import { safeLine, safeLines, safeReveal, safeSgrLines } from "../../src/text/safe.js";
import { graphemes, isDisputed } from "../../src/text/width.js";
import { attacks } from "./attack-corpus.js";
import { type Report, TEXT_COLUMNS, watch } from "./watched-screen.js";

const gates: Record<string, (text: string) => string[]> = {
  safeLine: (text) => [safeLine(text)],
  safeLines,
  safeReveal: (text) => [safeReveal(text)],
  safeSgrLines,
};

let untouched: Report;
beforeAll(async () => {
  untouched = await watch("harmless");
});

// Terminals work side by side, because each of them mostly waits for its own timer.
async function touched(texts: readonly { name: string; bytes: string }[]): Promise<string[]> {
  const reports = await Promise.all(texts.map(({ bytes }) => watch(bytes)));
  return texts.filter((_, index) => !isDeepStrictEqual(reports[index], untouched)).map(({ name }) => name);
}

// Rows are drawn one over the other in the same place, the way a painter redraws a row.
const drawn = (rows: readonly string[]) => rows.map((row) => `${sliceRow(row, 0, TEXT_COLUMNS)}\r`).join("");

test("the watch notices the attacks when they are let through", async () => {
  const felt = attacks.filter((attack) => attack.felt);
  const noticed = await touched(felt.map(({ name, text }) => ({ name, bytes: text })));
  expect(noticed).toEqual(felt.map(({ name }) => name));
});

describe.each(Object.entries(gates))("%s", (name, gate) => {
  test("leaves everything outside its row alone, for every known attack", async () => {
    expect(await touched(attacks.map(({ name, text }) => ({ name, bytes: drawn(gate(text)) })))).toEqual([]);
  });

  test("leaves everything outside its row alone, for random bytes and mixtures of attacks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileText, { minLength: 10, maxLength: 20 }), async (texts) => {
        expect(await touched(texts.map((text) => ({ name: text, bytes: drawn(gate(text)) })))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test("stays within its columns, as far as terminals agree on widths", async () => {
    const place = { fromColumn: 10, toColumn: 30 };
    const expected = await watch("harmless", place);
    const agreed = (row: string) =>
      graphemes(plainText(row))
        .filter((cluster) => !isDisputed(cluster))
        .join("");
    await fc.assert(
      fc.asyncProperty(fc.array(hostileText, { minLength: 10, maxLength: 20 }), async (texts) => {
        const reports = texts.map((text) => watch(sliceRow(gate(text).map(agreed).join(""), 0, 20), place));
        for (const report of await Promise.all(reports)) expect(report).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test("lets no control character through, and of the escapes only colours", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const row of gate(text)) {
          expect(plainText(row)).not.toMatch(
            /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Surrogate}]/u,
          );
          const kinds = new Set(tokens(row).map(({ kind }) => kind));
          expect([...kinds].filter((kind) => kind !== "text")).toEqual(
            name === "safeSgrLines" && kinds.has("sgr") ? ["sgr"] : [],
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("keeps the text that follows an attack", () => {
    for (const { name: attack, text } of attacks) {
      if (!text.endsWith("gotcha")) continue;
      expect(plainText(gate(text).join("\n")).endsWith("gotcha"), attack).toBe(true);
    }
  });
});

const fragment = fc.oneof(
  fc.constantFrom(...attacks.map(({ text }) => text).filter((text) => text.length < 200)),
  fc.constantFrom(
    "\x1b",
    "\x1b[",
    "\x1b]",
    "\x9b",
    "\x9d",
    "\x90",
    "\x07",
    "\x1b\\",
    "\x9c",
    "\r",
    "\n",
    "\b",
    "\t",
    "m",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);

const hostileText = fc.oneof(
  fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join("")),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => String.fromCharCode(...bytes)),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => new TextDecoder().decode(bytes)),
);
