// MCP over HTTP, as a function from request to response, for both eras of the protocol: requests that stand alone, and the
// older sessions. Also `palaver/state` and `palaver/action` as plain JSON-RPC.

import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { actionParamsSchema } from "../../contract/daemon.js";
import { objectOf } from "../../contract/json-value.js";
import { errorMessage } from "../../contract/plain-word.js";
import { problemOf } from "../../contract/schema-problem.js";
import { askTools } from "./ask-tools.js";
import { type McpDaemon, type McpPorts, mcpLimitsDefault } from "./mcp-ports.js";
import { type RpcBody, type RpcMessage, readRpcBody, rpcError, rpcErrors } from "./rpc-body.js";
import { type CallSummary, createServerFactory, type ServerFactory } from "./server-factory.js";

export interface McpEndpoint {
  post(request: Request, text: string): Promise<Response>;
  /** GET and DELETE: listen in a session, or end it. */
  control(request: Request): Promise<Response>;
  calls(): CallSummary;
  /** Withdraws open questions, ends every session and stream. */
  close(): Promise<void>;
}

const BOTH_TYPES = "application/json, text/event-stream";
const SERVER_ERROR = -32000;

const askingTools: ReadonlySet<unknown> = new Set(["report_status", ...askTools.map(({ name }) => name)]);

export function createMcpEndpoint(ports: McpPorts): McpEndpoint {
  const factory = createServerFactory(ports);
  const limits = { ...mcpLimitsDefault, ...ports.limits };
  const sessions = new LegacySessions({ ...limits, createServer: factory.create });
  const answering = { sessions, ports, ...handlersOf(factory, ports, limits.keepAliveMs) };
  return {
    async post(request, text) {
      if (!isJsonContentType(request.headers.get("content-type"))) {
        return rpcError(415, SERVER_ERROR, "the content type has to be application/json");
      }
      const body = readRpcBody(text);
      if (body.kind === "unfit") return rpcError(400, body.code, body.message, body.id);
      return answerPost(acceptingBoth(request), body, answering);
    },
    control: (request) => sessions.control(request),
    calls: () => factory.calls.summary(),
    async close() {
      await factory.close("shutdown");
      await Promise.all([sessions.closeAll(), answering.streaming.close(), answering.plain.close()]);
    },
  };
}

interface Answering {
  readonly sessions: LegacySessions;
  readonly ports: McpPorts;
  readonly streaming: McpHttpHandler;
  readonly plain: McpHttpHandler;
}

// Clients give up when no response head arrives, so questions are streamed from the start, with comments in between.
function handlersOf({ create }: ServerFactory, { onFault }: McpPorts, keepAliveMs: number) {
  const options = { keepAliveMs, onerror: (error: Error) => onFault?.(error) };
  return {
    streaming: createMcpHandler(create, { ...options, responseMode: "sse" }),
    plain: createMcpHandler(create, options),
  };
}

async function answerPost(
  request: Request,
  read: Extract<RpcBody, { kind: "messages" }>,
  { sessions, ports, streaming, plain }: Answering,
): Promise<Response> {
  const { body, messages } = read;
  const answer = ports.daemon === undefined ? null : await answerPlainMethods(read, ports.daemon);
  if (answer !== null) return answer;
  if (await isLegacyRequest(request, body)) {
    const sessionId = request.headers.get("mcp-session-id");
    if (sessionId !== null) return sessions.serve(sessionId, { request, body, messages });
    if (messages.some(isInitialize)) return sessions.open({ request, body, messages });
  }
  const handler = messages.some(waitsForPerson) ? streaming : plain;
  return handler.fetch(request, { parsedBody: body });
}

function isInitialize({ method }: RpcMessage): boolean {
  return method === "initialize";
}

function waitsForPerson({ method, params }: RpcMessage): boolean {
  if (method !== "tools/call" || typeof params !== "object" || params === null || !("name" in params)) return false;
  return askingTools.has(params.name);
}

// Scripts send */* or no Accept header; both mean any type.
function acceptingBoth(request: Request): Request {
  const accepted = request.headers.get("accept") ?? "*/*";
  if (accepted.trim() !== "*/*") return request;
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH_TYPES);
  return new Request(request.url, { method: "POST", headers, signal: request.signal });
}

type Messages = Extract<RpcBody, { kind: "messages" }>;
type RpcResult = { result: unknown } | { error: { code: number; message: string } };

const PREFIX = "palaver/";

/** Null when the body has other methods. Notifications are performed without an answer. */
async function answerPlainMethods({ messages, isBatch }: Messages, daemon: McpDaemon): Promise<Response | null> {
  if (!messages.every(isPlain)) return null;
  const answers: unknown[] = [];
  for (const message of messages) {
    const answer = await perform(message, daemon);
    if (message.id !== undefined) answers.push({ jsonrpc: "2.0", id: message.id, ...answer });
  }
  if (answers.length === 0) return new Response(null, { status: 202 });
  return Response.json(isBatch ? answers : answers[0]);
}

function isPlain(message: RpcMessage): boolean {
  return typeof message["method"] === "string" && message["method"].startsWith(PREFIX);
}

async function perform(message: RpcMessage, daemon: McpDaemon): Promise<RpcResult> {
  switch (message["method"]) {
    case "palaver/state":
      return { result: daemon.readState() ?? [] };
    case "palaver/action":
      return act(message["params"], daemon);
    default:
      return { error: { code: rpcErrors.notFound, message: "there is no such method" } };
  }
}

async function act(params: unknown, daemon: McpDaemon): Promise<RpcResult> {
  const read = actionParamsSchema.safeParse(params);
  if (!read.success) {
    const { where, what } = problemOf(read.error);
    return { error: { code: rpcErrors.invalidParams, message: where === "" ? what : `${where}: ${what}` } };
  }
  const { key, value = "" } = read.data;
  try {
    const outcome = await daemon.act(key, String(value));
    if (outcome.kind === "taken") return { result: "OK" };
    const message = "reason" in outcome ? outcome.reason : `there is no action ${JSON.stringify(key.slice(0, 80))}`;
    return { error: { code: SERVER_ERROR, message } };
  } catch (error) {
    return { error: { code: SERVER_ERROR, message: errorMessage(error) } };
  }
}

// Sessions of the older protocol (2025-11-25 and before), where a client cancels a call with a separate message. A session
// ends when its client or the server ends it, or when it is idle and makes room for a new one.

interface LegacySessionsOptions {
  readonly sessionsMax: number;
  readonly keepAliveMs: number;
  createServer(): McpServer;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  underWay: number;
  /** Calls with a stream of their own. */
  readonly alone: Set<string | number>;
}

export interface SessionRequest {
  readonly request: Request;
  readonly body: unknown;
  readonly messages: readonly RpcMessage[];
}

const NO_SUCH_SESSION = -32001;
const TOO_MANY = -32000;

class LegacySessions {
  private readonly options: LegacySessionsOptions;
  // Least recently used first.
  private readonly sessions = new Map<string, Session>();

  constructor(options: LegacySessionsOptions) {
    this.options = options;
  }

  /** Answers `initialize` and begins a session with it. */
  async open({ request, body }: SessionRequest): Promise<Response> {
    if (!this.makeRoom()) return rpcError(503, TOO_MANY, "too many sessions are open");
    const { keepAliveMs, createServer } = this.options;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      keepAliveMs,
      onsessioninitialized: (id) => void this.sessions.set(id, { transport, underWay: 0, alone: new Set() }),
    });
    const server = createServer();
    await server.connect(transport);
    transport.onclose = after(transport.onclose, () => this.forget(transport));
    const answer = await transport.handleRequest(request, { parsedBody: body });
    // After a refused handshake no client can end it.
    if (transport.sessionId === undefined || !answer.ok) await server.close();
    return answer;
  }

  async serve(sessionId: string, { request, body, messages }: SessionRequest): Promise<Response> {
    const session = this.used(sessionId);
    if (session === undefined) return noSuchSession();
    const callId = loneRequestId(messages);
    if (callId !== null) session.alone.add(callId);
    const answer = await session.transport.handleRequest(request, { parsedBody: body });
    closeCancelled(session, messages);
    return whileUnderWay(answer, session, () => callId !== null && session.alone.delete(callId));
  }

  /** GET opens the stream of server messages, DELETE ends the session. */
  async control(request: Request): Promise<Response> {
    const session = this.used(request.headers.get("mcp-session-id") ?? "");
    return session === undefined ? noSuchSession() : session.transport.handleRequest(request);
  }

  async closeAll(): Promise<void> {
    const all = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(all.map(({ transport }) => transport.close()));
  }

  private used(id: string): Session | undefined {
    const session = this.sessions.get(id);
    if (session === undefined) return undefined;
    this.sessions.delete(id);
    this.sessions.set(id, session);
    return session;
  }

  private makeRoom(): boolean {
    if (this.sessions.size < this.options.sessionsMax) return true;
    const idle = [...this.sessions.values()].find(({ underWay }) => underWay === 0);
    void idle?.transport.close();
    return idle !== undefined;
  }

  private forget(transport: WebStandardStreamableHTTPServerTransport): void {
    if (transport.sessionId !== undefined) this.sessions.delete(transport.sessionId);
  }
}

function noSuchSession(): Response {
  return rpcError(404, NO_SUCH_SESSION, "there is no such session; begin a new one");
}

function loneRequestId(messages: readonly RpcMessage[]): string | number | null {
  const [message, another] = messages;
  return message?.["method"] === undefined || another !== undefined ? null : (message.id ?? null);
}

// A cancelled call gets no answer; its stream is closed unless other calls share it.
function closeCancelled({ transport, alone }: Session, messages: readonly RpcMessage[]): void {
  for (const message of messages) {
    if (message["method"] !== "notifications/cancelled") continue;
    const params = message["params"];
    const { requestId: id } = objectOf(params);
    if ((typeof id === "string" || typeof id === "number") && alone.has(id)) {
      setImmediate(() => transport.closeSSEStream(id));
    }
  }
}

function whileUnderWay(answer: Response, session: Session, onOver: () => void): Response {
  const reader = answer.body?.getReader();
  if (reader === undefined) {
    onOver();
    return answer;
  }
  session.underWay += 1;
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    session.underWay -= 1;
    onOver();
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      over();
      controller.close();
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}

function after(first: (() => void) | undefined, then: () => void): () => void {
  return () => {
    first?.();
    then();
  };
}
