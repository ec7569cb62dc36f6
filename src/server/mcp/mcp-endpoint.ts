// MCP over HTTP, as a function from request to response, for both eras of the protocol: requests that stand alone, and the
// older sessions. Also `palaver/state` and `palaver/action` as plain JSON-RPC.
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { actionParamsSchema } from "../../contract/daemon.js";
import { errorMessage } from "../../contract/plain-word.js";
import { problemOf } from "../../contract/schema-problem.js";
import { askTools } from "./ask-tools.js";
import { LegacySessions } from "./legacy-sessions.js";
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
