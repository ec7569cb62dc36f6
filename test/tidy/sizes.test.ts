// Shows which shapes of functions are measured, and that the limits and the list of exceptions can fail.
import { describe, expect, test } from "vitest";
import { functionsOf } from "./functions.js";
import { checkSizes, FILE_LINES_MAX, FUNCTION_LINES_MAX } from "./sizes.js";
import { sourceFile } from "./source-file.js";

const named = (source: string) =>
  functionsOf(sourceFile("src/cli/a.ts", source)).map(({ name, lines }) => [name, lines]);

describe("functions are found with their extent", () => {
  test.each([
    ["a declaration", "export async function run(a: string) {\n  b();\n}", ["run", 3]],
    ["a generator", "function* walk() {\n}", ["walk", 2]],
    ["a generic with a return type", "function map<T extends { a: 1 }>(x: T): Promise<Map<T, T>> {\n}", ["map", 2]],
    ["one that returns an object type", "function f(): { a: number } | null {\n  return null;\n}", ["f", 3]],
    ["one that returns a function", "function f(): (a: string) => void {\n}", ["f", 2]],
    ["parameters over several lines", "function f(\n  a: string,\n): void {\n}", ["f", 4]],
    ["an arrow function", "const f = (a: string): string => {\n  return a;\n};", ["f", 3]],
    ["an async arrow function", "const f = async () => {\n};", ["f", 2]],
    ["a typed constant", "const f: Run = () => {\n};", ["f", 2]],
    ["a callback", "list.map((a) => {\n  return a;\n});", ["(anonymous)", 3]],
    ["a method", "class A {\n  private async run(): Promise<void> {\n  }\n}", ["run", 2]],
    ["a getter", "class A {\n  get size(): number {\n  }\n}", ["size", 2]],
    ["a constructor", "class A {\n  constructor(a: B) {\n  }\n}", ["constructor", 2]],
    ["a type predicate", "function isA(x: unknown): x is { a: 1 } {\n}", ["isA", 2]],
  ])("%s", (_, source, expected) => {
    expect(named(source)).toContainEqual(expected);
  });

  test("blocks, types and calls are no functions", () => {
    const source = [
      "if (a) {\n}",
      "for (const b of c()) {\n}",
      "for await (const b of c()) {\n}",
      "switch (d) {\n  case e(): {\n  }\n}",
      "try {\n} catch (f) {\n}",
      "const g = h ? i(j) : { k: 1 };",
      "interface L {\n  m(n: string): { o: 1 };\n}",
      "declare function p(q: string): void;",
    ];
    expect(named(source.join("\n"))).toEqual([]);
  });
});

describe("sizes", () => {
  const body = (lines: number) => "  a();\n".repeat(lines);
  const long = sourceFile("src/cli/a.ts", `function run() {\n${body(FUNCTION_LINES_MAX - 1)}}\n`);

  test("a function at the limit passes and one line more fails", () => {
    const atLimit = sourceFile("src/cli/a.ts", `function run() {\n${body(FUNCTION_LINES_MAX - 2)}}\n`);
    expect(checkSizes([atLimit], [])).toEqual([]);
    expect(checkSizes([long], [])).toMatchObject([
      { line: 1, message: expect.stringContaining("function run has 71") },
    ]);
  });

  test("a file at the limit passes and one line more fails, in tests too", () => {
    expect(checkSizes([sourceFile("test/a.ts", "a\n".repeat(FILE_LINES_MAX))], [])).toEqual([]);
    expect(checkSizes([sourceFile("test/a.ts", "a\n".repeat(FILE_LINES_MAX + 1))], [])).toHaveLength(1);
  });

  test("the callbacks of a suite may be long", () => {
    expect(checkSizes([sourceFile("test/a.test.ts", long.text)], [])).toEqual([]);
  });

  test("an exception allows what it records and no line more", () => {
    const exception = { path: "src/cli/a.ts", functionName: "run", reason: "a table" };
    expect(checkSizes([long], [{ ...exception, lines: 71 }])).toEqual([]);
    expect(checkSizes([long], [{ ...exception, lines: 70 }])).toMatchObject([
      { message: expect.stringContaining("outgrew") },
    ]);
  });

  test("an exception nobody needs fails", () => {
    const exceptions = [{ path: "src/cli/gone.ts", lines: 600, reason: "a table" }];
    expect(checkSizes([], exceptions)).toMatchObject([{ message: expect.stringContaining("needs no exception") }]);
  });
});
