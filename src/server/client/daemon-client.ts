// A typed client of a daemon's HTTP interface. Responses are validated, so another version fails with a clear error.

import type { IncomingMessage } from "node:http";
import type * as z from "zod";
import type { DaemonAddress } from "../../agents/remote/daemon-proof.js";
import {
  askDaemon,
  type JsonAnswer,
  jsonAnswerOf,
  type RequestOptions,
  refusalWords,
} from "../../agents/remote/daemon-request.js";
import type { Ask } from "../../contract/asks.js";
import {
  ACTION_WAIT_MS,
  type AnswerResult,
  actionResultSchema,
  answerResultSchema,
  asksSchema,
  type DaemonHealth,
  healthSchema,
  type LogEntry,
  logEntrySchema,
  type StateEntry,
  stateSchema,
} from "../../contract/daemon.js";
import { type HostedSessionEntry, hostedSessionsSchema } from "../../contract/hosted-sessions.js";
import {
  type Device,
  devicesSchema,
  PAIR_CODE_MS,
  type PairCode,
  type PairOutcome,
  pairCodeSchema,
  pairOutcomeSchema,
} from "../../contract/page.js";

export type { DaemonAddress } from "../../agents/remote/daemon-proof.js";

export interface ClientOptions extends DaemonAddress {
  readonly timeoutMs?: number;
}

export interface LogOptions {
  readonly linesMax?: number;
  readonly handler?: string;
}

export interface SentAnswer {
  /** "late": the ask was settled before, and `result` says how. */
  readonly verdict: "accepted" | "late";
  readonly result: AnswerResult;
}

export interface DaemonClient {
  /** Null when the daemon has no state. */
  state(): Promise<StateEntry[] | null>;
  /** Rejects with a `DaemonRefusal` when no handler takes it, or the handler fails. */
  act(key: string, value: string, options?: { readonly waitMs?: number }): Promise<"finished" | "running">;
  logs(options: LogOptions): Promise<LogEntry[]>;
  health(): Promise<DaemonHealth>;
  sessions(): Promise<HostedSessionEntry[]>;
  asks(): Promise<Ask[]>;
  /** Rejects with a `DaemonRefusal` when the answer does not fit, or there is no such ask. */
  answer(askId: string, answer: { value: unknown } | { cancel: true }, by: string): Promise<SentAnswer>;
  newPairCode(): Promise<PairCode>;
  /** Settles when a device has paired with the code, or the code has expired. */
  pairOutcome(codeId: string): Promise<PairOutcome>;
  /** Paired devices, then shared links. */
  devices(): Promise<Device[]>;
  revokeDevice(device: Device): Promise<void>;
  /** A stream of server-sent events; ends with the signal. */
  openLogStream(
    options: LogOptions,
    lastEventId: string | null,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
}

/** The daemon refused the request. */
export class DaemonRefusal extends Error {
  override readonly name = "DaemonRefusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS_DEFAULT = 10_000;
const LATE = 409;

export function createDaemonClient({ timeoutMs = TIMEOUT_MS_DEFAULT, ...address }: ClientOptions): DaemonClient {
  async function open(path: string, options: Partial<RequestOptions>, settled?: number): Promise<IncomingMessage> {
    const answer = await askDaemon(address, path, { signal: AbortSignal.timeout(timeoutMs), ...options });
    const { statusCode: status = 0 } = answer;
    if ((status >= 200 && status < 300) || status === settled) return answer;
    throw new DaemonRefusal(status, refusalWords(await jsonAnswerOf(answer)));
  }

  async function ask(path: string, options: Partial<RequestOptions> = {}, settled?: number): Promise<JsonAnswer> {
    return jsonAnswerOf(await open(path, { ...options, headers: { accept: "application/json" } }, settled));
  }

  const getJson = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> =>
    schema.parse((await ask(path)).body);

  return {
    async state() {
      const { status, body } = await ask("/state");
      return status === 204 ? null : stateSchema.parse(body);
    },
    async act(key, value, { waitMs = ACTION_WAIT_MS } = {}) {
      const signal = AbortSignal.timeout(waitMs + timeoutMs);
      const { body } = await ask("/action", { method: "POST", body: { key, value, wait_ms: waitMs }, signal });
      return actionResultSchema.parse(body).running === true ? "running" : "finished";
    },
    logs: (options) => getJson(`/logs${queryOf(options)}`, logEntrySchema.array()),
    health: () => getJson("/health", healthSchema),
    sessions: () => getJson("/sessions", hostedSessionsSchema),
    asks: () => getJson("/asks", asksSchema),
    async answer(askId, given, by) {
      const path = `/asks/${encodeURIComponent(askId)}/answer`;
      const { status, body } = await ask(path, { method: "POST", body: { ...given, by } }, LATE);
      return { verdict: status === LATE ? "late" : "accepted", result: answerResultSchema.parse(body) };
    },
    newPairCode: async () => pairCodeSchema.parse((await ask("/pair/codes", { method: "POST" })).body),
    async pairOutcome(codeId) {
      const signal = AbortSignal.timeout(PAIR_CODE_MS + timeoutMs);
      return pairOutcomeSchema.parse((await ask(`/pair/codes/${encodeURIComponent(codeId)}`, { signal })).body);
    },
    devices: async () => [...(await getJson("/devices", devicesSchema)), ...(await getJson("/shares", devicesSchema))],
    async revokeDevice({ id, scope }) {
      await ask(`/${scope === "full" ? "devices" : "shares"}/${encodeURIComponent(id)}`, { method: "DELETE" });
    },
    async openLogStream(options, lastEventId, signal) {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (lastEventId !== null) headers["last-event-id"] = lastEventId;
      return open(`/logs${queryOf(options)}`, { headers, signal });
    },
  };
}

function queryOf({ linesMax, handler }: LogOptions): string {
  const query = new URLSearchParams();
  if (linesMax !== undefined) query.set("lines", String(linesMax));
  if (handler !== undefined) query.set("handler", handler);
  return query.size === 0 ? "" : `?${query}`;
}
