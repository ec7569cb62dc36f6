// The client's side of a daemon's HTTP surface, typed by the contract. What comes back is checked, so that an older or newer
// daemon is an error with a name and not a surprise later.
import { type IncomingMessage, request } from "node:http";
import type * as z from "zod";
import {
  type DaemonHealth,
  healthSchema,
  type LogEntry,
  logEntrySchema,
  refusalSchema,
  type StateEntry,
  stateSchema,
} from "../../contract/daemon.js";

export interface DaemonAddress {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs?: number;
}

export interface LogWishes {
  readonly linesMax?: number;
  readonly handler?: string;
}

export interface DaemonClient {
  /** Null when nothing provides state there. */
  state(): Promise<StateEntry[] | null>;
  /** Rejects with a `DaemonRefusal` when nobody takes it. */
  act(key: string, value: string): Promise<void>;
  logs(wishes: LogWishes): Promise<LogEntry[]>;
  health(): Promise<DaemonHealth>;
  /** A stream of server-sent events; ends with the signal. */
  openLogStream(wishes: LogWishes, lastEventId: string | null, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
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

export function createDaemonClient({ url, token, timeoutMs = TIMEOUT_MS_DEFAULT }: DaemonAddress): DaemonClient {
  const authorization = `Bearer ${token}`;

  async function ask(path: string, { headers = {}, ...wishes }: ExchangeWishes = {}): Promise<IncomingMessage> {
    const signal = wishes.signal ?? AbortSignal.timeout(timeoutMs);
    const answer = await exchange(new URL(path, url), { ...wishes, signal, headers: { authorization, ...headers } });
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return answer;
    throw new DaemonRefusal(status, await sentenceOf(answer));
  }

  const getJson = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> =>
    schema.parse(await jsonOf(await ask(path, { headers: { accept: "application/json" } })));

  return {
    async state() {
      const answer = await ask("/state");
      const body = await jsonOf(answer);
      return answer.statusCode === 204 ? null : stateSchema.parse(body);
    },
    async act(key, value) {
      const body = JSON.stringify({ key, value });
      await jsonOf(await ask("/action", { method: "POST", body, headers: { "content-type": "application/json" } }));
    },
    logs: (wishes) => getJson(`/logs${queryOf(wishes)}`, logEntrySchema.array()),
    health: () => getJson("/health", healthSchema),
    async openLogStream(wishes, lastEventId, signal) {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (lastEventId !== null) headers["last-event-id"] = lastEventId;
      return ask(`/logs${queryOf(wishes)}`, { headers, signal });
    },
  };
}

interface ExchangeWishes {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

// Not `fetch`: it refuses a list of ports outright, and costs a client that asks one question more than the question.
function exchange(url: URL, { method = "GET", headers = {}, body, signal }: ExchangeWishes): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent: false, ...(signal && { signal }) });
    sent.on("error", (error) => reject(signal?.aborted === true ? signal.reason : error));
    sent.on("response", resolve);
    sent.end(body);
  });
}

function queryOf({ linesMax, handler }: LogWishes): string {
  const query = new URLSearchParams();
  if (linesMax !== undefined) query.set("lines", String(linesMax));
  if (handler !== undefined) query.set("handler", handler);
  return query.size === 0 ? "" : `?${query}`;
}

async function jsonOf(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? null : JSON.parse(text);
}

async function sentenceOf(answer: IncomingMessage): Promise<string> {
  try {
    return refusalSchema.parse(await jsonOf(answer)).error;
  } catch {
    return `the daemon answered ${answer.statusCode}`;
  }
}
