// How the embedded agent asks the person: one call for every kind of question, with the whole answer (also "always" and a
// reason). A cancel is a value; nobody there is a UiError. There is no deadline: an agent that waits for a person waits.
import type { DialogMethod, DialogParams, DialogResult } from "../contract/dialogs.js";
import { cancelledAnswer } from "../sdk/answers.js";
import type { DialogSkills } from "../sdk/form-fallback.js";
import type { LinesUi } from "../sdk/lines-ui.js";

export type QuestionOptions = {
  /** Aborting withdraws the question; the answer is then the cancel. */
  readonly signal: AbortSignal;
};

export interface Questions {
  readonly hasUI: boolean;
  readonly skills: DialogSkills;
  ask<Method extends DialogMethod>(
    method: Method,
    params: DialogParams<Method>,
    options: QuestionOptions,
  ): Promise<DialogResult<Method>>;
}

/** The questions of one session, over its own UI. */
export function questionsOver({ ask }: Pick<LinesUi, "ask">, skills: () => DialogSkills): Questions {
  return {
    hasUI: true,
    get skills() {
      return skills();
    },
    // Whoever is asked about a tool finds its name in the question; that the agent asks needs no words.
    ask: (method, params, { signal }) => ask(method, params, { signal }),
  };
}

/** For when nobody is there: every question is cancelled at once. */
export const noQuestions: Questions = {
  hasUI: false,
  skills: { form: false, multiSelect: false },
  ask: async <Method extends DialogMethod>(method: Method) => cancelledAnswer(method) as DialogResult<Method>,
};
