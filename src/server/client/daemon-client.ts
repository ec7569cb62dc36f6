// The client's side of a daemon's HTTP surface, typed by the contract. What comes back is checked, so that an older or newer
// daemon is an error with a name and not a surprise later.
import type { IncomingMessage } from "node:http";
import type * as z from "zod";
import {
  askDaemon,
  type DaemonAddress,
  type JsonAnswer,
  jsonAnswerOf,
  type RequestOptions,
  refusalWords,
} from "../../agents/remote/daemon-request.js";
import {
  type DaemonHealth,
  healthSchema,
  type LogEntry,
  logEntrySchema,
  type StateEntry,
  stateSchema,
} from "../../contract/daemon.js";

export type { DaemonAddress } from "../../agents/remote/daemon-request.js";

export interface ClientOptions extends DaemonAddress {
  readonly timeoutMs?: number;
}

export interface LogOptions {
  readonly linesMax?: number;
  readonly handler?: string;
}

export interface DaemonClient {
  /** Null when nothing provides state there. */
  state(): Promise<StateEntry[] | null>;
  /** Rejects with a `DaemonRefusal` when nobody takes it. */
  act(key: string, value: string): Promise<void>;
  logs(wishes: LogOptions): Promise<LogEntry[]>;
  health(): Promise<DaemonHealth>;
  /** A stream of server-sent events; ends with the signal. */
  openLogStream(
    wishes: LogOptions,
    lastEventId: string | null,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
}

/** The daemon answered, and the answer was no. */
export class DaemonRefusal extends Error {
  override readonly name = "DaemonRefusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS_DEFAULT = 10_000;

export function createDaemonClient({ timeoutMs = TIMEOUT_MS_DEFAULT, ...address }: ClientOptions): DaemonClient {
  async function open(path: string, wishes: Partial<RequestOptions>): Promise<IncomingMessage> {
    const answer = await askDaemon(address, path, { signal: AbortSignal.timeout(timeoutMs), ...wishes });
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return answer;
    throw new DaemonRefusal(status, refusalWords(await jsonAnswerOf(answer)));
  }

  async function ask(path: string, wishes: Partial<RequestOptions> = {}): Promise<JsonAnswer> {
    return jsonAnswerOf(await open(path, { ...wishes, headers: { accept: "application/json" } }));
  }

  const getJson = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> =>
    schema.parse((await ask(path)).body);

  return {
    async state() {
      const { status, body } = await ask("/state");
      return status === 204 ? null : stateSchema.parse(body);
    },
    async act(key, value) {
      await ask("/action", { method: "POST", body: { key, value } });
    },
    logs: (wishes) => getJson(`/logs${queryOf(wishes)}`, logEntrySchema.array()),
    health: () => getJson("/health", healthSchema),
    async openLogStream(wishes, lastEventId, signal) {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (lastEventId !== null) headers["last-event-id"] = lastEventId;
      return open(`/logs${queryOf(wishes)}`, { headers, signal });
    },
  };
}

function queryOf({ linesMax, handler }: LogOptions): string {
  const query = new URLSearchParams();
  if (linesMax !== undefined) query.set("lines", String(linesMax));
  if (handler !== undefined) query.set("handler", handler);
  return query.size === 0 ? "" : `?${query}`;
}
