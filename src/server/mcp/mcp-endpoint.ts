// MCP over HTTP, as one function from a request to a response. It takes both eras of the protocol at the same address: the
// newer one, in which every request stands alone, and the older one with its sessions. Who may come here at all was decided
// before, by the guard of the listening socket.
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { askTools } from "./ask-tools.js";
import type { CallSummary } from "./call-record.js";
import { LegacySessions } from "./legacy-sessions.js";
import { type McpPorts, mcpLimitsDefault } from "./mcp-ports.js";
import { answerPlainMethods } from "./plain-methods.js";
import { type RpcBody, type RpcMessage, readRpcBody, rpcError } from "./rpc-body.js";
import { createServerFactory, type ServerFactory } from "./server-factory.js";

export interface McpEndpoint {
  /** A POST with its body, which was read within a bound. */
  post(request: Request, text: string): Promise<Response>;
  /** GET and DELETE: a client listens in its session, or ends it. */
  control(request: Request): Promise<Response>;
  calls(): CallSummary;
  openQuestions(): number;
  /** Withdraws what is asked, ends every session and stream. */
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
    openQuestions: () => factory.questions.size,
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

// A question may wait for long, and a client gives up on a response whose head does not come: questions are streamed from
// the start, with comments in between. Everything else is answered in one piece when it can be.
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

// Somebody who takes anything takes both; scripts say so, or say nothing.
function acceptingBoth(request: Request): Request {
  const accepted = request.headers.get("accept") ?? "*/*";
  if (accepted.trim() !== "*/*") return request;
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH_TYPES);
  return new Request(request.url, { method: "POST", headers, signal: request.signal });
}
