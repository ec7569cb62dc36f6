// The tool AskUserQuestion as a form. Claude requests permission for it like for any tool; the answers go back in the tool's
// input, by question.

import type { DialogParams, FormField } from "../../../contract/dialogs.js";
import { isRecord } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { AskReply } from "../pending-asks.js";
import type { ClaudeQuestion } from "./claude-frames.js";

export function questionsForm(questions: readonly ClaudeQuestion[]): DialogParams<"form"> {
  const [only, ...more] = questions;
  const title = more.length > 0 ? `${questions.length} questions` : (only?.header ?? "A question");
  return { title, fields: questions.flatMap(fieldsOf) };
}

/** Allows the tool with the answers in its input, or denies it when there are none. */
export function questionsReply(input: JsonObject, questions: readonly ClaudeQuestion[], answer: AskReply): JsonObject {
  const given = answer.kind === "answered" ? answer.value : null;
  const answers = isRecord(given) ? answersIn(given, questions) : {};
  if (Object.keys(answers).length > 0) return { behavior: "allow", updatedInput: { ...input, answers } };
  const isStopped = answer.kind === "unanswered" && answer.reason === "turn_ended";
  const message = "The person did not answer the questions.";
  return { behavior: "deny", message, ...(isStopped ? { interrupt: true } : {}) };
}

function answersIn(given: JsonObject, questions: readonly ClaudeQuestion[]): Readonly<Record<string, string>> {
  const answers: Record<string, string> = {};
  questions.forEach(({ question }, place) => {
    const words = wordsOf(given, place);
    if (words !== "") answers[question] = words;
  });
  return answers;
}

// Claude's own dialog always allows a free answer.
function fieldsOf({ question, header, multiSelect, options }: ClaudeQuestion, place: number): FormField[] {
  const description = header === undefined ? {} : { description: header };
  const name = `q${place + 1}`;
  if (options.length === 0) return [{ name, label: question, kind: "text", ...description }];
  const choices = options.map((option) => ({ value: option.label, ...option }));
  return [
    {
      name,
      label: question,
      kind: multiSelect === true ? "multi_select" : "select",
      options: choices.map(({ label, value, description: detail }) => ({ label, value, description: detail ?? null })),
      ...description,
    },
    { name: `${name}_other`, label: "or in your own words", kind: "text" },
  ];
}

function wordsOf(given: JsonObject, place: number): string {
  const chosen = given[`q${place + 1}`];
  const own = given[`q${place + 1}_other`];
  const ownWords = typeof own === "string" ? own.trim() : "";
  if (Array.isArray(chosen)) return [...chosen.map(String), ownWords].filter(Boolean).join(", ");
  return ownWords === "" ? plainWord(chosen ?? "") : ownWords;
}
