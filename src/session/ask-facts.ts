// What can be read off a question: whether it approves something, which tool and call it is about, and whether two ask the same.
import type { Ask, PermissionParams } from "../contract/asks.js";
import type { DialogParams } from "../contract/dialogs.js";
import { isRecord } from "../contract/json-value.js";

/** Whether this is about letting a tool do something, whichever way the agent asks it. */
export function isApproval({ question }: Pick<Ask, "question">): boolean {
  if (question.kind === "permission") return true;
  if (question.kind !== "confirm") return false;
  const { tool, command, diff } = question.params.opts ?? {};
  return tool !== undefined || command !== undefined || diff !== undefined;
}

/** The tool call that a question is about, or is. */
export function toolCallOf({ question }: Pick<Ask, "question">): string | null {
  if (question.kind === "permission") return question.params.toolCallId ?? null;
  return question.params.opts?.tool_call_id ?? null;
}

/** A reason for a "no" that the agent cannot take is the user's next prompt instead. */
export function withoutReason({ question }: Pick<Ask, "question">, value: unknown): { value: unknown; prompt: string } {
  if (!isRecord(value) || typeof value["reason"] !== "string") return { value, prompt: "" };
  const { reason, ...rest } = value;
  if (question.kind === "permission") {
    return question.params.allowReason === true ? { value, prompt: "" } : { value: rest, prompt: reason };
  }
  if (question.kind !== "confirm" || question.params.opts?.allow_reason === true) return { value, prompt: "" };
  return { value: question.params.opts?.allow_remember === true ? rest : rest["ok"] === true, prompt: reason };
}

/** Whether both ask the same; for an approval all that is approved has to be the same, not only its title. */
export function isSameQuestion(a: Pick<Ask, "question">, b: Pick<Ask, "question">): boolean {
  if (a.question.kind !== b.question.kind || a.question.params.title !== b.question.params.title) return false;
  return (!isApproval(a) && !isApproval(b)) || JSON.stringify(approvedBy(a)) === JSON.stringify(approvedBy(b));
}

function approvedBy({ question }: Pick<Ask, "question">): readonly unknown[] {
  const fields =
    question.kind === "permission" ? question.params : question.kind === "confirm" ? question.params.opts : {};
  const { tool, command, diff, path, changes, details } = (fields ?? {}) as Partial<PermissionParams>;
  return [tool, command, diff, path, changes, details].map((field) => field ?? null);
}

/** The tool that asks, or that is asked about. */
export function toolOf({ question, origin }: Pick<Ask, "question" | "origin">): string | null {
  if (question.kind === "permission") return question.params.tool;
  if (question.kind === "confirm" && question.params.opts?.tool !== undefined) return question.params.opts.tool;
  return origin.kind === "tool" ? (origin.name ?? null) : null;
}

/** Whether "always" may be said to a confirmation. */
export function offersAlways({
  allow_remember,
  danger = "",
  danger_level,
}: NonNullable<DialogParams<"confirm">["opts"]>): boolean {
  return allow_remember === true && danger === "" && danger_level !== "danger";
}
