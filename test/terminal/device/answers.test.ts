// Telling the terminal's answers from what the user types, however the bytes are cut.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerFilter, type TerminalReport } from "../../../src/terminal/device/answers.js";

const REPORTS: readonly [string, TerminalReport][] = [
  ["\x1bP>|kitty(0.26.5)\x1b\\", { type: "version", text: "kitty(0.26.5)" }],
  ["\x1b[>0;276;0c", { type: "secondary-attributes", params: "0;276;0" }],
  ["\x1b[?2026;2$y", { type: "mode", mode: 2026, value: 2 }],
  ["\x1b[?5u", { type: "keyboard-flags", flags: 5 }],
  ["\x1b[6;20;10t", { type: "cell", widthPx: 10, heightPx: 20 }],
  ["\x1b[?62;22c", { type: "fence" }],
];
const KEYS = [
  "a",
  "é",
  "漢",
  "\r",
  "\x7f",
  "\x1b[A",
  "\x1b[1;5C",
  "\x1b[6~",
  "\x1b[6;5~",
  "\x1bOP",
  "\x1b[97;5u",
  "\x1b[200~text\x1b[201~",
  "\x1bb",
];

const item = fc.oneof(
  fc
    .constantFrom(...REPORTS)
    .map(([bytes, answer]) => ({ bytes, answer: answer as TerminalReport | undefined, keys: "" })),
  fc.constantFrom(...KEYS).map((keys) => ({ bytes: keys, answer: undefined, keys })),
);

describe("the terminal's answers", () => {
  test("are found among keys at any cut of the stream, and no key is lost or moved", () => {
    const property = fc.property(fc.array(item, { maxLength: 12 }), fc.array(fc.nat({ max: 9 })), (items, cuts) => {
      const filter = new AnswerFilter();
      const answers: TerminalReport[] = [];
      let keys = "";
      let rest = items.map(({ bytes }) => bytes).join("");
      for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
        const sifted = filter.feed(rest.slice(0, cut), "answers");
        answers.push(...sifted.answers);
        keys += sifted.keys;
        rest = rest.slice(cut);
      }
      keys += filter.release();
      expect(answers).toEqual(items.flatMap(({ answer }) => (answer === undefined ? [] : [answer])));
      expect(keys).toBe(items.map((one) => one.keys).join(""));
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("do not delay the Escape key once nothing is expected any more", () => {
    const filter = new AnswerFilter();
    expect(filter.feed("\x1b", "keys")).toEqual({ answers: [], keys: "\x1b" });
    expect(filter.isHolding).toBe(false);
    expect(filter.feed("\x1b", "answers")).toEqual({ answers: [], keys: "" });
    expect(filter.release()).toBe("\x1b");
  });

  test("are also taken out when they come late", () => {
    const filter = new AnswerFilter();
    expect(filter.feed("x\x1b[?62;2", "keys").keys).toBe("x");
    expect(filter.feed("2cy", "keys")).toEqual({ answers: [{ type: "fence" }], keys: "y" });
  });

  test("never swallow what merely begins like one", () => {
    const filter = new AnswerFilter();
    const long = `\x1bP>|${"x".repeat(300)}`;
    expect(filter.feed(long, "keys").keys).toBe(long);
  });
});
