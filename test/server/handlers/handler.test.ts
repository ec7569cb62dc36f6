// What an object is follows from its methods, by one table that goes from the most able kind to the least.
import { describe, expect, test } from "vitest";
import { handlerTypes } from "../../../src/contract/handler-types.js";
import { detectionTable, handlerProblem, kindOf } from "../../../src/server/handlers/handler.js";

const withMethods = (...names: string[]) => Object.fromEntries(names.map((name) => [name, () => ""]));

describe("the detection table", () => {
  test.each<[string, string[], string | null]>([
    ["something to look at", ["name", "content"], "display"],
    ["a value", ["name", "label", "value", "change"], "edit"],
    ["something to run", ["name", "label", "execute"], "execution"],
    ["a conversation", ["name", "label", "value", "change", "waitingForUser"], "interactive"],
    ["only lines", ["name", "setLog"], "loggable"],
    ["a value with a log", ["name", "value", "change", "setLog"], "edit"],
    ["something to look at that can be run", ["name", "content", "execute"], "execution"],
    ["a value that can be looked at", ["name", "content", "value", "change"], "edit"],
    ["no name", ["content", "execute", "setLog"], null],
    ["a name alone", ["name", "label"], null],
    ["a value that cannot be changed", ["name", "value"], null],
  ])("%s", (_what, methods, kind) => {
    expect(kindOf(withMethods(...methods))).toBe(kind);
  });

  test("looks at methods of a class too, and at functions only", () => {
    class Run {
      name() {
        return "run";
      }
      execute() {}
    }
    expect(kindOf(new Run())).toBe("execution");
    expect([kindOf({ name: "x", content: "y" }), kindOf(null), kindOf("x"), kindOf(undefined)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test("has one row for every published kind, and the numbers stay", () => {
    expect(detectionTable.map(({ kind }) => kind).sort()).toEqual(Object.keys(handlerTypes).sort());
    expect(handlerTypes).toEqual({ display: 0, edit: 1, execution: 2, interactive: 3, loggable: 4 });
  });
});

test.each([
  [{ name: "Mode", execute() {} }, "name must be a method, as in { name: () => … }"],
  [{ execute() {} }, 'name is missing, as in { name: () => "Mode" }'],
  [
    { name: () => "Mode", value: () => "x" },
    "besides name it needs one of value + change + waitingForUser, value + change, execute, content, setLog",
  ],
  ["Mode", "it is no object"],
])("%j is no handler, and why is said", (candidate, words) => {
  expect(handlerProblem(candidate)).toBe(words);
});
