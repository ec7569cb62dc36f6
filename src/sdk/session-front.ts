// What a session talks to: the front end that shows it. Events go out in order; messages, tool calls and permission
// questions have helpers that follow what the front end said it can do.
import type { AgentEvent, PermissionPreview } from "../contract/agent-events.js";
import type { DialogResult } from "../contract/dialogs.js";
import type { Clock } from "../system/timers.js";
import type { LinesUi } from "./lines-ui.js";
import { type GrowingMessage, MessageStream } from "./message-stream.js";
import { type ToolCall, ToolReport } from "./tool-report.js";
import type { ConfirmRequest, DialogOptions, UI } from "./ui.js";

export type PermissionQuestion = ConfirmRequest & {
  /** The tool call that needs the permission. */
  call?: ToolCall;
  /** What the call would do; the front end shows it before the question. */
  preview?: Pick<PermissionPreview, "file_path" | "language" | "diff" | "summary" | "truncated">;
};

/** `remember` and `reason` come only where the options allow them: `allow_remember`, `allow_reason`. */
export type PermissionAnswer = { ok: boolean; remember: boolean; reason: string };

export type SessionFront = {
  readonly ui: UI;
  /** Reports an event of the session. Resolves when the front end has kept up. */
  emit(event: AgentEvent): Promise<void>;
  /** A message that its author still writes to, sent as deltas or whole. */
  stream(message: GrowingMessage): MessageStream<Promise<void>>;
  /** Reports that a tool call began. */
  startTool(call: ToolCall): Promise<ToolReport>;
  /** Asks once the preview has been sent; `ok` is false when no one can answer. Rejects with a `UiError`. */
  askPermission(question: PermissionQuestion, options?: DialogOptions): Promise<PermissionAnswer>;
};

export type FrontPorts = {
  readonly ui: UI;
  /** Null when no one can answer. */
  readonly ask: LinesUi["ask"] | null;
  readonly clock: Clock;
  emit(event: AgentEvent): Promise<void>;
  /** What both sides agreed on; the front end may change it at any time. */
  agreements(): { readonly updates: "whole" | "deltas"; readonly previews: "events" | "texts" };
};

export function createSessionFront({ ui, ask, clock, emit, agreements }: FrontPorts): SessionFront {
  return {
    ui,
    emit,
    stream: (message) =>
      new MessageStream(message, { emit, updates: agreements().updates, nowMs: () => clock.nowMs() }),
    startTool: (call) => ToolReport.start(call, { emit, clock }),
    async askPermission({ call, preview, ...confirm }, options = {}) {
      if (ask === null) return refused;
      if (call !== undefined && preview !== undefined) {
        const events = agreements().previews === "events" ? previewEvents(call, preview) : previewTexts(call, preview);
        for (const event of events) await emit(event);
      }
      const about = call === undefined ? {} : { tool: call.name, tool_call_id: call.id };
      return permissionAnswer(await ask("confirm", confirm, { ...about, ...options }));
    },
  };
}

const refused: PermissionAnswer = { ok: false, remember: false, reason: "" };

function permissionAnswer(answer: DialogResult<"confirm">): PermissionAnswer {
  if (typeof answer !== "object" || answer === null) return { ...refused, ok: answer === true };
  return { ok: answer.ok, remember: answer.remember ?? false, reason: answer.reason?.trim() ?? "" };
}

function previewEvents(call: ToolCall, preview: PermissionQuestion["preview"]): AgentEvent[] {
  const about = { tool: call.name, tool_call_id: call.id };
  return [
    { type: "permission.preview", data: [{ ...about, ...preview }] },
    { type: "permission.ready", data: [about] },
  ];
}

// For a front end without permission events. Others parse this wording, so it must not change.
function previewTexts(call: ToolCall, preview: PermissionQuestion["preview"]): AgentEvent[] {
  const planned = preview?.diff ?? preview?.summary;
  return [
    `Permission request raw args (${call.name}):\n${JSON.stringify(call.arguments)}`,
    ...(planned === undefined ? [] : [`Planned ${call.name} diff preview:\n${planned}`]),
    `Permission preflight ready for ${call.name}.`,
  ].flatMap((text): AgentEvent[] => {
    const message = { role: "assistant" as const, content: [{ type: "text" as const, text }] };
    return [
      { type: "message_start", data: [message] },
      { type: "message_end", data: [message] },
    ];
  });
}
