// The home screen follows the daemon: asks oldest first, each once, and how each ended is not forgotten.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../src/contract/asks.js";
import type { OverviewAsk, OverviewSession } from "../../src/contract/page.js";
import { emptyOverview, withChange, withSnapshot } from "../../src/page/state/overview.js";

function asked(id: string, asked_at_ms: number): OverviewAsk {
  const ask: Ask = {
    ...{ id, sessionId: null, turnId: null, origin: { kind: "agent" }, deadlineMs: null },
    question: { kind: "confirm", params: { title: id } },
  };
  return { ask, session: null, asked_at_ms };
}

const snapshot = (asks: readonly OverviewAsk[], settled: { id: string; outcome: { kind: "expired" } }[] = []) => ({
  ...{ asks: [...asks], asks_more: 0, sessions: [], settled },
});
const ids = ({ asks }: { asks: readonly OverviewAsk[] }) => asks.map(({ ask }) => ask.id);

describe("the overview", () => {
  test("has the oldest question first, also when a younger one came before", () => {
    const state = withSnapshot(emptyOverview, snapshot([asked("b", 20)]));
    expect(ids(withChange(state, { type: "ask.raised", ask: asked("a", 10) }))).toEqual(["a", "b"]);
  });

  test("has a question once that is told twice", () => {
    const state = withSnapshot(emptyOverview, snapshot([asked("a", 1)]));
    expect(ids(withChange(state, { type: "ask.raised", ask: asked("a", 1) }))).toEqual(["a"]);
  });

  test("keeps how a question ended, first on its way and then delivered", () => {
    const outcome = { kind: "answered", value: true, by: "laptop" } as const;
    const open = withSnapshot(emptyOverview, snapshot([asked("a", 1)]));
    const settled = withChange(open, { type: "ask.settled", id: "a", outcome });
    expect(ids(settled)).toEqual([]);
    expect(settled.settled.get("a")).toEqual({ outcome, delivery: undefined });
    const finished = withChange(settled, { type: "ask.finished", id: "a", outcome, delivery: "delivered" });
    expect(finished.settled.get("a")).toEqual({ outcome, delivery: "delivered" });
  });

  test("tells of a question that went away during a gap that it is over, and how where that is known", () => {
    const before = withSnapshot(emptyOverview, snapshot([asked("a", 1), asked("b", 2)]));
    const after = withSnapshot(before, snapshot([], [{ id: "a", outcome: { kind: "expired" } }]));
    expect(after.settled.get("a")?.outcome.kind).toBe("expired");
    expect(after.settled.get("b")?.outcome).toEqual({ kind: "withdrawn", reason: "disconnected" });
  });

  test("forgets the oldest outcomes", () => {
    let state = emptyOverview;
    for (let at = 0; at < 700; at++) {
      state = withChange(state, { type: "ask.settled", id: `a${at}`, outcome: { kind: "expired" } });
    }
    expect(state.settled.size).toBe(500);
    expect(state.settled.has("a699")).toBe(true);
  });

  test("follows sessions by their ids", () => {
    const session = { id: "s", state: "idle" } as OverviewSession;
    const one = withChange(emptyOverview, { type: "session", session });
    const two = withChange(one, { type: "session", session: { ...session, state: "working" } });
    expect(two.sessions.map(({ state }) => state)).toEqual(["working"]);
    expect(withChange(two, { type: "session.gone", id: "s" }).sessions).toEqual([]);
  });
});
