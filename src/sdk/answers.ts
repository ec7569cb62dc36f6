// What may come back from a dialog, judged against what was asked: an answer that does not fit is refused here, so that
// an agent never gets a value its types do not promise.

import type { DialogMethod, DialogParams, DialogResult } from "../contract/dialogs.js";
import { isRecord } from "../contract/json-value.js";

/** A question on its way: what is asked, with all its extra wishes. */
export type DialogQuestion = {
  readonly [Method in DialogMethod]: { readonly method: Method; readonly params: DialogParams<Method> };
}[DialogMethod];

type Judged = { value: DialogResult } | { wrong: string };

/** The value the agent gets, or why the result is none. */
export function readAnswer(question: DialogQuestion, result: unknown): Judged {
  if (result === null) return { value: cancelledAnswer(question.method) };
  switch (question.method) {
    case "select":
      return question.params.opts?.multi === true
        ? readChoices(question.params, result)
        : readChoice(question.params, result);
    case "confirm":
      return readConfirmation(result);
    case "input":
    case "editor":
      return typeof result === "string" ? { value: result } : { wrong: `${question.method} wants text, or null` };
    case "form":
      return isRecord(result) ? { value: result } : { wrong: "form wants an object with the answers, or null" };
  }
}

/** What the agent gets when the question is cancelled. */
export function cancelledAnswer(method: DialogMethod): false | null {
  return method === "confirm" ? false : null;
}

function readChoice({ options }: DialogParams<"select">, result: unknown): Judged {
  if (typeof result !== "string") return { wrong: "select wants the value of an option, or null" };
  if (options.some(({ value }) => value === result)) return { value: result };
  return { wrong: `select got a value that was not offered: ${result.slice(0, 80)}` };
}

// A front end that knows nothing of several choices gives one, which is a list of one.
function readChoices(params: DialogParams<"select">, result: unknown): Judged {
  const chosen: unknown[] = Array.isArray(result) ? result : [result];
  for (const each of chosen) {
    const judged = readChoice(params, each);
    if ("wrong" in judged) return judged;
  }
  return { value: chosen as string[] };
}

// With the words around it where there are any: "always", and a reason.
function readConfirmation(result: unknown): Judged {
  if (typeof result === "boolean") return { value: result };
  if (!isRecord(result) || typeof result["ok"] !== "boolean") return { wrong: "confirm wants true or false" };
  const { ok, remember, reason } = result;
  return {
    value: {
      ok,
      ...(typeof remember === "boolean" ? { remember } : {}),
      ...(typeof reason === "string" ? { reason } : {}),
    },
  };
}
