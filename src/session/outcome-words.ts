// The outcome of an ask: the response for the agent, and words for the transcript, with labels instead of values and without
// the value of a secret.

import type { Ask, AskOutcome } from "../contract/asks.js";
import type { FormField, SelectOption } from "../contract/dialogs.js";
import { isRecord } from "../contract/json-value.js";
import type { LinesCommand } from "../contract/lines-commands.js";

type Question = Ask["question"];

const ANSWER_CHARS_MAX = 80;

export function outcomeWords({ question }: Ask, outcome: AskOutcome): string {
  switch (outcome.kind) {
    case "answered":
      return shortened(answerWords(question, outcome.value));
    case "cancelled":
      return question.kind === "confirm" || question.kind === "permission" ? "no" : "cancelled";
    case "expired":
      return "no answer in time";
    case "withdrawn":
      return "withdrawn";
  }
}

function answerWords(question: Question, value: unknown): string {
  if (value === null || value === undefined) return "answered";
  if (question.kind === "select") return chosenWords(value, question.params.options);
  if (question.kind === "form" && isRecord(value)) return formWords(question.params.fields, value);
  if (!isRecord(value)) return chosenWords(value, []);
  if (typeof value["ok"] === "boolean") {
    return listed([valueWords(value["ok"]), value["remember"] === true ? "always" : "", textOf(value["reason"])]);
  }
  return listed([choiceWords(question, textOf(value["choiceId"])), textOf(value["reason"])]);
}

function choiceWords(question: Question, choiceId: string): string {
  const choices = question.kind === "permission" ? question.params.choices : [];
  return choices.find(({ id }) => id === choiceId)?.label ?? choiceId.replaceAll("_", " ");
}

function formWords(fields: readonly FormField[], answers: Readonly<Record<string, unknown>>): string {
  const words = fields.flatMap(({ name, label, kind, options = [] }) => {
    const value = answers[name];
    if (isEmpty(value)) return [];
    const isHidden = kind === "secret";
    return [`${label || name}: ${isHidden ? "answered" : chosenWords(value, options)}`];
  });
  return words.join(", ") || "nothing filled in";
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function chosenWords(value: unknown, options: readonly SelectOption[]): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? "nothing" : value.map((item: unknown) => chosenWords(item, options)).join(", ");
  }
  return options.find((option) => option.value === value)?.label ?? valueWords(value);
}

function valueWords(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" || typeof value === "number" ? String(value) : "answered";
}

function listed(words: readonly string[]): string {
  return words.filter(Boolean).join(", ") || "answered";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function shortened(text: string): string {
  const [first = "", ...more] = text.split("\n");
  const cut = first.length > ANSWER_CHARS_MAX || more.length > 0 ? "…" : "";
  return first.slice(0, ANSWER_CHARS_MAX) + cut;
}

/** No answer is an error to the agent, a cancel is an answer. */
export function responseTo(ask: Ask, outcome: AskOutcome): LinesCommand {
  const { id } = ask;
  switch (outcome.kind) {
    case "answered":
      return { type: "ui_response", id, result: outcome.value, error: null };
    case "cancelled":
      return { type: "ui_response", id, result: ask.question.kind === "confirm" ? false : null, error: null };
    case "expired":
      return { type: "ui_response", id, result: null, error: "timeout" };
    case "withdrawn":
      return { type: "ui_response", id, result: null, error: outcome.reason };
  }
}
