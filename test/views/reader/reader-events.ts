// Events as an agent's dialect would report them, for the tests of the reader.
import type { Ask } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { ReaderStage } from "./reader-stage.js";

export const sessionId = null;
export const started: SessionEvent = { type: "prompt.started", sessionId };
export const finished: SessionEvent = { type: "prompt.finished", sessionId };
export const says = (type: "message.updated" | "message.finished", text: string): SessionEvent => ({
  type,
  sessionId,
  message: { role: "assistant", content: [{ type: "text", text }] },
});
export const tool = (name: string, output: string, isError = false): SessionEvent[] => [
  { type: "tool.started", sessionId, toolCallId: name, name, args: { path: "test/parser.test.ts" } },
  { type: "tool.finished", sessionId, toolCallId: name, name, output, isError },
];

export function asks(id: string, question: Ask["question"]): SessionEvent {
  const ask: Ask = { id, sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
  return { type: "ask.raised", sessionId, ask };
}

export const confirm = (id: string): SessionEvent => asks(id, { kind: "confirm", params: { title: `Delete ${id}?` } });
export const input = (opts: Record<string, unknown> = {}): SessionEvent =>
  asks("i", { kind: "input", params: { title: "Your name?", opts } });

/** A question has been announced, and the moment in which nobody can have heard it is over. */
export function announced(...events: SessionEvent[]): ReaderStage {
  const stage = new ReaderStage().ready();
  stage.hear(...events);
  stage.wait(1_000);
  return stage;
}

export const responses = (stage: ReaderStage): LinesCommand[] =>
  stage.sent.filter(({ type }) => type === "ui_response");
