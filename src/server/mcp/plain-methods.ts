// State and actions as plain JSON-RPC, for programs that speak no MCP: `palaver/state` and `palaver/action {key, value}`, alone
// or in a batch, with or without an id. Everything is answered in one JSON body; notifications are obeyed and not answered.

import { actionParamsSchema } from "../../contract/daemon.js";
import { errorMessage } from "../../contract/plain-word.js";
import { problemOf } from "../../contract/schema-problem.js";
import type { DaemonDoor } from "./mcp-ports.js";
import { type RpcBody, type RpcMessage, rpcErrors } from "./rpc-body.js";

type Messages = Extract<RpcBody, { kind: "messages" }>;
type RpcResult = { result: unknown } | { error: { code: number; message: string } };

const PREFIX = "palaver/";
const SERVER_ERROR = -32000;

/** Null when the body holds anything else. */
export async function answerPlainMethods(
  { messages, isBatch }: Messages,
  daemon: DaemonDoor,
): Promise<Response | null> {
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

async function perform(message: RpcMessage, daemon: DaemonDoor): Promise<RpcResult> {
  switch (message["method"]) {
    case "palaver/state":
      return { result: daemon.readState() ?? [] };
    case "palaver/action":
      return act(message["params"], daemon);
    default:
      return { error: { code: rpcErrors.notFound, message: "there is no such method" } };
  }
}

async function act(params: unknown, daemon: DaemonDoor): Promise<RpcResult> {
  const read = actionParamsSchema.safeParse(params);
  if (!read.success) {
    const { where, what } = problemOf(read.error);
    return { error: { code: rpcErrors.invalidParams, message: where === "" ? what : `${where}: ${what}` } };
  }
  const { key, value = "" } = read.data;
  try {
    const outcome = await daemon.act(key, String(value));
    if (outcome.kind === "taken") return { result: "OK" };
    const message =
      outcome.kind === "refused" ? outcome.reason : `there is no action ${JSON.stringify(key.slice(0, 80))}`;
    return { error: { code: SERVER_ERROR, message } };
  } catch (error) {
    return { error: { code: SERVER_ERROR, message: errorMessage(error) } };
  }
}
