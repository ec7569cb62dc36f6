// Shows that code, comments and literals are told apart, and that nothing moves: every rule counts on the same lines.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { viewsOf } from "./mask.js";

// A placeholder in a plain string reads like a slip, so the cases write § for the dollar sign.
const dollars = (source: string) => source.replaceAll("§", "$");

describe("the views of a source", () => {
  test.each([
    ["a string", 'f("any // x"); g', 'f("        "); g'],
    ["an escaped quote", String.raw`f("a\"b"); g`, 'f("    "); g'],
    ["a line comment", "f(); // any", "f();       "],
    ["a block comment over two lines", "f(/* a\n b */ c)", "f(    \n      c)"],
    ["a regular expression with a slash in a class", 'x = /[/"]+/g; y', "x = /     /g; y"],
    ["a regular expression behind return", "return /a'/.test(b)", "return /  /.test(b)"],
    ["a division", "a / b / c", "a / b / c"],
    ["a template with code in it", "`a §{f({ b: 'x' })} c`", "`  §{f({ b: ' ' })}  `"],
    ["a template in a template", "`a§{`b§{c}`}` + d", "` §{` §{c}`}` + d"],
  ])("%s leaves its code", (_, source, code) => {
    expect(viewsOf(dollars(source)).code).toBe(dollars(code));
  });

  test("comments are a view of their own", () => {
    expect(viewsOf('f("// no"); // yes').comments).toBe("            // yes");
  });

  test("every view of any text has its length and its line breaks", () => {
    const piece = fc.constantFrom('"', "'", "`", "/", "*", "//", "/*", "*/", "${", "{", "}", "\\", "\n", "a", " ", "[");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const breaks = (view: string) => [...view.matchAll(/\n/g)].map(({ index }) => index);
        for (const view of Object.values(viewsOf(text))) {
          expect(view.length).toBe(text.length);
          expect(breaks(view)).toEqual(breaks(text));
        }
      }),
    );
  });
});
