// Frames of Claude Code as they come over its stream-json, written by hand and cut to what matters.
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import type { DialectTalk } from "../dialect-talk.js";

/** The answer to the handshake, with the id it was asked under. */
export function initialized(talking: DialectTalk): JsonObject {
  const models = [
    { value: "default", resolvedModel: "claude-opus-5-5", displayName: "Default" },
    { value: "opus", resolvedModel: "claude-opus-5-5", displayName: "Opus" },
  ];
  const response = {
    commands: [{ name: "compact", description: "make room", argumentHint: "[what]" }],
    models,
    current_permission_mode: "default",
    claude_code_version: "2.1.325",
  };
  const { request_id } = talking.lastSent;
  return { type: "control_response", response: { subtype: "success", request_id, response } };
}

export function init(): JsonObject {
  return {
    type: "system",
    subtype: "init",
    session_id: "s-1",
    cwd: "/home/ada/parser",
    model: "claude-opus-5-5",
    permissionMode: "default",
  };
}

/** One text as it streams: start, block, deltas, the whole block, its end, the end of the message. */
export function stream(id: string, deltas: readonly string[]): [JsonObject, ...JsonObject[]] {
  const event = (body: JsonObject) => ({ type: "stream_event", event: body, parent_tool_use_id: null });
  const text = deltas.join("");
  return [
    event({
      type: "message_start",
      message: { id, content: [], usage: { input_tokens: 10, cache_read_input_tokens: 100 } },
    }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...deltas.map((delta) =>
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: delta } }),
    ),
    assistant(id, [{ type: "text", text }]),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_stop" }),
  ];
}

export function assistant(id: string, content: readonly JsonObject[]): JsonObject {
  return { type: "assistant", message: { id, role: "assistant", content }, parent_tool_use_id: null };
}

export function toolResult(
  tool_use_id: string,
  content: string,
  tool_use_result?: unknown,
  outcome: "fine" | "error" = "fine",
): JsonObject {
  const block = { type: "tool_result", tool_use_id, content, is_error: outcome === "error" };
  return { type: "user", message: { role: "user", content: [block] }, parent_tool_use_id: null, tool_use_result };
}

export function canUse(request_id: string, request: JsonObject): JsonObject {
  return { type: "control_request", request_id, request: { subtype: "can_use_tool", ...request } };
}

export function claudeResult(fields: JsonObject = {}): JsonObject {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 0 };
  const modelUsage = { "claude-opus-5-5": { contextWindow: 200_000 } };
  return { type: "result", subtype: "success", is_error: false, total_cost_usd: 0.01, usage, modelUsage, ...fields };
}
