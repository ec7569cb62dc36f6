// Encoding never fails: what JSON cannot hold becomes words, and no reader's idea of a line end can cut a frame.
import fc from "fast-check";
import { expect, test } from "vitest";
import { toJson, writeLine } from "../../../src/agents/dialects/frames/json-frame.js";

test("values without a JSON form are encoded to something readable", () => {
  const cycle: Record<string, unknown> = { name: "loop" };
  cycle.self = cycle;
  function greet() {}
  const value = {
    big: 12n,
    greet,
    symbol: Symbol("s"),
    error: new TypeError("broken"),
    when: new Date(0),
    map: new Map([["a", new Set([1, 2])]]),
    cycle,
  };
  expect(JSON.parse(writeLine(value))).toEqual({
    big: "12",
    greet: "[function greet]",
    symbol: "[Symbol(s)]",
    error: { name: "TypeError", message: "broken" },
    when: "1970-01-01T00:00:00.000Z",
    map: { a: [1, 2] },
    cycle: { name: "loop", self: "[circular]" },
  });
});

test("nesting without a bottom is cut, not followed", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  expect(JSON.stringify(toJson(deep))).toContain("[nested too deep]");
});

test("the characters that some readers take for a line end are escaped", () => {
  const line = writeLine({ text: "a\u2028b\u2029c\u0085d" });
  expect(line).toBe('{"text":"a\\u2028b\\u2029c\\u0085d"}\n');
  expect(JSON.parse(line)).toEqual({ text: "a\u2028b\u2029c\u0085d" });
});

test("whatever is written is one line and reads back as it was", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const line = writeLine(object);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});
