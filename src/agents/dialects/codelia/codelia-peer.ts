// JSON-RPC with codelia's runtime: which message is a request, a notice or a response, and which answer belongs to which
// question. Ids are strings from here, and theirs are sent back as they came. An answer that nobody waits for is ignored:
// the runtime answers late after a cancel.

import {
  type CodeliaRequest,
  codeliaNoticeSchema,
  codeliaRequestSchema,
  codeliaResponseSchema,
} from "../../../contract/codelia.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { JsonObject } from "../frames/json-frame.js";
import { SentRequests } from "../sent-requests.js";
import type { StepBuilder } from "../step-builder.js";

export type PeerAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly message: string; readonly code: number };

export interface PeerHandlers {
  onRequest(request: CodeliaRequest): void;
  onNotice(method: string, params: JsonObject): void;
}

const INTERNAL = -32_000;

export class CodeliaPeer {
  private readonly out: StepBuilder;
  private readonly sent = SentRequests.named<PeerAnswer>();

  constructor(out: StepBuilder) {
    this.out = out;
  }

  call(method: string, params: JsonObject, then: (answer: PeerAnswer) => void = () => undefined): void {
    const id = this.sent.add(method, then);
    this.out.send({ jsonrpc: "2.0", id, method, params });
  }

  answer(id: string | number, result: JsonObject): void {
    this.out.send({ jsonrpc: "2.0", id, result });
  }

  refuse(id: string | number, code: number, message: string): void {
    this.out.send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  take(frame: JsonObject, { onRequest, onNotice }: PeerHandlers): void {
    const request = codeliaRequestSchema.safeParse(frame);
    const notice = codeliaNoticeSchema.safeParse(frame);
    const response = codeliaResponseSchema.safeParse(frame);
    if (request.success) onRequest(request.data);
    else if (notice.success) onNotice(notice.data.method, notice.data.params);
    else if (response.success) this.settle(response.data);
    else if ("error" in frame) this.out.fault("invalidFrame", `the agent reports ${errorWords(frame.error)}`, frame);
    else this.out.fault("invalidFrame", "neither a request, a notice nor a response", frame);
  }

  private settle({ id, result, error }: { id: string | number; result?: unknown; error?: unknown }): void {
    const isDone = error === undefined || error === null;
    const failure = { ok: false as const, message: errorWords(error), code: errorCode(error) };
    this.sent.settle(plainWord(id), isDone ? { ok: true, result } : failure);
  }
}

function errorCode(error: unknown): number {
  const code = typeof error === "object" && error !== null ? (error as JsonObject).code : undefined;
  return typeof code === "number" ? code : INTERNAL;
}

function errorWords(error: unknown): string {
  const message = typeof error === "object" && error !== null ? (error as JsonObject).message : error;
  return typeof message === "string" && message !== "" ? message : "an error without words";
}
