// A view of an engine elsewhere: sessions are the same ones after that engine was started again, moments are on the view's own
// clock, and what the view adds for itself collides with nothing.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Change } from "../../../src/session/engine/engine-messages.js";
import { activeSession } from "../../../src/session/engine/engine-state.js";
import { Mirror } from "../../../src/session/engine/mirror.js";
import { snapshotOf } from "../../../src/session/engine/snapshot.js";
import { SessionEngine } from "../../../src/session/engine/source.js";

const here = { byMs: 0, nowMs: 1e9 };

/** An engine, and its state as it would travel. */
function engineAfter(...events: SessionEvent[]) {
  const changes: Change[] = [];
  const clock = { nowMs: () => 5_000, after: () => () => undefined };
  const engine = new SessionEngine({ clock, send: () => undefined, respond: () => "delivered" });
  engine.subscribe((told) => void changes.push(...told));
  for (const event of events) engine.take({ type: "event", event });
  return { engine, changes, snapshot: () => JSON.parse(JSON.stringify(snapshotOf(engine.state, null))) };
}

function joined(mirror: Mirror, { snapshot }: ReturnType<typeof engineAfter>, seq: number, shift = here): Change[] {
  return [...mirror.begin(snapshot(), shift), ...mirror.caughtUp(seq)];
}

const started = (sessionId: string): SessionEvent => ({ type: "session.started", sessionId });
const activated = (sessionId: string): SessionEvent => ({ type: "session.activated", sessionId });

describe("sessions of an engine that was started again", () => {
  test("are known by their names, and the user stays in the one that was active", () => {
    const mirror = new Mirror();
    joined(mirror, engineAfter(started("a"), started("b"), activated("b")), 10);
    const { key } = activeSession(mirror.state);
    const again = joined(mirror, engineAfter(started("b"), started("a")), 20);
    expect(activeSession(mirror.state)).toMatchObject({ id: "b", key });
    expect(again.map(({ type }) => type)).not.toContain("session.switched");
    expect(mirror.state.sessions.map(({ id }) => id)).toEqual(["b", "a"]);
  });

  test("the active one may have no name yet, and one that is not there any more is gone", () => {
    const mirror = new Mirror();
    joined(mirror, engineAfter(started("a"), started("b")), 10);
    const { key } = activeSession(mirror.state);
    const again = joined(mirror, engineAfter(), 20);
    expect(activeSession(mirror.state)).toMatchObject({ id: "", key });
    expect(again.filter(({ type }) => type === "session.gone")).toMatchObject([{ entry: { id: "b" } }]);
  });
});

describe("moments", () => {
  const tool = { sessionId: null, toolCallId: "c1", name: "bash" };

  test("a tool took as long for a view that joins later, on a clock of its own", () => {
    const { changes } = engineAfter(
      { type: "tool.started", ...tool, args: {}, atMs: 1_000_000 },
      { type: "tool.finished", ...tool, output: "done", isError: false, atMs: 1_004_200 },
    );
    const mirror = new Mirror();
    mirror.follow(changes, 10, { byMs: -950_000, nowMs: 60_000 });
    expect(activeSession(mirror.state).journal.blocks).toMatchObject([{ startedAtMs: 50_000, endedAtMs: 54_200 }]);
  });

  test("nothing that happened lies in the future of the view", () => {
    const mirror = new Mirror();
    const working = engineAfter({ type: "prompt.started", sessionId: null, atMs: 1_000_000 });
    joined(mirror, working, 10, { byMs: -998_000, nowMs: 500 });
    expect(activeSession(mirror.state).facts.workingSinceMs).toBe(500);
  });
});

test("what a view adds for itself stays, and is not taken for a block of the engine", () => {
  const mirror = new Mirror();
  const source = engineAfter({ type: "message.grew", sessionId: null, index: 0, kind: "text", delta: "half" });
  joined(mirror, source, 10);
  const shell = { sessionId: null, toolCallId: "mine", name: "!", args: { command: "ls" } };
  const session = activeSession(mirror.state).key;
  mirror.reduce({ type: "shell", session, event: { type: "tool.started", ...shell } }, "me", 0);
  mirror.reduce({ type: "notice", level: "info", text: "only here" }, "me", 0);
  joined(mirror, source, 20);
  const { transcript, journal } = activeSession(mirror.state);
  expect(transcript.open.map(({ kind }) => kind)).toEqual(["prose", "tool"]);
  expect(journal.blocks).toMatchObject([{ text: "only here" }]);
});
