// The way out of the sandbox for one command: a question of its own, answered for this command and never remembered.

import { UiError } from "../../sdk/ui-error.js";
import { outsideApproval } from "../../session/sandbox/outside-approval.js";
import type { Sandbox } from "../../system/sandbox/sandbox.js";
import type { Questions } from "../questions.js";
import type { FailedInSandbox, LeaveAnswer } from "../tool.js";

export type SessionSandbox = {
  readonly box: Sandbox;
  /** "asked" only where a person sits: a run without one must not end at a question that it can do without. */
  readonly exit: "asked" | "closed";
};

export type ExitPorts = { readonly questions: Questions; readonly sandbox?: SessionSandbox | undefined };

export async function askToLeave(
  { command, because }: FailedInSandbox,
  callId: string,
  { questions, sandbox }: ExitPorts,
  signal: AbortSignal,
): Promise<LeaveAnswer> {
  if (sandbox?.exit !== "asked" || !questions.hasUI) return { type: "unasked" };
  try {
    const answer = await questions.ask("confirm", outsideApproval(command, because, callId), { signal });
    const { ok, reason = null } = typeof answer === "object" && answer !== null ? answer : { ok: answer };
    return ok === true ? { type: "allowed" } : { type: "denied", words: reason?.trim() ?? "" };
  } catch (error) {
    if (!(error instanceof UiError)) throw error;
    return { type: "denied", words: "" };
  }
}
