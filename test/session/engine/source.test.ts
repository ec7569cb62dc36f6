// The engine as a source: steps are delivered one after the other, effects are performed after them, deadlines come by the clock.
import { expect, test } from "vitest";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import { activeSession } from "../../../src/session/engine/engine-state.js";
import { SessionEngine } from "../../../src/session/engine/source.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

function stage() {
  const clock = new ManualClock();
  const log: string[] = [];
  const engine = new SessionEngine({
    clock,
    send: (command: LinesCommand) => log.push(`send ${command.type}`),
    respond: ({ id }, outcome) => (log.push(`respond ${id} ${outcome.kind}`) > 0 ? "delivered" : "lost"),
  });
  return { clock, log, engine };
}

test("an intent that follows from a change comes after all changes of its step, and before the next input", () => {
  const { engine, log } = stage();
  engine.subscribe((changes) => {
    log.push(changes.map(({ type }) => type).join(" "));
    if (changes.some(({ type }) => type === "reply")) engine.dispatch({ type: "notice", level: "info", text: "42" });
  });
  engine.subscribe((changes) => log.push(`second view: ${changes.length}`));
  engine.take({
    type: "event",
    event: { type: "command.answered", sessionId: null, command: "stats", answer: {} },
  });
  expect(log).toEqual(["reply", "second view: 1", "block block", "second view: 2"]);
});

test("a view sees the new state when it is told, and the agent is sent the prompt after that", () => {
  const { engine, log } = stage();
  engine.subscribe(() => log.push(activeSession(engine.state).facts.phase));
  engine.take({ type: "event", event: { type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" } });
  engine.dispatch({ type: "submit", text: "hi" });
  expect(log).toEqual(["idle", "working", "send prompt"]);
});

test("a record that could not be kept is a notice for every view, once", () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const audit = () => "the history of asks could not be written";
  const engine = new SessionEngine({ clock, audit, send: () => undefined, respond: () => "delivered" });
  engine.subscribe((changes) => {
    for (const change of changes) if (change.type === "notice") told.push(change.notice.text);
  });
  for (const id of ["q1", "q2"]) {
    const question = { kind: "confirm" as const, params: { title: "Go on?" } };
    const ask = { id, sessionId: null, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null, question };
    engine.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask } });
    engine.dispatch({ type: "answer", askId: id, value: true });
  }
  expect(told).toEqual(["the history of asks could not be written"]);
});

test("an ask expires at its deadline, and not before", () => {
  const { engine, log, clock } = stage();
  const question = { kind: "confirm" as const, params: { title: "Go on?" } };
  const origin = { kind: "agent" as const };
  const ask = { id: "q1", sessionId: null, turnId: null, origin, deadlineMs: clock.nowMs() + 500, question };
  engine.take({ type: "event", event: { type: "ask.raised", sessionId: null, ask } });
  clock.advance(499);
  expect(log).toEqual([]);
  clock.advance(1);
  expect(log).toEqual(["respond q1 expired"]);
});
