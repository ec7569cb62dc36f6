// Checks whether a value can be an answer to a question. Answers come over HTTP from any client with the token, so they are
// checked by the same rules as everywhere before they settle an ask; an invalid value leaves it open.
import { hostname } from "node:os";
import { type Ask, permissionResultSchema } from "../../contract/asks.js";
import { type DialogParams, dialogResultSchemas } from "../../contract/dialogs.js";
import { problemOf, type SchemaError } from "../../contract/schema-problem.js";
import { type FittedAnswer, fitAnswer } from "../../session/answer-fit.js";
import { offersAlways } from "../../session/ask-facts.js";
import { insideProblem } from "../../system/inside-folder.js";

/** What the agent gets, or why it cannot. */
export type CheckedAnswer = Exclude<FittedAnswer, { kind: "cancelled" }>;

export function checkAnswer(ask: Ask, value: unknown): CheckedAnswer {
  const { question } = ask;
  if (value === null || value === undefined) return unfit("the value is missing; to cancel, send cancel: true");
  // A front end sends these two as the agent gets them; words for them are for people who write them down.
  if (question.kind === "confirm") return checkedConfirm(question.params.opts ?? {}, value);
  if (question.kind === "permission") {
    const answer = checked(permissionResultSchema.safeParse(value));
    if (answer.kind === "unfit") return answer;
    const { choiceId } = permissionResultSchema.parse(value);
    return question.params.choices.some(({ id }) => id === choiceId) ? answer : unfit("this choice was not offered");
  }
  const fitted = fitAnswer(ask, value);
  if (fitted.kind === "cancelled") return unfit("to cancel, send cancel: true");
  const outside =
    question.kind === "files" && fitted.kind === "answered" ? pathsProblem(question.params, fitted.value) : null;
  return outside === null ? fitted : unfit(outside);
}

// Where the folder is on this machine, a path has to lead to something inside it.
function pathsProblem({ folder, host }: DialogParams<"files">, paths: unknown): string | null {
  if (folder === undefined || host !== hostname()) return null;
  for (const path of paths as readonly string[]) {
    const problem = insideProblem(folder, path);
    if (problem !== null) return `${path}: ${problem}`;
  }
  return null;
}

// Where "always" was not offered, or what is asked about is dangerous, an answer cannot say it.
function checkedConfirm(opts: NonNullable<DialogParams<"confirm">["opts"]>, value: unknown): CheckedAnswer {
  const read = dialogResultSchemas.confirm.safeParse(value);
  const saysAlways = typeof read.data === "object" && read.data?.remember === true;
  return saysAlways && !offersAlways(opts) ? unfit("this choice was not offered") : checked(read);
}

type Read = { success: true; data: unknown } | { success: false; error: SchemaError };

function checked(read: Read): CheckedAnswer {
  if (read.success) return { kind: "answered", value: read.data };
  const { where, what } = problemOf(read.error);
  return unfit(where === "" ? what : `${where}: ${what}`);
}

function unfit(problem: string): CheckedAnswer {
  return { kind: "unfit", problem };
}
