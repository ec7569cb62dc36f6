// What may come back from a dialog, judged against what was asked: an answer that does not fit is refused here, so that
// an agent never gets a value its types do not promise.
import type { SelectOption } from "../contract/dialogs.js";

export type DialogQuestion =
  | { method: "select"; params: { title: string; options: readonly SelectOption[] } }
  | { method: "confirm"; params: { title: string; message: string } }
  | { method: "input"; params: { title: string; placeholder: string } }
  | { method: "editor"; params: { title: string; prefill: string } };

export type Answer = string | boolean | null;

/** The value the agent gets, or why the result is none. */
export function readAnswer(question: DialogQuestion, result: unknown): { value: Answer } | { wrong: string } {
  switch (question.method) {
    case "select":
      if (result === null) return { value: null };
      if (typeof result !== "string") return { wrong: "select wants the value of an option, or null" };
      return question.params.options.some((option) => option.value === result)
        ? { value: result }
        : { wrong: `select got a value that was not offered: ${result.slice(0, 80)}` };
    case "confirm":
      return readConfirmation(result);
    case "input":
    case "editor":
      return result === null || typeof result === "string"
        ? { value: result }
        : { wrong: `${question.method} wants text, or null` };
  }
}

/** What the agent gets when the question is cancelled. */
export function cancelledAnswer(question: DialogQuestion): Answer {
  return question.method === "confirm" ? false : null;
}

function readConfirmation(result: unknown): { value: Answer } | { wrong: string } {
  if (result === null) return { value: false };
  if (typeof result === "boolean") return { value: result };
  const ok = typeof result === "object" ? (result as { ok?: unknown }).ok : undefined;
  return typeof ok === "boolean" ? { value: ok } : { wrong: "confirm wants true or false" };
}
