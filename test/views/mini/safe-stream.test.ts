// The agent's words become harmless however they are cut, and stay what they were where they are harmless.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SafeStream } from "../../../src/views/mini/answer-text.js";

function through(...pieces: string[]): string {
  const stream = new SafeStream();
  return pieces.map((piece) => stream.push(piece)).join("") + stream.flush();
}

describe("the agent's words on standard output", () => {
  test("keep their tabs, line breaks, emoji and CJK", () => {
    const text = "all:\n\tgo build\n日本語 👩‍💻 é ✓\n";
    expect(through(text)).toBe(text);
  });

  test.each([
    ["\x1b[2Jboom", "boom"],
    ["a\x1b]0;title\x07b", "ab"],
    ["a\x1b]52;c;aGk=\x1b\\b", "ab"],
    ["bell\x07", "bell"],
    ["dos\r\nlines\r\n", "dos\nlines\n"],
  ])("%j becomes %j", (text, expected) => {
    expect(through(text)).toBe(expected);
    expect(through(...text)).toBe(expected);
  });

  test("a text that is whole is handed on at once", () => {
    const stream = new SafeStream();
    expect(stream.push("Hello")).toBe("Hello");
    expect(stream.push(" 日本")).toBe(" 日本");
    expect(stream.push("\ud83d")).toBe("");
    expect(stream.push("\ude00 and \x1b[3")).toBe("😀 and ");
    expect(stream.push("1mred")).toBe("");
    expect(stream.push("\n")).toBe("red\n");
  });

  test("how it was cut changes nothing", () => {
    const piece = fc.constantFrom(
      "a",
      "\n",
      "\t",
      "\r",
      "👩",
      "\u200d",
      "💻",
      "e",
      "\u0301",
      "日",
      "\x1b[31m",
      "\x1b",
      "[",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const whole = pieces.join("");
        expect(through(...Array.from({ length: whole.length }, (_, at) => whole.charAt(at)))).toBe(through(whole));
      }),
    );
  });

  test("nothing of it can move a cursor", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 0x2ff }).map((code) => String.fromCodePoint(code))), (pieces) => {
        expect(through(...pieces)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
    );
  });
});
