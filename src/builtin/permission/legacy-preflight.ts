// What a front end without permission events gets to see before it is asked: the same as plain words of the agent. The
// wording is old and others parse it, so it must not change.
import type { AgentEvent, PermissionPreview } from "../../contract/agent-events.js";
import type { ToolCallBlock } from "../session/history.js";

export function legacyPreflight(call: ToolCallBlock, preview: PermissionPreview): AgentEvent[] {
  const planned = preview.diff ?? preview.summary;
  return [
    `Permission request raw args (${call.name}):\n${JSON.stringify(call.arguments)}`,
    ...(planned === undefined ? [] : [`Planned ${call.name} diff preview:\n${planned}`]),
    `Permission preflight ready for ${call.name}.`,
  ].flatMap(spoken);
}

// Each text is a message of its own, complete at once; none of them becomes part of the history.
function spoken(text: string): AgentEvent[] {
  const message = { role: "assistant" as const, content: [{ type: "text" as const, text }] };
  return [
    { type: "message_start", data: [message] },
    { type: "message_end", data: [message] },
  ];
}
