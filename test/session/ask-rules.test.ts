// What an answer has to be: the rules of an agent in words for the user, and patterns that cannot stop the program.
import { describe, expect, test } from "vitest";
import { patternVerdict } from "../../src/session/ask-pattern.js";
import { countProblem, readNumber, textProblem } from "../../src/session/ask-rules.js";

describe("a typed answer", () => {
  test.each([
    ["", {}, null],
    ["", { required: true }, "required"],
    ["", { min_length: 1 }, "required"],
    ["", { min_length: 1, required: false }, null],
    ["ab", { min_length: 3 }, "at least 3 characters, this has 2"],
    ["👍👍", { max_length: 2 }, null],
    ["abc", { max_length: 2 }, "at most 2 characters, this has 3"],
    ["v1.4", { pattern: "^v\\d+\\.\\d+$" }, null],
    ["1.4", { pattern: "^v\\d+\\.\\d+$" }, "must match ^v\\d+\\.\\d+$"],
    ["1.4", { pattern: "^v", validate: "begin with a v" }, "begin with a v"],
    ["a@b", { format: "email" as const }, null],
    ["a b@c", { format: "email" as const }, "must be an e-mail address"],
    ["example.org", { format: "uri" as const }, "must be a URL such as https://example.org"],
    ["2026-02-29", { format: "date" as const }, "a date looks like 2026-01-31"],
    ["2024-02-29", { format: "date" as const }, null],
    ["2026-01-31T12:00:00Z", { format: "date-time" as const }, null],
  ])("%j under %j: %s", (text, rules, problem) => {
    expect(textProblem(text, rules)).toBe(problem);
  });

  test("gives no way for the agent's words to move the cursor", () => {
    expect(textProblem("", { required: true, validate: "a\x1b[2Jb\nc" })).toBe("ab c");
  });
});

test.each([
  ["12", {}, { value: 12, problem: null }],
  [" -1.5e3 ", {}, { value: -1500, problem: null }],
  ["1,204", {}, { value: 1204, problem: null }],
  ["1,2", {}, { problem: "must be a number" }],
  ["", {}, { problem: null }],
  ["", { required: true }, { problem: "required" }],
  ["1.5", { integer: true }, { value: 1.5, problem: "must be a whole number" }],
  ["0", { min: 1 }, { value: 0, problem: "at least 1" }],
  ["9", { max: 8 }, { value: 9, problem: "at most 8" }],
])("the number %j under %j", (text, rules, read) => {
  expect(readNumber(text, rules)).toEqual(read);
});

test("so many have to be chosen", () => {
  expect([0, 1, 3].map((count) => countProblem(count, { min: 1, max: 2 }))).toEqual([
    "choose at least 1",
    null,
    "choose at most 2",
  ]);
});

describe("a pattern of the agent", () => {
  test.each([
    ["^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "somebody@example.org", "fits"],
    ["^(\\d{1,3}\\.){3}\\d{1,3}$", "127.0.0.1", "fits"],
    ["^(foo|bar)$", "baz", "differs"],
    ["^[a-z][a-z0-9-]{2,30}$", "a-release-of-ours", "fits"],
    ["[", "x", "unchecked"],
  ] as const)("%s on %j: %s", (source, text, verdict) => {
    expect(patternVerdict(source, text)).toBe(verdict);
  });

  test.each([
    "(a+)+$",
    "(a*)*$",
    "(a|a)*$",
    "(a|aa)+$",
    "^(a?){40}a{40}$",
    "a{0,40}a{0,40}a{0,40}a{0,40}a{0,40}a{0,40}$",
    "a?".repeat(30),
    "(?=(a+)+$)",
    "(a*)\\1*\\1*\\1*\\1*b",
    "((a{0,4}){0,4}){0,4}$",
  ])("%s is left to the agent instead of being tried for hours", (source) => {
    expect(patternVerdict(source, `${"a".repeat(60)}!`)).toBe("unchecked");
  });
});
