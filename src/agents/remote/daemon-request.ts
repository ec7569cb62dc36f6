// One request to a daemon. This is the only place that sends the token, and it sends it on no connection before the daemon at
// its other end has proved that it knows the token already:
//
//   connect ─GET /prove?nonce=…→ digest ─checked→ the request with the token, on the same connection
//
// Not `fetch`: it refuses a list of ports outright, and costs a client that asks one question more than the question.
import { randomBytes } from "node:crypto";
import { Agent, type ClientRequestArgs, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { proofSchema, refusalSchema } from "../../contract/daemon.js";
import { type DaemonAddress, type DaemonClaims, isProof, PROVE_PATH } from "./daemon-proof.js";

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** Something answers at the address, but does not know the token. It was not told. */
export class DaemonUnproven extends Error {
  override readonly name = "DaemonUnproven";
}

/** Whatever the daemon answers; rejects when it cannot be reached or does not prove itself, or with the signal's reason. */
export async function askDaemon(
  address: DaemonAddress,
  path: string,
  options: RequestOptions,
): Promise<IncomingMessage> {
  const { connection } = await proveWithRetry(address, options.signal);
  const { method = "GET", headers = {}, body, signal } = options;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const about =
    text === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  const secret = { authorization: `Bearer ${address.token}`, connection: "close" };
  const target = { url: dialled(path, address.url), agent: connection, signal };
  return send({ ...target, method, headers: { ...headers, ...about, ...secret }, text });
}

/** Who the daemon says it is, once it has proved that it may say so. */
export async function proveDaemon(address: DaemonAddress, signal: AbortSignal): Promise<DaemonClaims> {
  const { connection, claims } = await proveWithRetry(address, signal);
  connection.destroy();
  return claims;
}

interface Proven {
  readonly connection: OneConnection;
  readonly claims: DaemonClaims;
}

const PROVE_TRIES_MAX = 3;
const PROOF_BYTES_MAX = 16 * 1024;

// A daemon under a flood of connections drops the oldest one that has not shown the token. Nothing was asked yet, so the
// client tries again.
async function proveWithRetry(address: DaemonAddress, signal: AbortSignal): Promise<Proven> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await prove(address, signal);
    } catch (error) {
      const isDropped = (error as NodeJS.ErrnoException).code === "ECONNRESET";
      if (!isDropped || tries >= PROVE_TRIES_MAX) throw error;
    }
  }
}

async function prove({ url, token }: DaemonAddress, signal: AbortSignal): Promise<Proven> {
  const connection = new OneConnection();
  try {
    const nonce = randomBytes(32).toString("hex");
    const target = dialled(`${PROVE_PATH}?nonce=${nonce}`, url);
    const headers = { accept: "application/json" };
    const answer = await send({ url: target, agent: connection, signal, method: "GET", headers, text: undefined });
    const { data } = proofSchema.safeParse(parsed(await textOf(answer, PROOF_BYTES_MAX)));
    if (data === undefined || !isProof(data.proof, token, { nonce, address: target.host }, data)) {
      throw new DaemonUnproven(`the server at ${url} did not prove that it is the daemon, so the token was not sent`);
    }
    return { connection, claims: data };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

// "localhost" is two addresses, and the daemon listens at one of them.
function dialled(path: string, base: string): URL {
  const url = new URL(path, base);
  if (url.hostname === "localhost") url.hostname = "127.0.0.1";
  return url;
}

/** Opens one connection and never a second: the next one might end at another program. */
class OneConnection extends Agent {
  private opened = 0;

  constructor() {
    super({ keepAlive: true, maxSockets: 1 });
  }

  override createConnection(options: ClientRequestArgs, callback?: (error: Error | null, stream: Duplex) => void) {
    this.opened += 1;
    if (this.opened === 1) return super.createConnection(options, callback);
    const error: NodeJS.ErrnoException = new Error("the daemon closed the connection");
    error.code = "ECONNRESET";
    (callback as ((error: Error) => void) | undefined)?.(error);
    return undefined;
  }
}

interface SentRequest {
  readonly url: URL;
  readonly agent: Agent;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  readonly signal: AbortSignal;
}

function send({ url, text, signal, ...options }: SentRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, signal });
    sent.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    sent.on("response", resolve);
    sent.end(text);
  });
}

async function textOf(answer: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new DaemonUnproven("the server there is not a daemon");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

export async function askDaemonForJson(
  address: DaemonAddress,
  path: string,
  options: RequestOptions,
): Promise<JsonAnswer> {
  const headers = { accept: "application/json", ...options.headers };
  return jsonAnswerOf(await askDaemon(address, path, { ...options, headers }));
}

/** The body of an answer, read to its end. */
export async function jsonAnswerOf(answer: IncomingMessage): Promise<JsonAnswer> {
  return { status: answer.statusCode ?? 0, body: parsed(await textOf(answer, Number.POSITIVE_INFINITY)) };
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
