// The front end as a session sees it. Events go out in order; helpers for messages, tool calls and permission questions adapt
// to the front end's capabilities.
import { randomUUID } from "node:crypto";
import type { AgentEvent } from "../contract/agent-events.js";
import type { Clock } from "../system/timers.js";
import { type GrowingMessage, MessageStream } from "./message-stream.js";
import type { PermissionRequest } from "./requests.js";
import { ToolReport } from "./tool-report.js";
import type { UI } from "./ui.js";
import { wireOptions } from "./wired-ui.js";

export type SessionFront = {
  /** `permission` sends a preview of the call before it asks. */
  readonly ui: UI;
  /** Reports an event of the session. Resolves when the front end has kept up. */
  emit(event: AgentEvent): Promise<void>;
  /** A message that its author still writes to, sent as deltas or whole. */
  stream(message: GrowingMessage): MessageStream<Promise<void>>;
  /** Reports that a tool call began; its output and its end are reported with what is returned. */
  tool(name: string, args: unknown, options?: { id?: string }): ToolReport;
};

export type FrontPorts = {
  readonly ui: UI;
  readonly clock: Clock;
  emit(event: AgentEvent): Promise<void>;
  /** What both sides agreed on; the front end may change it at any time. */
  agreements(): { readonly updates: "whole" | "deltas"; readonly previews: "events" | "texts" };
};

export function createSessionFront({ ui, clock, emit, agreements }: FrontPorts): SessionFront {
  return {
    ui: {
      ...ui,
      async permission(request, options) {
        if (ui.hasUI) for (const event of previewOf(request, agreements().previews)) await emit(event);
        return ui.permission(request, options);
      },
    },
    emit,
    stream: (message) =>
      new MessageStream(message, { emit, updates: agreements().updates, nowMs: () => clock.nowMs() }),
    tool: (name, args, { id = randomUUID() } = {}) => new ToolReport({ id, name, arguments: args }, { emit, clock }),
  };
}

// Without a call there is nothing that a preview could belong to.
function previewOf(request: PermissionRequest, previews: "events" | "texts"): AgentEvent[] {
  const { tool, toolCallId, path: file_path, language, diff, summary, truncated } = request;
  if (toolCallId === undefined || (diff ?? summary ?? file_path) === undefined) return [];
  if (previews === "texts") return previewTexts(request);
  const about = { tool, tool_call_id: toolCallId };
  const preview = wireOptions({ file_path, language, diff, summary, truncated });
  return [
    { type: "permission.preview", ...preview, ...about },
    { type: "permission.ready", ...about },
  ];
}

// For a front end without permission events. Others parse this wording, so it must not change.
function previewTexts({ tool, arguments: args = {}, diff, summary = "" }: PermissionRequest): AgentEvent[] {
  return [
    `Permission request raw args (${tool}):\n${JSON.stringify(args)}`,
    `Planned ${tool} diff preview:\n${diff ?? summary}`,
    `Permission preflight ready for ${tool}.`,
  ].flatMap((text): AgentEvent[] => {
    const message = { role: "assistant" as const, content: [{ type: "text" as const, text }] };
    return [
      { type: "message_start", message },
      { type: "message_end", message },
    ];
  });
}
