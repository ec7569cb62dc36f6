// Frames of the lines wire as session events. Questions are kept by the dialect.

import type { AgentEvent } from "../../../contract/agent-events.js";
import type { Ask } from "../../../contract/asks.js";
import { objectOf } from "../../../contract/json-value.js";
import type { LinesOutput, UiRequest } from "../../../contract/lines-outputs.js";
import { type Usage, usageSchema } from "../../../contract/messages.js";
import { notifyLevelOf } from "../../../contract/notices.js";
import type { SessionEvent } from "../../../contract/session-events.js";
import { present } from "../frames/lenient-field.js";
import type { NewAsk } from "../pending-asks.js";
import { inputDetails, unknownFieldLines } from "../tool-inputs.js";

/** Frames that the dialect does not handle itself. */
type PlainFrame = Exclude<LinesOutput, { type: "event" | "ui_request" | "ui_cancel" }>;

export function frameEvents(frame: PlainFrame): SessionEvent[] {
  const sessionId = "session_id" in frame && typeof frame.session_id === "string" ? frame.session_id : null;
  switch (frame.type) {
    case "ready": {
      const { ui = true, protocol_version: protocolVersion, active_session_id = null, model } = frame;
      const named = model ? { model: `${model.provider}:${model.id}` } : {};
      return [{ type: "agent.readied", ui, protocolVersion, ...named, sessionId: active_session_id }];
    }
    case "error":
      return [{ type: "command.failed", sessionId, message: frame.message, ...present({ code: frame.code }) }];
    case "session_started":
      return [{ type: "session.started", sessionId, ...present({ cwd: frame.cwd }) }];
    case "session_closed":
      return [{ type: "session.closed", sessionId, reason: frame.reason ?? "normal" }];
    case "active_session":
      return [{ type: "session.activated", sessionId }];
    case "ui_notify": {
      const { message, notify_type } = frame.params;
      return [{ type: "notice.shown", sessionId, level: notifyLevelOf(notify_type), message }];
    }
    case "ui_status":
      return [{ type: "status.changed", sessionId, key: frame.params.key, text: frame.params.text }];
    case "ui_widget": {
      const { key, content, opts } = frame.params;
      const lines = typeof content === "string" ? content.split("\n") : content;
      return [{ type: "widget.changed", sessionId, key, lines, placement: opts?.placement ?? "above" }];
    }
    case "ui_working":
      return [{ type: "working.changed", sessionId, message: frame.params.message }];
    case "ui_set_title":
      return [{ type: "title.changed", sessionId, title: frame.params.title }];
    case "ui_set_editor_text":
      return [{ type: "editor-text.changed", sessionId, text: frame.params.text }];
    default: {
      const { type: command, ...answer } = frame;
      return [{ type: "command.answered", sessionId, command, answer }];
    }
  }
}

export function eventOf(event: AgentEvent, sessionId: string | null): SessionEvent {
  switch (event.type) {
    case "agent_start":
      return { type: "prompt.started", sessionId };
    case "agent_end":
      return { type: "prompt.finished", sessionId, ...usageAtEnd(event.data[1]) };
    case "turn_start":
      return { type: "turn.started", sessionId };
    case "turn_end":
      return { type: "turn.finished", sessionId };
    case "message_start":
      return { type: "message.started", sessionId, message: event.data[0] };
    case "message_update":
      return { type: "message.updated", sessionId, message: event.data[0] };
    case "message_delta":
      return { type: "message.grew", sessionId, index: event.data[0], kind: event.data[1], delta: event.data[2] };
    case "message_end":
      return { type: "message.finished", sessionId, message: event.data[0] };
    case "tool_execution_start":
      return { type: "tool.started", sessionId, toolCallId: event.data[0], name: event.data[1], args: event.data[2] };
    case "tool_execution_update":
      return { type: "tool.updated", sessionId, toolCallId: event.data[0], name: event.data[1], output: event.data[3] };
    case "tool_execution_end": {
      const [toolCallId, name, output, isError] = event.data;
      return { type: "tool.finished", sessionId, toolCallId, name, output, isError };
    }
    case "permission.preview":
      return previewOf(event.data[0], sessionId);
    case "permission.ready": {
      const { tool, tool_call_id } = event.data[0];
      return { type: "permission.readied", sessionId, tool, ...present({ toolCallId: tool_call_id }) };
    }
    case "error":
      return { type: "agent.failed", sessionId, message: reasonText(event.data[0]) };
  }
}

function previewOf(
  preview: Extract<AgentEvent, { type: "permission.preview" }>["data"][0],
  sessionId: string | null,
): SessionEvent {
  const { tool, truncated = false, tool_call_id: toolCallId, file_path: filePath, language, diff } = preview;
  const said = [preview.summary ?? "", ...unknownFieldLines(preview, PREVIEW_FIELDS)].filter(Boolean).join("\n");
  const shown = present({ toolCallId, filePath, language, diff, summary: said || preview.summary });
  return { type: "permission.previewed", sessionId, tool, truncated, ...shown };
}

/** Known fields of a preview; others are added to its summary. */
const PREVIEW_FIELDS = ["tool", "tool_call_id", "file_path", "language", "diff", "summary", "truncated", "session_id"];

export function askOf(frame: UiRequest, nowMs: number): NewAsk {
  const { kind, name } = frame.origin ?? { kind: "agent" as const };
  return {
    id: frame.id,
    sessionId: frame.session_id ?? null,
    origin: { kind, ...present({ name }) },
    question: { kind: frame.method, params: shownParams(frame) } as Ask["question"],
    deadlineMs: frame.timeout_ms === undefined ? null : nowMs + frame.timeout_ms,
  };
}

// Unknown fields of a confirmation may describe what is approved, so they are shown.
function shownParams({ method, params }: UiRequest): UiRequest["params"] {
  if (method !== "confirm") return params;
  const unknown = inputDetails(params, ["title", "message", "opts"]);
  if (unknown.length === 0) return params;
  const { details = [], ...opts } = params.opts ?? {};
  return { ...params, opts: { ...opts, details: [...details, ...unknown] } };
}

// Not part of the schema: an agent that counts wrongly still ends its turn.
function usageAtEnd(counted: unknown): { usage?: Usage } {
  const { usage } = (counted ?? {}) as { usage?: unknown };
  const parsed = usage === undefined ? undefined : usageSchema.safeParse(usage).data;
  return parsed === undefined ? {} : { usage: parsed };
}

function reasonText(reason: unknown): string {
  if (typeof reason === "string") return reason;
  const { message } = objectOf(reason);
  return typeof message === "string" ? message : (JSON.stringify(reason) ?? "it did not say why");
}
