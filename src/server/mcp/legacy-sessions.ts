// Sessions of the older protocol (2025-11-25 and before), in which clients cancel a call with a message of its own. A session
// ends when its client or the server ends it, or when it is idle and makes room for a new one.

import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { objectOf } from "../../contract/json-value.js";
import { type RpcMessage, rpcError } from "./rpc-body.js";

export interface LegacySessionsOptions {
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

export class LegacySessions {
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
