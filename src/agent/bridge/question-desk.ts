// The open questions of one session on the lines wire. Whatever comes first settles a question, once: an answer, the end
// of the turn, the loss of the front end, the end of the agent. There is no deadline: an agent that waits for a person
// waits, and says so by naming none.
import { randomUUID } from "node:crypto";
import {
  type DialogMethod,
  type DialogParams,
  type DialogResult,
  dialogResultSchemas,
} from "../../contract/dialogs.js";
import type { UiErrorCode } from "../../contract/errors.js";
import { PENDING_DIALOGS_MAX } from "../../contract/limits.js";
import type { LinesOutput } from "../../contract/lines-outputs.js";
import type { SendResult } from "../../ui/dialog-desk.js";
import { readLinesResponse, type UiResponse } from "../../ui/lines-ui.js";
import { UiError } from "../../ui/ui-error.js";
import { cancelledResult, type QuestionOptions, type QuestionSkills, type Questions } from "../questions.js";

export type QuestionDeskOptions = {
  readonly sessionId: string;
  send(frame: LinesOutput): SendResult;
  skills(): QuestionSkills;
};

type Pending = {
  readonly method: DialogMethod;
  readonly params: DialogParams;
  settle(outcome: { value: unknown } | { error: UiError }): void;
};

export class QuestionDesk implements Questions {
  readonly hasUI = true;
  readonly #options: QuestionDeskOptions;
  readonly #pending = new Map<string, Pending>();
  #closed: UiErrorCode | null = null;

  constructor(options: QuestionDeskOptions) {
    this.#options = options;
  }

  get skills(): QuestionSkills {
    return this.#options.skills();
  }

  ask<Method extends DialogMethod>(
    method: Method,
    params: DialogParams<Method>,
    { signal, tool }: QuestionOptions,
  ): Promise<DialogResult<Method>> {
    if (signal.aborted) return Promise.resolve(cancelledResult(method) as DialogResult<Method>);
    if (this.#closed !== null) return Promise.reject(new UiError(this.#closed));
    if (this.#pending.size >= PENDING_DIALOGS_MAX) return Promise.reject(new UiError("overloaded"));
    const id = randomUUID();
    const answer = this.#wait(id, { method, params }, signal);
    const origin = tool === null ? {} : { origin: { kind: "tool", name: tool } };
    const frame = { type: "ui_request", id, method, params: { ...params, opts: params.opts ?? {} }, ...origin };
    const sent = this.#options.send({ ...frame, session_id: this.#options.sessionId } as LinesOutput);
    if (sent !== "sent") this.#fail(id, sent === "full" ? "overloaded" : "connection_closed");
    return answer as Promise<DialogResult<Method>>;
  }

  /** "unknown": nobody waits for it here (late, double, or asked by somebody else). */
  handleResponse(response: UiResponse): "settled" | "unknown" {
    const waiting = this.#pending.get(response.id);
    if (waiting === undefined) return "unknown";
    const reply = readLinesResponse(response);
    if (reply === null) this.#fail(response.id, "invalid_response", "neither a result nor an error");
    else if ("error" in reply) this.#fail(response.id, "remote", reply.error);
    else {
      const wrong = whatIsWrong(waiting, reply.result);
      if (wrong === null) waiting.settle({ value: reply.result });
      else this.#fail(response.id, "invalid_response", wrong);
    }
    return "settled";
  }

  /** Settles what is open and everything that will still be asked. */
  close(code: "connection_closed" | "server_shutdown"): void {
    this.#closed ??= code;
    for (const id of [...this.#pending.keys()]) {
      if (code === "server_shutdown") this.#cancel(id, "shutdown");
      this.#fail(id, code);
    }
  }

  #wait(id: string, { method, params }: Omit<Pending, "settle">, signal: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#cancel(id, typeof signal.reason === "string" ? signal.reason : "aborted");
        settle({ value: cancelledResult(method) });
      };
      const settle: Pending["settle"] = (outcome) => {
        this.#pending.delete(id);
        signal.removeEventListener("abort", onAbort);
        if ("value" in outcome) resolve(outcome.value);
        else reject(outcome.error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { method, params, settle });
    });
  }

  #cancel(id: string, reason: string): void {
    this.#options.send({ type: "ui_cancel", id, reason });
  }

  #fail(id: string, code: UiErrorCode, detail?: string): void {
    this.#pending.get(id)?.settle({ error: new UiError(code, detail) });
  }
}

// An answer must be one the question allows; a choice, one that was offered.
function whatIsWrong({ method, params }: Pending, result: unknown): string | null {
  if (!dialogResultSchemas[method].safeParse(result).success) return `that is no answer to ${method}`;
  if (method !== "select" || result === null) return null;
  const offered = (params as DialogParams<"select">).options.map(({ value }) => value);
  const chosen = Array.isArray(result) ? result : [result];
  return chosen.every((value) => offered.includes(value)) ? null : "a value that was not offered";
}
