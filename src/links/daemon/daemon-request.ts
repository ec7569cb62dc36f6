// One request to a daemon, with its token. Not `fetch`: it refuses a list of ports outright, and costs a client that asks one
// question more than the question.
import { type IncomingMessage, request } from "node:http";
import { refusalSchema } from "../../contract/daemon.js";

export interface DaemonAddress {
  readonly url: string;
  readonly token: string;
}

export interface RequestWishes {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** Whatever the daemon answers; rejects when it cannot be reached, or with the signal's reason. */
export function askDaemon(
  { url, token }: DaemonAddress,
  path: string,
  wishes: RequestWishes,
): Promise<IncomingMessage> {
  const { method = "GET", headers = {}, body, signal } = wishes;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const about =
    text === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const options = {
      method,
      signal,
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...headers, ...about },
    };
    const sent = request(new URL(path, url), options);
    sent.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    sent.on("response", resolve);
    sent.end(text);
  });
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

export async function askDaemonForJson(
  address: DaemonAddress,
  path: string,
  wishes: RequestWishes,
): Promise<JsonAnswer> {
  const headers = { accept: "application/json", ...wishes.headers };
  return jsonAnswerOf(await askDaemon(address, path, { ...wishes, headers }));
}

/** The body of an answer, read to its end. */
export async function jsonAnswerOf(answer: IncomingMessage): Promise<JsonAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode ?? 0, body: parsed(Buffer.concat(chunks).toString()) };
}

/** What a daemon says when it says no. */
export function refusalWords({ status, body }: JsonAnswer): string {
  const { data } = refusalSchema.safeParse(body);
  return data?.error ?? `the daemon answered ${status}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
