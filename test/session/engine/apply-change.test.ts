// A mirror of the engine: any earlier state and the changes since then, as they travel over a wire, give the state of the engine.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { applyChange } from "../../../src/session/engine/apply-change.js";
import type { Change, EngineInput } from "../../../src/session/engine/engine-messages.js";
import { type EngineState, startingState } from "../../../src/session/engine/engine-state.js";
import { reduce } from "../../../src/session/engine/reduce.js";

const ids = fc.constantFrom(null, "a", "b", "c");
const words = fc.constantFrom("one ", "two ", "ä😀 ", "three.\n\n");
const call = fc.constantFrom("c1", "c2", "c3");

function ask(id: string, sessionId: string | null): Ask {
  const question = { kind: "confirm" as const, params: { title: `Really ${id}?` } };
  return { id, sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
}

const said = (text: string) => ({ role: "assistant" as const, content: [{ type: "text" as const, text }] });

const event: fc.Arbitrary<SessionEvent> = fc
  .tuple(fc.nat({ max: 17 }), ids, words, call, fc.nat({ max: 1 }))
  .map(([kind, sessionId, text, toolCallId, index]): SessionEvent => {
    const tool = { sessionId, toolCallId, name: "bash" };
    const all: SessionEvent[] = [
      { type: "agent.readied", sessionId, ui: true, protocolVersion: "1", model: text },
      { type: "session.started", sessionId, cwd: text },
      { type: "session.closed", sessionId, reason: "" },
      { type: "session.activated", sessionId },
      { type: "prompt.started", sessionId },
      { type: "prompt.finished", sessionId },
      { type: "message.grew", sessionId, index, kind: "text", delta: text },
      { type: "message.grew", sessionId, index, kind: "thinking", delta: text },
      { type: "message.updated", sessionId, message: said(text.repeat(index + 1)) },
      { type: "message.finished", sessionId, message: said(text) },
      { type: "message.started", sessionId, message: { role: "user", content: text } },
      { type: "tool.started", ...tool, args: { text } },
      { type: "tool.updated", ...tool, output: text },
      { type: "tool.finished", ...tool, output: text, isError: index === 1 },
      { type: "ask.raised", sessionId, ask: ask(toolCallId, sessionId) },
      { type: "ask.withdrawn", sessionId, askId: toolCallId, reason: "agent_cancelled" },
      { type: "notice.shown", sessionId, level: "info", message: text },
      { type: "status.changed", sessionId, key: toolCallId, text: index === 0 ? null : text },
    ];
    return all[kind] ?? { type: "title.changed", sessionId, title: text };
  });

const intent: fc.Arbitrary<EngineInput> = fc
  .tuple(fc.nat({ max: 7 }), words, call, fc.constantFrom("a", "b", "c"))
  .map(([kind, text, askId, id]): EngineInput => {
    const by = "tui";
    const all: EngineInput[] = [
      { type: "intent", by, intent: { type: "submit", text } },
      { type: "intent", by, intent: { type: "queue.take-back" } },
      { type: "intent", by, intent: { type: "abort" } },
      { type: "intent", by, intent: { type: "activate", id } },
      { type: "intent", by, intent: { type: "answer", askId, value: true } },
      { type: "intent", by, intent: { type: "cancel", askId } },
      { type: "intent", by, intent: { type: "cut-short" } },
      { type: "agent", change: text === "one " ? "opened" : "closed", words: [] },
    ];
    return all[kind] ?? { type: "clock" };
  });

const inputs: fc.Arbitrary<EngineInput[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: event.map((happened): EngineInput => ({ type: "event", event: happened })) },
    intent,
  ),
  { maxLength: 60 },
);

/** What views see, as data of its own. */
function seen({ sessions, active, asks, notices }: EngineState): unknown {
  const shown = sessions.map(({ key, id, name, unread, cwd, facts, transcript, journal }) => {
    return { key, id, name, unread, cwd, facts, open: transcript.open, journal };
  });
  return JSON.parse(JSON.stringify({ sessions: shown, active, open: asks.open, notices }));
}

/** A state that shares nothing with the one it is made of: what a journal holds is passed on, not copied. */
function detached(state: EngineState): EngineState {
  return structuredClone(state);
}

test("an earlier state and the changes since then give the state of the engine", () => {
  fc.assert(
    fc.property(inputs, fc.nat({ max: 60 }), (script, joinsAt) => {
      let state = startingState();
      let mirror: EngineState | null = null;
      for (const [at, input] of script.entries()) {
        if (at === joinsAt) mirror = detached(state);
        const step = reduce(state, input, at * 1_000);
        state = step.state;
        const told = JSON.parse(JSON.stringify(step.changes)) as Change[];
        if (mirror !== null) mirror = told.reduce(applyChange, mirror);
      }
      if (mirror !== null) expect(seen(mirror)).toEqual(seen(state));
    }),
    { numRuns: 500 },
  );
});

test("what is said in a session that is not active waits to be read, until one looks", () => {
  const started = (sessionId: string): EngineInput => ({
    type: "event",
    event: { type: "session.started", sessionId },
  });
  const says = (sessionId: string): EngineInput => ({
    type: "event",
    event: { type: "notice.shown", sessionId, level: "info", message: "done" },
  });
  const after = (...script: EngineInput[]) =>
    script.reduce((state, input) => reduce(state, input, 0).state, startingState());
  const unread = ({ sessions }: EngineState) => sessions.map((session) => session.unread);
  const heard = [started("a"), started("b"), says("a"), says("b"), says("b")];
  expect(unread(after(...heard))).toEqual([0, 2]);
  expect(unread(after(...heard, { type: "intent", by: "tui", intent: { type: "activate", id: "b" } }))).toEqual([0, 0]);
});
