// Which wire an agent speaks, told by the first frame it writes. Agents on our own wire greet by themselves; those that speak
// the Agent Client Protocol answer our greeting, and some others complain about it in a way that gives them away.

import { objectOf } from "../../contract/json-value.js";
import { linesOutputTable } from "../../contract/lines-outputs.js";
import { plainWord } from "../../contract/plain-word.js";
import { rpcNotificationSchemas, rpcRequestSchemas } from "../../contract/rpc.js";
import type { WireName } from "../../contract/wire-names.js";
import type { JsonObject } from "./frames/json-frame.js";

const bareMethods: ReadonlySet<unknown> = new Set(
  [...rpcRequestSchemas, ...rpcNotificationSchemas].map(({ shape }) => shape.method.value),
);

/** Claude Code writes these types and nobody else does. */
const claudeTypes: ReadonlySet<unknown> = new Set(["system", "control_request", "control_response", "stream_event"]);

/** Null when the frame could be anybody's. */
export function spokenIn(frame: JsonObject): WireName | null {
  const { type, jsonrpc, method } = frame;
  if (jsonrpc === "2.0") return isOfCodelia(frame) ? "codelia" : "acp";
  if (type === "response" && "success" in frame) return "pi";
  if (claudeTypes.has(type)) return "claude";
  if (type !== undefined) return linesOutputTable.get(plainWord(type)) === undefined ? null : "lines";
  // The same greeting again, without a version of JSON-RPC.
  if ("codexHome" in objectOf(frame.result)) return "codex";
  return bareMethods.has(method) ? "rpc" : null;
}

// Both greet with `initialize`; the Agent Client Protocol writes its fields in another case.
function isOfCodelia({ result, method }: JsonObject): boolean {
  if (method === "agent.event" || /^ui\.\w+\.request$/.test(plainWord(method))) return true;
  return "protocol_version" in objectOf(result);
}
