// Questions that an agent asks together, as one form: each a list to choose from, words to type, or both.
import type { DialogParams, FormField } from "../../contract/dialogs.js";
import { objectOf } from "../../contract/json-value.js";
import { plainWord } from "../../contract/plain-word.js";
import { present } from "./frames/lenient-field.js";
import type { AskReply } from "./pending-asks.js";

export type AgentQuestion = {
  readonly question: string;
  readonly header?: string | undefined;
  readonly options?: readonly { readonly label: string; readonly description?: string | undefined }[] | undefined;
  readonly multiSelect?: boolean | undefined;
  /** Whether words may be typed instead of a choice. */
  readonly isOther?: boolean | undefined;
  readonly isSecret?: boolean | undefined;
};

export function questionsForm(questions: readonly AgentQuestion[]): DialogParams<"form"> {
  const [only, ...more] = questions;
  const title = more.length > 0 ? `${questions.length} questions` : (only?.header ?? "A question");
  return { title, fields: questions.flatMap(fieldsOf) };
}

function fieldsOf(asked: AgentQuestion, place: number): FormField[] {
  const { question, header, options = [], multiSelect, isOther, isSecret } = asked;
  const name = `q${place + 1}`;
  const field = { name, label: question, ...present({ description: header }) };
  const typed = isSecret === true ? ("secret" as const) : ("text" as const);
  if (options.length === 0) return [{ ...field, kind: typed }];
  const choices = options.map(({ label, description = null }) => ({ label, value: label, description }));
  const own: FormField = { name: `${name}_other`, label: "or in your own words", kind: typed };
  const chosen: FormField = { ...field, kind: multiSelect === true ? "multi_select" : "select", options: choices };
  return isOther === true ? [chosen, own] : [chosen];
}

/** What was chosen or typed for each question, and what was typed besides. */
export function questionAnswers(questions: readonly AgentQuestion[], reply: AskReply) {
  const given = objectOf(reply.kind === "answered" ? reply.value : null);
  return questions.map((_, place) => {
    const own = given[`q${place + 1}_other`];
    const chosen = [given[`q${place + 1}`] ?? []].flat().map(plainWord);
    return { chosen, own: typeof own === "string" ? own : "" };
  });
}
