// JSON-RPC with an agent: our requests with their responses, and its requests, each answered exactly once. The two directions
// have separate id tables.

import type * as z from "zod";
import { wireErrorCodes } from "../../contract/errors.js";
import { objectOf } from "../../contract/json-value.js";
import { acpErrorCodes } from "./acp/acp-frames.js";
import type { JsonObject } from "./frames/json-frame.js";
import { SentRequests } from "./sent-requests.js";
import type { StepBuilder } from "./step-builder.js";

/** Differences between agents. */
export interface JsonRpcWire {
  /** Fields of every message. */
  readonly envelope: JsonObject;
  readonly ids: "numbers" | "names";
  /** The notification that cancels a request, in both directions; null if there is none. */
  readonly cancelMethod: string | null;
  /** Responses to no open request; "dropped" if the agent answers late after a cancel. */
  readonly lateAnswers: "reported" | "dropped";
}

export type RpcReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown };

/** The result of a call, if it succeeded and fits the schema. */
export function resultOf<Schema extends z.ZodType>(schema: Schema, reply: RpcReply): z.infer<Schema> | undefined {
  return reply.ok ? schema.safeParse(reply.result).data : undefined;
}

export type RpcId = string | number;

/** An open request of the agent. Only the first answer is sent. */
export interface AgentRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly isOpen: boolean;
  answer(result: JsonObject | null): void;
  refuse(code: number, message: string): void;
  /** Runs when the agent cancels the request. */
  whenTakenBack(run: () => void): void;
}

export interface PeerHandlers {
  onRequest(request: AgentRequest): void;
  onNotification(method: string, params: JsonObject): void;
}

/** Further requests are refused. */
const OPEN_REQUESTS_MAX = 1_024;

export class JsonRpcPeer {
  private readonly out: Pick<StepBuilder, "send" | "fault">;
  private readonly wire: JsonRpcWire;
  private readonly sent: SentRequests<RpcReply, RpcId>;
  private readonly open = new Map<string, OpenRequest>();

  constructor(out: Pick<StepBuilder, "send" | "fault">, wire: JsonRpcWire) {
    this.out = out;
    this.wire = wire;
    this.sent = wire.ids === "numbers" ? new SentRequests<RpcReply, RpcId>((number) => number) : SentRequests.named();
  }

  request(method: string, params: JsonObject, settle: (answer: RpcReply) => void = () => undefined): RpcId {
    const id = this.sent.add(method, settle);
    this.out.send({ ...this.wire.envelope, id, method, params });
    return id;
  }

  notify(method: string, params: JsonObject): void {
    this.out.send({ ...this.wire.envelope, method, params });
  }

  /** Asks the agent to cancel; it may still answer. */
  takeBack(id: RpcId): void {
    const { cancelMethod } = this.wire;
    if (cancelMethod !== null && this.sent.has(id)) this.notify(cancelMethod, { requestId: id });
  }

  /** A later answer is dropped. */
  forget(id: RpcId): void {
    this.sent.forget(id);
  }

  /** Our unanswered requests. */
  waitingFor(): { id: RpcId; method: string }[] {
    return this.sent.waiting().map(({ id, name }) => ({ id, method: name }));
  }

  read(frame: JsonObject, handlers: PeerHandlers): void {
    const { id, method } = frame;
    const hasId = typeof id === "string" || typeof id === "number";
    if (typeof method === "string") {
      const params = objectOf(frame.params);
      if (hasId) this.takeRequest({ id, method, params }, handlers);
      else if (method === this.wire.cancelMethod) this.cancelled(params.requestId);
      else handlers.onNotification(method, params);
    } else if (hasId) this.takeResponse(id, frame);
    else
      this.out.fault(
        "invalidFrame",
        frame.error === undefined ? "a frame with neither method nor id" : strayError(frame),
        frame,
      );
  }

  /** The agent has its answer from another client: what was begun for the request ends, and nothing is sent. */
  settledElsewhere(id: unknown): void {
    const key = JSON.stringify(id) ?? "";
    const request = this.open.get(key);
    this.open.delete(key);
    request?.drop();
  }

  refuseAll(code: number, message: string): void {
    for (const request of [...this.open.values()]) request.takeBack(code, message);
  }

  /** The connection is closed: every open request fails. */
  close(message: string): void {
    this.sent.settleAll({ ok: false, code: wireErrorCodes.internal, message });
    this.refuseAll(acpErrorCodes.cancelled, message);
  }

  private takeRequest({ id, method, params }: Pick<AgentRequest, "id" | "method" | "params">, to: PeerHandlers): void {
    const key = JSON.stringify(id);
    const respond = (body: JsonObject) => this.out.send({ ...this.wire.envelope, id, ...body });
    if (this.open.has(key)) {
      const message = `a request with the id ${key.slice(0, 80)} is already open`;
      this.out.fault("invalidFrame", message, { id, method });
      respond({ error: { code: wireErrorCodes.invalidFrame, message } });
      return;
    }
    if (this.open.size >= OPEN_REQUESTS_MAX) {
      respond({ error: { code: wireErrorCodes.internal, message: "too many requests are open" } });
      return;
    }
    const request = new OpenRequest({ id, method, params }, (body) => {
      this.open.delete(key);
      respond(body);
    });
    this.open.set(key, request);
    to.onRequest(request);
  }

  private takeResponse(id: RpcId, frame: JsonObject): void {
    const ours = this.wire.ids === "numbers" ? Number(id) : String(id);
    if (this.sent.settle(ours, answerOf(frame)) || this.wire.lateAnswers === "dropped") return;
    this.out.fault("invalidFrame", `an answer to ${JSON.stringify(id)}, which was not requested`, frame);
  }

  private cancelled(requestId: unknown): void {
    this.open.get(JSON.stringify(requestId) ?? "")?.takeBack(acpErrorCodes.cancelled, "cancelled");
  }
}

class OpenRequest implements AgentRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  private respond: ((body: JsonObject) => void) | null;
  private undo: () => void = () => undefined;

  constructor(request: Pick<AgentRequest, "id" | "method" | "params">, respond: (body: JsonObject) => void) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params;
    this.respond = respond;
  }

  get isOpen(): boolean {
    return this.respond !== null;
  }

  answer(result: JsonObject | null): void {
    this.settle({ result });
  }

  refuse(code: number, message: string): void {
    this.settle({ error: { code, message } });
  }

  whenTakenBack(run: () => void): void {
    this.undo = run;
  }

  /** Undoes what was started for it, then refuses it. */
  takeBack(code: number, message: string): void {
    this.undo();
    this.refuse(code, message);
  }

  drop(): void {
    this.respond = null;
    this.undo();
  }

  private settle(body: JsonObject): void {
    const { respond } = this;
    this.respond = null;
    respond?.(body);
  }
}

function answerOf(frame: JsonObject): RpcReply {
  if (frame.error === undefined || frame.error === null) return { ok: true, result: frame.result };
  const { code, message, data } = objectOf(frame.error);
  const words = typeof message === "string" ? message : typeof frame.error === "string" ? frame.error : "";
  return { ok: false, code: typeof code === "number" ? code : wireErrorCodes.internal, message: words, data };
}

function strayError({ error }: JsonObject): string {
  const { message } = objectOf(error);
  return `an error that belongs to no request: ${typeof message === "string" ? message.slice(0, 200) : "no message"}`;
}
