// The history of asks on disk: what is written comes back, in a private file, without secrets, from many writers.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuditRecord } from "../../src/contract/asks.js";
import { askHistoryWriter, readAskHistory } from "../../src/host/ask-history.js";
import { createRedactor } from "../../src/text/redact.js";

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "palaver-asks-"));
  folder = join(root, "asks");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const record = (fields: Partial<AuditRecord> = {}): AuditRecord => ({
  ...{ askId: "q1", sessionId: "s1", kind: "permission", title: "Bash rm -rf build" },
  about: { tool: "Bash", command: "rm -rf build" },
  ...{ askedAtMs: 1_000, shownAtMs: 1_010, settledAtMs: 4_000 },
  outcome: { kind: "answered", value: { choiceId: "yes" }, by: "inline" },
  delivery: { result: "delivered", atMs: 4_001 },
  ...fields,
});

function writer(secrets: readonly string[] = []) {
  const redactor = createRedactor(secrets);
  const options = { folder, agent: "gemini", workFolder: "/home/ada/project", nowMs: () => 5_000 };
  return askHistoryWriter({ ...options, redacted: (value) => redactor.value(value) });
}

test("what was asked, shown, answered and delivered comes back with moments of the wall clock", () => {
  expect(writer()(record())).toBe(null);
  const [entry, ...more] = readAskHistory(folder, 10);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ askId: "q1", agent: "gemini", folder: "/home/ada/project", delivery: "delivered" });
  expect(entry).toMatchObject({ about: { command: "rm -rf build" }, outcome: { by: "inline" } });
  const moment = (text: string | null | undefined) => Date.parse(text ?? "");
  expect(moment(entry?.settledAt) - moment(entry?.askedAt)).toBe(3_000);
  expect(moment(entry?.shownAt) - moment(entry?.askedAt)).toBe(10);
  expect(moment(entry?.deliveredAt) - moment(entry?.settledAt)).toBe(1);
});

test("an answer that was lost has no moment of delivery", () => {
  writer()(record({ delivery: { result: "lost", atMs: 4_001 } }));
  writer()(record({ delivery: null, outcome: { kind: "withdrawn", reason: "turn_ended" } }));
  const entries = readAskHistory(folder, 10);
  expect(entries.map(({ delivery, deliveredAt }) => [delivery, deliveredAt])).toEqual([
    ["lost", null],
    ["none", null],
  ]);
});

test("the newest are read, the oldest of them first, and torn lines are left out", () => {
  const write = writer();
  for (const askId of ["a", "b", "c"]) write(record({ askId }));
  const [file = ""] = readdirSync(folder);
  writeFileSync(join(folder, file), `${readFileSync(join(folder, file), "utf8")}{"askId":"torn`);
  expect(readAskHistory(folder, 2).map(({ askId }) => askId)).toEqual(["b", "c"]);
});

test("the file is its owner's alone, and known secrets are not in it", () => {
  writer(["hunter2-hunter2"])(record({ title: "curl -H hunter2-hunter2" }));
  const [file = ""] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(folder, file), "utf8")).not.toContain("hunter2-hunter2");
});

test("a full file is followed by another, and the oldest files are deleted", () => {
  const write = writer();
  write(record());
  const month = new Date().toISOString().slice(0, 7);
  for (let number = 1; number <= 30; number += 1) {
    const name = `asks-2001-01-${String(number).padStart(3, "0")}.jsonl`;
    writeFileSync(join(folder, name), "");
  }
  writeFileSync(join(folder, `asks-${month}-001.jsonl`), "x".repeat(4 * 1024 * 1024));
  write(record({ askId: "after" }));
  expect(readdirSync(folder).length).toBeLessThanOrEqual(25);
  expect(readAskHistory(folder, 1).map(({ askId }) => askId)).toEqual(["after"]);
  expect(readdirSync(folder)).toContain(`asks-${month}-002.jsonl`);
});

test("a folder that cannot be written to is reported in words", () => {
  writeFileSync(folder, "a file");
  expect(writer()(record())).toMatch(/^the history of asks could not be written: /);
});

test("a question that waited at a daemon is there once, as it was recorded last", () => {
  const posted = "p0123456789abcdef";
  writer()(record({ askId: posted, delivery: { result: "lost", atMs: 4_001 } }));
  writer()(record({ askId: "q2" }));
  writer()(record({ askId: posted }));
  expect(readAskHistory(folder, 10).map(({ askId, delivery }) => [askId, delivery])).toEqual([
    ["q2", "delivered"],
    [posted, "delivered"],
  ]);
});
