// How the embedded agent asks the person: one call for every kind of question, with the whole answer (also "always" and a
// reason), which the smaller `UI` of the libraries does not carry. A cancel is a value; nobody there is a UiError.
import type { DialogMethod, DialogParams, DialogResult } from "../contract/dialogs.js";

export type QuestionOptions = {
  /** Aborting withdraws the question; the answer is then the cancel. */
  readonly signal: AbortSignal;
  /** Which tool asks; null when it is the agent itself. */
  readonly tool: string | null;
};

/** What the front end said it can show beyond the four basic questions. */
export type QuestionSkills = { readonly form: boolean; readonly multiSelect: boolean };

export interface Questions {
  readonly hasUI: boolean;
  readonly skills: QuestionSkills;
  ask<Method extends DialogMethod>(
    method: Method,
    params: DialogParams<Method>,
    options: QuestionOptions,
  ): Promise<DialogResult<Method>>;
}

/** What a question gives when it is cancelled. */
export function cancelledResult(method: DialogMethod): false | null {
  return method === "confirm" ? false : null;
}

/** For when nobody is there: every question is cancelled at once. */
export const noQuestions: Questions = {
  hasUI: false,
  skills: { form: false, multiSelect: false },
  ask: async <Method extends DialogMethod>(method: Method) => cancelledResult(method) as DialogResult<Method>,
};
