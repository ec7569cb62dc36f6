// Path patterns mean what people expect of them, and no pattern takes longer than its length deserves.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileGlob, isLiteral, literalGlob } from "../../../src/session/permission/glob.js";

const table: readonly (readonly [pattern: string, matching: string[], other: string[]])[] = [
  ["*.ts", ["a.ts", ".ts"], ["a.tsx", "src/a.ts"]],
  ["src/*.ts", ["src/a.ts"], ["src/b/a.ts", "a.ts"]],
  ["src/**", ["src", "src/a", "src/a/b"], ["srcs/a", "lib/src/a"]],
  ["**/*.ts", ["a.ts", "x/a.ts", "x/y/a.ts"], ["a.js"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/x/b/c", "ab"]],
  ["a/**/b/**/c", ["a/b/c", "a/b/b/c", "a/x/b/y/c"], ["a/c"]],
  ["a?c", ["abc", "a😀c"], ["ac", "abbc", "a/c"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "x"]],
  ["[!a-c]x", ["dx"], ["ax"]],
  ["[]]x", ["]x"], ["x"]],
  ["[ab", ["[ab"], ["a"]],
  ["*.{ts,js}", ["a.ts", "a.js"], ["a.css"]],
  ["{a,b{c,d}}/x", ["a/x", "bc/x", "bd/x"], ["b/x"]],
  ["{a}", ["{a}"], ["a"]],
  ["{a,b", ["{a,b"], ["a"]],
  ["\\*", ["*"], ["a"]],
  ["a**b", ["ab", "axxb"], ["a/b"]],
  ["*", ["a", ".env"], ["a/b"]],
  ["**", ["a", "a/b", ".x/y"], []],
];

describe("a path pattern", () => {
  test.each(table)("%s matches what it should and nothing else", (pattern, matching, other) => {
    const { matches } = compileGlob(pattern);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(other.filter(matches)).toEqual([]);
  });

  test("made from a path matches that path alone", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "*", "?", "[", "]", "{", "}", ",", "\\", "!", "-", "é") });
    fc.assert(
      fc.property(name, name, (path, other) => {
        const { matches } = compileGlob(literalGlob(path));
        expect(matches(path)).toBe(true);
        expect(matches(other)).toBe(path === other);
        expect(isLiteral(literalGlob(path))).toBe(true);
      }),
    );
  });

  test("that would make a regular expression run for ever is answered", () => {
    expect(compileGlob("*a".repeat(60)).matches("a".repeat(2_000).concat("b"))).toBe(false);
    expect(compileGlob("**/a/".repeat(60)).matches("a/".repeat(500).concat("b"))).toBe(false);
    expect(compileGlob("{a,b}".repeat(40)).matches("b".repeat(40))).toBe(false);
  });
});
