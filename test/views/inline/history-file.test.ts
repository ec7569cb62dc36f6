// What was sent before is kept across runs, privately, and a broken file costs only what is broken.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { historyPath, openHistory } from "../../../src/views/inline/history-file.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-history-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("what was appended is loaded by the next run, in order, and is private", () => {
  const path = join(folder, "state", "history.jsonl");
  openHistory(path, "/here").append("one\ntwo");
  openHistory(path, "/here").append("three");
  expect(openHistory(path, "/here").load()).toEqual(["one\ntwo", "three"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("each folder has its own, and what an earlier version kept is everywhere", () => {
  const path = join(folder, "folders.jsonl");
  writeFileSync(path, '"old"\n');
  openHistory(path, "/here").append("one");
  openHistory(path, "/there").append("two");
  expect(openHistory(path, "/here").load()).toEqual(["old", "one"]);
  expect(openHistory(path, "/there").load()).toEqual(["old", "two"]);
});

test("a torn or foreign line costs only itself", () => {
  const path = join(folder, "torn.jsonl");
  writeFileSync(path, '"good"\n{"not":"ours"}\n"half');
  expect(openHistory(path, "/here").load()).toEqual(["good"]);
});

test("only the last ones are offered, and the file does not grow without end", () => {
  const path = join(folder, "long.jsonl");
  for (let number = 0; number < 2_500; number += 1) appendFileSync(path, `"${number}"\n`);
  const offered = openHistory(path, "/here").load();
  expect([offered.length, offered.at(-1)]).toEqual([500, "2499"]);
  expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(1_000);
});

test("a place that cannot be written to is no failure", () => {
  writeFileSync(join(folder, "a-file"), "");
  const history = openHistory(join(folder, "a-file", "state", "history.jsonl"), "/here");
  expect(() => history.append("x")).not.toThrow();
  expect(history.load()).toEqual([]);
  expect(openHistory(null, "/here").load()).toEqual([]);
});

test("it lies where the machine keeps such things", () => {
  expect(historyPath({ XDG_STATE_HOME: "/s", HOME: "/h" })).toBe("/s/palaver/history.jsonl");
  expect(historyPath({ HOME: "/h" })).toBe("/h/.local/state/palaver/history.jsonl");
  expect(historyPath({ XDG_STATE_HOME: "s", HOME: "/h/" })).toBe("/h/.local/state/palaver/history.jsonl");
});
