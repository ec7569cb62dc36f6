// Questions of codex to the person as one form. An answer is the label of an option, or words where codex takes them.
import type { CodexRequest } from "../../../contract/codex.js";
import type { DialogParams, FormField } from "../../../contract/dialogs.js";
import { objectOf } from "../../../contract/json-value.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { AskReply } from "../pending-asks.js";

type Request = CodexRequest<"item/tool/requestUserInput">;
type Question = Request["questions"][number];

export function questionsForm({ questions }: Request): DialogParams<"form"> {
  const [only, ...more] = questions;
  const title = more.length > 0 ? `${questions.length} questions` : (only?.header ?? "A question");
  return { title, fields: questions.flatMap(fieldsOf) };
}

/** Questions without an answer are left out: codex goes on without them. */
export function questionsReply({ questions }: Request, reply: AskReply): JsonObject {
  const given = reply.kind === "answered" ? objectOf(reply.value) : {};
  const answered = questions.flatMap(({ id }, place) => {
    const words = [given[`q${place + 1}`], given[`q${place + 1}_other`]].filter(
      (word): word is string => typeof word === "string" && word.trim() !== "",
    );
    return words.length === 0 ? [] : [[id, { answers: words }] as const];
  });
  return { answers: Object.fromEntries(answered) };
}

function fieldsOf({ question, header, options = [], isOther, isSecret }: Question, place: number): FormField[] {
  const description = header === undefined ? {} : { description: header };
  const name = `q${place + 1}`;
  const typed = isSecret === true ? ("secret" as const) : ("text" as const);
  if (options.length === 0) return [{ name, label: question, kind: typed, ...description }];
  const choices = options.map(({ label, description: detail }) => ({
    label,
    value: label,
    description: detail ?? null,
  }));
  const own: FormField = { name: `${name}_other`, label: "or in your own words", kind: typed };
  const chosen: FormField = { name, label: question, kind: "select", options: choices, ...description };
  return isOther === true ? [chosen, own] : [chosen];
}
