// What can be read off a question: whether it approves something, which tool and call it is about, and whether two ask the same.
import type { Ask } from "../contract/asks.js";
import type { DialogParams } from "../contract/dialogs.js";
import { canonicalJson, isRecord, objectOf } from "../contract/json-value.js";

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

/** The command that answers it from another terminal. */
export function answerCommandWords({ question }: Pick<Ask, "question">, id: string): string {
  const value = question.kind === "confirm" || question.kind === "permission" ? "--yes, or --no" : "VALUE";
  return `palaver answer ${id} ${value}`;
}

/** Whether both ask the same: everything that is asked, offered or approved, not only the title. */
export function isSameQuestion(a: Pick<Ask, "question">, b: Pick<Ask, "question">): boolean {
  return canonicalJson(askedBy(a)) === canonicalJson(askedBy(b));
}

// An agent that asks again has another id for the call, and other words beside a command or a diff.
function askedBy({ question }: Pick<Ask, "question">): unknown {
  const { toolCallId: _call, message, opts, ...params } = question.params as Record<string, unknown>;
  const { tool_call_id: _id, ...options } = objectOf(opts);
  const isShown = ["command", "diff", "changes"].some(
    (field) => params[field] !== undefined || options[field] !== undefined,
  );
  return { kind: question.kind, params, options, message: isShown ? "" : (message ?? "") };
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
