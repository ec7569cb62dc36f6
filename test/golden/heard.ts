// What an agent says in the golden scenes, in the words of session events: short names, so that a scene reads like a script.
import type { Ask } from "../../src/contract/asks.js";
import type { FileChange } from "../../src/contract/file-change.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { ENTER } from "../views/talk-stage.js";
import type { GoldenStage } from "./golden-stage.js";

export const sessionId = null;
export const started: SessionEvent = { type: "prompt.started", sessionId };
export const finished: SessionEvent = { type: "prompt.finished", sessionId };

export const PROMPT = "fix the failing test in parser.ts";

/** A prompt is sent, and the agent has begun. */
export function asked(stage: GoldenStage, text: string = PROMPT): void {
  stage.ready().type(text, ENTER);
  stage.hear(started);
}

export function saying(text: string): SessionEvent {
  return { type: "message.updated", sessionId, message: { role: "assistant", content: [{ type: "text", text }] } };
}

export function said(text: string, id: string | null = sessionId): SessionEvent {
  return { type: "message.finished", sessionId: id, message: { role: "assistant", content: [{ type: "text", text }] } };
}

export function thinking(text: string): SessionEvent {
  const content = [{ type: "thinking" as const, thinking: text }];
  return { type: "message.updated", sessionId, message: { role: "assistant", content } };
}

export function thought(text: string, answer: string): SessionEvent {
  const content = [
    { type: "thinking" as const, thinking: text },
    { type: "text" as const, text: answer },
  ];
  return { type: "message.finished", sessionId, message: { role: "assistant", content } };
}

interface ToolEnd {
  readonly output?: string;
  readonly changes?: readonly FileChange[];
  readonly isError?: boolean;
}

export function toolStarted(toolCallId: string, name: string, args: unknown): SessionEvent {
  return { type: "tool.started", sessionId, toolCallId, name, args };
}

export function toolEnded(toolCallId: string, name: string, end: ToolEnd = {}): SessionEvent {
  const { output = "", changes, isError = false } = end;
  const changed = changes === undefined ? {} : { changes: [...changes] };
  return { type: "tool.finished", sessionId, toolCallId, name, output, isError, ...changed };
}

/** A tool that runs for a while and ends. */
export function toolRan(stage: GoldenStage, [id, name, args]: [string, string, unknown], end: ToolEnd = {}): void {
  stage.hear(toolStarted(id, name, args));
  stage.later(2_300);
  stage.hear(toolEnded(id, name, end));
}

type Raised = Pick<Ask, "id" | "question"> & Partial<Pick<Ask, "origin" | "sessionId">>;

export function raised({ id, question, origin = { kind: "agent" }, sessionId: of = sessionId }: Raised): SessionEvent {
  const ask: Ask = { id, sessionId: of, turnId: null, origin, question, deadlineMs: null };
  return { type: "ask.raised", sessionId: of, ask };
}

/** A question is before the user, and the quiet moment is over. */
export function questioned(stage: GoldenStage, ...events: SessionEvent[]): void {
  stage.hear(...events);
  stage.wait(2_000);
}

export function notice(level: "info" | "warn" | "error" | "success", message: string): SessionEvent {
  return { type: "notice.shown", sessionId, level, message };
}

export function lines(count: number, words: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => words(at + 1)).join("\n");
}
