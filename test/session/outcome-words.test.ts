// What a transcript says of a question that found its end, for every kind of question and of end.
import { expect, test } from "vitest";
import type { Ask, AskOutcome } from "../../src/contract/asks.js";
import { outcomeWords } from "../../src/session/outcome-words.js";

const options = [
  { label: "Red", value: "q1" },
  { label: "Green", value: "q2" },
];
const select: Ask["question"] = { kind: "select", params: { title: "Colour?", options } };
const confirm: Ask["question"] = { kind: "confirm", params: { title: "Sure?" } };
const input: Ask["question"] = { kind: "input", params: { title: "Name?" } };
const form: Ask["question"] = {
  kind: "form",
  params: {
    title: "Release",
    fields: [
      { name: "version", label: "Version", kind: "text" },
      { name: "tell", label: "Tell everyone", kind: "confirm" },
      { name: "colour", label: "Colour", kind: "select", options },
      { name: "key", label: "Key", kind: "secret" },
      { name: "note", label: "Note", kind: "text" },
    ],
  },
};
const permission: Ask["question"] = {
  kind: "permission",
  params: {
    title: "edit a.ts",
    tool: "edit",
    choices: [
      { id: "o1", label: "Allow once", choice: "allow_once" },
      { id: "o2", label: "Reject", choice: "reject_once" },
    ],
  },
};

const answered = (value: unknown): AskOutcome => ({ kind: "answered", value, by: "tui" });
const cancelled: AskOutcome = { kind: "cancelled", by: "tui" };

test.each<[string, Ask["question"], AskOutcome, string]>([
  ["the label that was chosen, not the value behind it", select, answered("q2"), "Green"],
  ["several labels", select, answered(["q1", "q2"]), "Red, Green"],
  ["that none of several was chosen", select, answered([]), "nothing"],
  ["a value that is no option, as it is", select, answered("violet"), "violet"],
  ["yes", confirm, answered(true), "yes"],
  ["no, with its reason", confirm, answered({ ok: false, reason: "too early" }), "no, too early"],
  ["yes for always", confirm, answered({ ok: true, remember: true }), "yes, always"],
  ["a confirmation from which one turned away", confirm, cancelled, "no"],
  ["an approval from which one turned away", permission, cancelled, "no"],
  ["any other question from which one turned away", input, cancelled, "cancelled"],
  ["the words of the choice", permission, answered({ choiceId: "o1" }), "Allow once"],
  ["a choice that nobody offered", permission, answered({ choiceId: "allow_once" }), "allow once"],
  ["what was typed, its first line", input, answered("Ada\nLovelace"), "Ada…"],
  ["that a secret was answered", input, answered(null), "answered"],
  [
    "the answers of a form beside their fields, but no secret",
    form,
    answered({ version: "1.4", tell: true, colour: "q1", key: "hunter2" }),
    "Version: 1.4, Tell everyone: yes, Colour: Red, Key: answered",
  ],
  ["a form that was sent empty", form, answered({}), "nothing filled in"],
  ["nobody in time", input, { kind: "expired" }, "no answer in time"],
  ["taken back", input, { kind: "withdrawn", reason: "agent_cancelled" }, "withdrawn"],
])("says %s", (_, question, outcome, words) => {
  const ask: Ask = { id: "a", sessionId: null, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
  expect(outcomeWords(ask, outcome)).toBe(words);
});
