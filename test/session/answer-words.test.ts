// What an agent answers to a command, as a person reads it.
import { expect, test } from "vitest";
import { answerWords, knownModels, savedSessions } from "../../src/session/answer-words.js";

test("counts line up, numbers have separators, tables within are indented", () => {
  expect(answerWords("stats", { stats: { turns: 3, total_tokens: 12400, cost: { total: 0.08125 } } })).toEqual([
    "turns         3",
    "total tokens  12,400",
    "cost          $0.081",
  ]);
});

test("a number that names something stands as it is", () => {
  const words = answerWords("debug", { pid: 12345, parent_pid: 2345, processId: 3456, port: 40100, rapid: 4567 });
  expect(words.map((line) => line.split(/\s{2,}/)[1])).toEqual(["12345", "2345", "3456", "40100", "4,567"]);
});

test("what needs no words has none, and what is unknown is shown as it is", () => {
  expect(answerWords("initialized", { server: { name: "x" } })).toEqual([]);
  expect(answerWords("pong", {})).toEqual(["the agent responds"]);
  expect(answerWords("save_result", { ok: false, error: "disk full" })).toEqual(["not saved: disk full"]);
  expect(answerWords("save_result", { ok: true, path: "/x.jsonl" })).toEqual(["saved as /x.jsonl"]);
  expect(answerWords("something_new", { list: [1, 2] })).toEqual(["list  [1,2]"]);
  expect(answerWords("debug", {})).toEqual(["no statistics yet"]);
});

test("lists of sessions and models are read with whatever fields they have", () => {
  const sessions = [{ id: "s0", cwd: "/w", path: "/p", title: "mend it" }, { id: "s1" }, "junk"];
  expect(savedSessions({ sessions }, "gemini")).toEqual([
    { agent: "gemini", id: "s0", ref: "/p", title: "mend it", cwd: "/w", atMs: null },
    { agent: "gemini", id: "s1", ref: "s1", title: "", cwd: null, atMs: null },
    { agent: "gemini", id: "", ref: "", title: "", cwd: null, atMs: null },
  ]);
  expect(knownModels({ providers: [{ id: "ollama", models: [{ id: "qwen3", name: "Qwen 3" }] }] })).toEqual([
    { id: "ollama:qwen3", label: "Qwen 3" },
  ]);
  expect(knownModels({})).toEqual([]);
});

test("the moment of a session is read however it came, and no number makes it fail", () => {
  const atMs = (timestamp: unknown) => savedSessions({ sessions: [{ id: "s", timestamp }] }, "x")[0]?.atMs;
  const moment = Date.parse("2026-03-01T12:04:31Z");
  expect([atMs(moment), atMs("2026-03-01T12:04:31Z")]).toEqual([moment, moment]);
  expect([atMs("yesterday"), atMs(Number.NaN), atMs(null)]).toEqual([null, null, null]);
});

test("a model that cannot be used yet says what it needs", () => {
  const providers = [{ id: "openai", needs: "OPENAI_API_KEY", models: [{ id: "gpt-5", name: "GPT-5" }] }];
  expect(knownModels({ providers })).toEqual([{ id: "openai:gpt-5", label: "GPT-5  needs OPENAI_API_KEY" }]);
});
