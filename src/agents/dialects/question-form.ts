// Questions that an agent asks together: one with a list to choose from is that list, and words to type if none of it fits;
// several are one form.
import type { DialogParams, FormField } from "../../contract/dialogs.js";
import { objectOf } from "../../contract/json-value.js";
import { plainWord } from "../../contract/plain-word.js";
import { present } from "./frames/lenient-field.js";
import type { AskReply, NewAsk, PendingAsks } from "./pending-asks.js";
import { ROUNDS_MAX, roundId } from "./server-elicitation.js";

export type AgentQuestion = {
  readonly question: string;
  readonly header?: string | undefined;
  readonly options?: readonly { readonly label: string; readonly description?: string | undefined }[] | undefined;
  readonly multiSelect?: boolean | undefined;
  /** Whether words may be typed instead of a choice. */
  readonly isOther?: boolean | undefined;
  readonly isSecret?: boolean | undefined;
};

export type AgentAnswer = { readonly chosen: readonly string[]; readonly own: string };

export type AskedQuestions = Pick<NewAsk, "id" | "origin" | "deadlineMs"> & {
  readonly questions: readonly AgentQuestion[];
  readonly opts?: DialogParams<"form">["opts"];
};

/** No agent labels an option like this. */
const OWN_WORDS = "";

/** A single question with a list is that list; anything else is one form. `settle` gets an answer for each question. */
export function raiseQuestions(
  asks: PendingAsks,
  asked: AskedQuestions,
  settle: (answers: readonly AgentAnswer[], reply: AskReply) => void,
): void {
  const { questions, opts, ...ask } = asked;
  const [only] = questions;
  if (questions.length === 1 && only?.options !== undefined && only.options.length > 0) {
    askToChoose(asks, asked, only, settle);
    return;
  }
  const params = { ...questionsForm(questions), ...present({ opts }) };
  asks.raise({ ...ask, question: { kind: "form", params } }, (reply) =>
    settle(questionAnswers(questions, reply), reply),
  );
}

function askToChoose(
  asks: PendingAsks,
  asked: AskedQuestions,
  only: AgentQuestion,
  settle: (answers: readonly AgentAnswer[], reply: AskReply) => void,
  round = 1,
): void {
  const { questions: _questions, opts, id, ...ask } = asked;
  const { question: title, options = [], multiSelect, isOther, isSecret } = only;
  const own = isOther === true ? [{ label: "in my own words…", value: OWN_WORDS, description: null }] : [];
  const listed = { title, options: [...choicesOf(options), ...own] };
  const many = multiSelect === true ? { multiple: true } : {};
  const question = { kind: "select" as const, params: { ...listed, opts: { ...opts, ...many } } };
  asks.raise({ ...ask, id: roundId(id, round), question }, (reply) => {
    const given = reply.kind === "answered" ? [reply.value ?? []].flat().map(plainWord) : [];
    const chosen = given.filter((value) => value !== OWN_WORDS);
    if (chosen.length === given.length) return settle([{ chosen, own: "" }], reply);
    const secret = isSecret === true ? { opts: { secret: true } } : {};
    const typed = { kind: "input" as const, params: { title, ...secret } };
    return asks.raise({ ...ask, id: roundId(id, round + 1), question: typed }, (words) => {
      const isBack = words.kind === "answered" && words.value === null && round + 2 <= ROUNDS_MAX;
      if (isBack) askToChoose(asks, asked, only, settle, round + 2);
      else settle([{ chosen, own: words.kind === "answered" ? plainWord(words.value ?? "") : "" }], words);
    });
  });
}

function questionsForm(questions: readonly AgentQuestion[]): DialogParams<"form"> {
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
  const choices = choicesOf(options);
  const own: FormField = { name: `${name}_other`, label: "or in your own words", kind: typed };
  const chosen: FormField = { ...field, kind: multiSelect === true ? "multi_select" : "select", options: choices };
  return isOther === true ? [chosen, own] : [chosen];
}

function choicesOf(options: NonNullable<AgentQuestion["options"]>) {
  return options.map(({ label, description = null }) => ({ label, value: label, description }));
}

/** What was chosen or typed for each question, and what was typed besides. */
function questionAnswers(questions: readonly AgentQuestion[], reply: AskReply): AgentAnswer[] {
  const given = objectOf(reply.kind === "answered" ? reply.value : null);
  return questions.map((_, place) => {
    const own = given[`q${place + 1}_other`];
    const chosen = [given[`q${place + 1}`] ?? []].flat().map(plainWord);
    return { chosen, own: typeof own === "string" ? own : "" };
  });
}
