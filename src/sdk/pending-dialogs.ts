// The open questions of one agent: each has an id, a deadline and a caller who waits. Whatever happens first settles
// it, once: an answer, the deadline, the caller's signal, the loss of the connection, or the end of the agent.

import { randomUUID } from "node:crypto";
import {
  cancelledAnswer,
  type DialogMethod,
  type DialogParams,
  type DialogQuestion,
  type DialogResult,
  readAnswer,
} from "../contract/dialogs.js";
import type { UiErrorCode } from "../contract/errors.js";
import { PENDING_DIALOGS_MAX } from "../contract/limits.js";
import { realTimers, type Timers } from "../system/timers.js";
import { UiError } from "./errors.js";
import type { DialogOptions, DialogOrigin } from "./ui.js";

export type SendResult = "sent" | "full" | "closed";

/** A question without a timeout waits for ever. */
export type DialogRequest = DialogQuestion & { id: string; timeout_ms?: number; origin?: DialogOrigin };

export type PendingDialogsOptions = {
  /** How questions leave: this file says what, the adapter says how. */
  sendRequest(request: DialogRequest): SendResult;
  sendCancel(id: string, reason: string): void;
  /** For dialogs that name no time of their own; without it they wait. */
  timeoutMs?: number | undefined;
  pendingMax?: number | undefined;
  timers?: Timers | undefined;
  newId?: (() => string) | undefined;
};

/** What came back: a result, the peer's error, or neither. */
export type Reply = { result: unknown } | { error: string } | null;

type OwnOptions = { [Key in "timeoutMs" | "signal" | "origin"]: DialogOptions[Key] | undefined };
type Outcome = { value: DialogResult } | { error: UiError };
type Pending = { question: DialogQuestion; settle(outcome: Outcome): void };

export class PendingDialogs {
  readonly #options: PendingDialogsOptions;
  readonly #pending = new Map<string, Pending>();
  #closed: UiErrorCode | null = null;

  constructor(options: PendingDialogsOptions) {
    this.#options = options;
  }

  /** The whole answer, as the contract has it for this kind of question. */
  ask<Method extends DialogMethod>(
    method: Method,
    params: DialogParams<Method>,
    { timeoutMs, signal, origin, toolCallId }: DialogOptions = {},
  ): Promise<DialogResult<Method>> {
    const call = toolCallId === undefined ? {} : { tool_call_id: toolCallId };
    const question = { method, params: { ...params, opts: { ...params.opts, ...call } } } as DialogQuestion;
    // What comes back was judged by the method of the question.
    return this.#open(question, { timeoutMs, signal, origin }) as Promise<DialogResult<Method>>;
  }

  #open(question: DialogQuestion, { timeoutMs, signal, origin }: OwnOptions): Promise<DialogResult> {
    const { sendRequest, newId = randomUUID, pendingMax = PENDING_DIALOGS_MAX } = this.#options;
    if (signal?.aborted) return Promise.resolve(cancelledAnswer(question.method));
    if (this.#closed !== null) return Promise.reject(new UiError(this.#closed));
    if (this.#pending.size >= pendingMax) return Promise.reject(new UiError("overloaded", `${pendingMax} are open`));
    const waitMs = finite(timeoutMs ?? this.#options.timeoutMs ?? null);
    const id = newId();
    const answer = this.#wait(id, question, { waitMs, signal });
    const limit = waitMs === null ? {} : { timeout_ms: waitMs };
    const sent = sendRequest({ id, ...question, ...limit, ...(origin === undefined ? {} : { origin }) });
    if (sent !== "sent") this.#fail(id, sent === "full" ? "overloaded" : "connection_closed");
    return answer;
  }

  /** A reply to a question that is not open (late, double, never asked) is ignored: "unknown". */
  reply(id: string, reply: Reply): "settled" | "unknown" {
    const waiting = this.#pending.get(id);
    if (waiting === undefined) return "unknown";
    if (reply === null) this.#fail(id, "invalid_response", "neither a result nor an error");
    // Both sides give up at the same moment, and either may be first.
    else if ("error" in reply && reply.error === "timeout") this.#fail(id, "timeout");
    else if ("error" in reply) this.#fail(id, "remote", reply.error);
    else {
      const read = readAnswer(waiting.question, reply.result);
      if ("value" in read) waiting.settle(read);
      else this.#fail(id, "invalid_response", read.wrong);
    }
    return "settled";
  }

  /** Settles every open question with this code, and every later one at once. */
  close(code: UiErrorCode): void {
    this.#closed ??= code;
    for (const id of [...this.#pending.keys()]) {
      if (code === "server_shutdown") this.#options.sendCancel(id, "shutdown");
      this.#fail(id, code);
    }
  }

  #wait(
    id: string,
    question: DialogQuestion,
    { waitMs, signal }: { waitMs: number | null; signal: AbortSignal | undefined },
  ): Promise<DialogResult> {
    const { sendCancel, timers = realTimers } = this.#options;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        sendCancel(id, abortReason(signal));
        settle({ value: cancelledAnswer(question.method) });
      };
      const onTimeout = () => {
        sendCancel(id, "timeout");
        this.#fail(id, "timeout");
      };
      const callOff = waitMs === null ? () => {} : timers.after(waitMs, onTimeout);
      const settle = (outcome: Outcome) => {
        this.#pending.delete(id);
        callOff();
        signal?.removeEventListener("abort", onAbort);
        if ("value" in outcome) resolve(outcome.value);
        else reject(outcome.error);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { question, settle });
    });
  }

  #fail(id: string, code: UiErrorCode, detail?: string): void {
    this.#pending.get(id)?.settle({ error: new UiError(code, detail) });
  }
}

function finite(timeoutMs: number | null): number | null {
  return timeoutMs !== null && Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : null;
}

function abortReason(signal: AbortSignal | undefined): string {
  return typeof signal?.reason === "string" ? signal.reason : "aborted";
}
