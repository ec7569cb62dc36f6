// Bytes become lines on 0x0A alone, whatever the chunks, and a line over the limit costs only itself.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineSplitter, type RawLine } from "../../../src/agents/dialects/frames/line-splitter.js";
import { verifies } from "../../verifies.js";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const texts = (lines: RawLine[]) =>
  lines.map((line) => (line.kind === "line" ? line.text : `overlong ${line.lengthBytes}`));

function split(bytes: Uint8Array, cuts: readonly number[] = [], lineBytesMax?: number): string[] {
  const splitter = createLineSplitter(lineBytesMax === undefined ? {} : { lineBytesMax });
  const lines: RawLine[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    // One buffer for all chunks, as a socket would reuse it.
    lines.push(...splitter.push(bytes.slice(from, cut)));
    from = cut;
  }
  return texts([...lines, ...splitter.end()]);
}

describe("a stream of bytes", () => {
  test.each<[string, string, string[]]>([
    ["two lines", "a\nb\n", ["a", "b"]],
    ["a last line without a newline", "a\nb", ["a", "b"]],
    ["carriage returns at the end of lines", "a\r\nb\r\n", ["a", "b"]],
    ["a carriage return inside a line", "a\rb\n", ["a\rb"]],
    ["line and paragraph separators inside a line", '"a\u2028b\u2029c\u0085d"\n', ['"a\u2028b\u2029c\u0085d"']],
    ["empty lines", "\n\na\n", ["", "", "a"]],
    ["nothing", "", []],
    ["a byte order mark, which is kept for the reader to see", "\uFEFFa\n", ["\uFEFFa"]],
  ])("%s", (_name, text, expected) => {
    expect(split(bytesOf(text))).toEqual(expected);
  });

  test("bytes that are not UTF-8 become replacement characters, and the next line is whole", () => {
    expect(split(new Uint8Array([0x61, 0xff, 0xe2, 0x82, 0x0a, 0x62, 0x0a]))).toEqual(["a\uFFFD\uFFFD", "b"]);
  });

  test("any split into chunks gives the same lines", () => {
    verifies("wires.any-chunking");
    const corpus = fc.array(
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\n", "\r\n", "😀", "\u2028", "é")),
    );
    const cuts = fc.array(fc.nat({ max: 400 }));
    fc.assert(
      fc.property(corpus, cuts, (parts, at) => {
        const bytes = bytesOf(parts.join(""));
        const inside = at.filter((cut) => cut < bytes.length).sort((a, b) => a - b);
        expect(split(bytes, inside)).toEqual(split(bytes));
        expect(split(bytes, [...bytes.keys()])).toEqual(split(bytes));
      }),
    );
  });

  test("any split of any bytes gives the same lines, also under a small limit", () => {
    const byte = fc.oneof(
      fc.constantFrom(0x0a, 0x0d, 0x61, 0xe2, 0x82, 0xac, 0xff, 0xf0),
      fc.integer({ min: 0, max: 255 }),
    );
    const limit = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 80 }), limit, fc.nat(80), (bytes, lineBytesMax, cut) => {
        const whole = Uint8Array.from(bytes);
        const expected = split(whole, [...whole.keys()], lineBytesMax);
        expect(split(whole, [], lineBytesMax)).toEqual(expected);
        expect(split(whole, [Math.min(cut, whole.length)], lineBytesMax)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("a long line is the same text however its characters are cut, and so is the line after it", () => {
    const long = `x${"é漢👩‍🚀".repeat(20_000)}`;
    const bytes = bytesOf(`${long}\nnext\n`);
    for (const everyBytes of [7, 65_535, 65_536, 65_537, 100_000]) {
      const cuts = Array.from({ length: Math.floor(bytes.length / everyBytes) }, (_, at) => (at + 1) * everyBytes);
      const lines = split(bytes, cuts);
      expect(lines).toHaveLength(2);
      expect(lines[0] === long).toBe(true);
      expect(lines[1]).toBe("next");
    }
  });

  test("a line over the limit is reported with its length and its beginning, and the next one is read", () => {
    const splitter = createLineSplitter({ lineBytesMax: 10 });
    const lines = [...splitter.push(bytesOf("0123456789ab")), ...splitter.push(bytesOf("cdef\nnext\n0123456789\n"))];
    expect(lines).toEqual([
      { kind: "overlong", lengthBytes: 16, excerpt: "0123456789a" },
      { kind: "line", text: "next" },
      { kind: "line", text: "0123456789" },
    ]);
  });

  test("an endless line does not fill the memory", () => {
    const splitter = createLineSplitter({ lineBytesMax: 1_000 });
    const chunk = new Uint8Array(64 * 1024).fill(0x61);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 2_000; i += 1) expect(splitter.push(chunk)).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
    expect(texts(splitter.push(bytesOf("\nafter\n")))).toEqual([`overlong ${2_000 * 64 * 1024}`, "after"]);
  });
});
