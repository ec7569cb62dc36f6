// Whether a value can be the answer to a question at all. Answers come over HTTP from anybody who has the token, so they are
// judged before they settle an ask: a value that does not fit leaves it open.
import { type Ask, permissionResultSchema } from "../../contract/asks.js";
import { dialogResultSchemas, type SelectOption } from "../../contract/dialogs.js";
import { problemOf } from "../../contract/schema-problem.js";

/** Null when it fits. */
export function answerProblem({ question }: Ask, value: unknown): string | null {
  if (value === null || value === undefined) return "there is no value; a cancel is sent as cancel: true";
  const schema = question.kind === "permission" ? permissionResultSchema : dialogResultSchemas[question.kind];
  const read = schema.safeParse(value);
  if (!read.success) {
    const { where, what } = problemOf(read.error);
    return where === "" ? what : `${where}: ${what}`;
  }
  if (question.kind === "select") return choiceProblem(question.params.options, value);
  if (question.kind !== "permission") return null;
  const { choiceId } = permissionResultSchema.parse(value);
  return question.params.choices.some(({ id }) => id === choiceId) ? null : "this choice was not offered";
}

function choiceProblem(options: readonly SelectOption[], value: unknown): string | null {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
  const offered = (choice: unknown) => options.some((option) => option.value === choice);
  return chosen.every(offered) ? null : "this was not offered";
}
