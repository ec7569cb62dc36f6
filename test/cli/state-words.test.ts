// The state of a daemon as a table for people: one heading per tab, columns that line up, and nothing that moves the cursor.
import { expect, test } from "vitest";
import { stateWords } from "../../src/cli/commands/daemon-commands.js";
import { logWords } from "../../src/cli/printed.js";

const entry = (tab_title: string, shortcut: string, label: string, value: string) => ({
  tab_title,
  handler_name: shortcut,
  handler_color: "",
  handler_type: 1,
  label,
  value,
  shortcut,
  shortcuts: null,
});

test("columns line up, also with wide letters, and every tab has its heading", () => {
  const entries = [
    entry("BUILD", "Mode", "模式", "development"),
    entry("BUILD", "Rebuild", "Build again", ""),
    entry("TESTS", "T", "", "3 passed"),
  ];
  expect(stateWords(entries)).toBe(
    [
      "BUILD",
      "  Mode      模式          development",
      "  Rebuild   Build again",
      "TESTS",
      "  T                       3 passed",
      "",
    ].join("\n"),
  );
  expect(stateWords([])).toBe("nothing to show\n");
});

test("what a daemon shows and logs cannot move the cursor", () => {
  const hostile = "\x1b[2Jx\r\x1b]0;t\x07";
  const line = { id: "1", timestamp: hostile, content: hostile, type: 1, tab_title: "", handler_name: hostile };
  const printed =
    stateWords([entry(hostile, hostile, hostile, hostile)]) + logWords({ ...line, handler_color: "", handler_type: 4 });
  expect(printed.replaceAll("\n", "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
});

test("a log line of several lines keeps its column", () => {
  const line = { id: "1", timestamp: "12:04:33", type: 1, tab_title: "T", handler_color: "", handler_type: 4 };
  expect(logWords({ ...line, handler_name: "tests", content: "1 failed\n  at x" })).toBe(
    "12:04:33 tests    1 failed\n                    at x\n",
  );
});
