// Patterns for titles: stars and question marks over whole sentences, in no more time than the text is long.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { titleMatches } from "../../src/session/headless-answers.js";

describe("a pattern for titles", () => {
  test.each([
    ["edit *", "edit src/parser.ts", true],
    ["*", "", true],
    ["*parser*", "edit src/parser.ts", true],
    ["edit src/?.ts", "edit src/a.ts", true],
    ["edit src/?.ts", "edit src/ab.ts", false],
    ["edit", "edit src", false],
    ["Edit*", "edit src", false],
    ["a.c", "abc", false],
    ["*a*b", "xaxbxb", true],
    ["*a*b", "xaxbxbx", false],
    ["", "", true],
    ["", "a", false],
  ])("%j and %j: %s", (pattern, title, expected) => {
    expect(titleMatches(pattern, title)).toBe(expected);
  });

  test("means the same as a regular expression would", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, letters, (wild, text) => {
        const source = wild.replaceAll("*", "[^]*").replaceAll("?", "[^]");
        expect(titleMatches(wild, text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
    );
  });

  test("many stars take no time", () => {
    expect(titleMatches(`${"*a".repeat(50)}b`, "a".repeat(20_000))).toBe(false);
  });
});
