// Claude's control channel: our requests with their responses, and our responses to Claude's requests. A response with an
// unknown id settles the oldest open request, because Claude answers in order; one with an answered id is a fault.

import type { JsonObject } from "../frames/json-frame.js";
import { SentRequests } from "../sent-requests.js";
import type { StepBuilder } from "../step-builder.js";
import type { ClaudeFrame } from "./claude-frames.js";

export type ControlAnswer =
  | { readonly ok: true; readonly response: JsonObject }
  | { readonly ok: false; readonly error: string };

/** How many answered ids are remembered. */
const ANSWERED_IDS_MAX = 64;

export class ControlChannel {
  private readonly out: StepBuilder;
  private readonly sent = SentRequests.named<ControlAnswer>();
  private readonly answered: string[] = [];

  constructor(out: StepBuilder) {
    this.out = out;
  }

  request(request: JsonObject, then: (answer: ControlAnswer) => void): void {
    const id = this.sent.add("control_request", then);
    this.out.send({ type: "control_request", request_id: id, request });
  }

  take({ response }: ClaudeFrame<"control_response">): void {
    const { subtype, request_id, error } = response;
    const id = this.sent.has(request_id) ? request_id : this.oldestUnless(request_id);
    if (id === null) {
      this.out.fault("invalidFrame", `an answer to a request that was not made: ${request_id.slice(0, 80)}`, response);
      return;
    }
    this.answered.push(request_id);
    if (this.answered.length > ANSWERED_IDS_MAX) this.answered.shift();
    if (subtype === "error") this.sent.settle(id, { ok: false, error: error ?? "no reason given" });
    else this.sent.settle(id, { ok: true, response: response.response ?? {} });
  }

  answer(requestId: string, response: JsonObject): void {
    this.out.send({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
  }

  refuse(requestId: string, error: string): void {
    this.out.send({ type: "control_response", response: { subtype: "error", request_id: requestId, error } });
  }

  private oldestUnless(requestId: string): string | null {
    if (this.answered.includes(requestId)) return null;
    return this.sent.waiting()[0]?.id ?? null;
  }
}
