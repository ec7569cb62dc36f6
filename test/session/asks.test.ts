// The life of an ask: the first outcome wins, every outcome leaves one record, and no way through it loses an ask.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ask } from "../../src/contract/asks.js";
import { OPEN_ASKS_MAX, SETTLED_ASKS_KEPT_MAX } from "../../src/contract/limits.js";
import {
  type AsksEffect,
  type AsksInput,
  type AsksState,
  noAsks,
  openAsks,
  outcomeOf,
  reduceAsks,
} from "../../src/session/asks.js";
import { verifies } from "../verifies.js";

function askOf(id: string, more: Partial<Ask> = {}): Ask {
  const question = { kind: "confirm" as const, params: { title: `title ${id}` } };
  return { id, sessionId: "s1", turnId: "t1", origin: { kind: "agent" }, question, deadlineMs: null, ...more };
}

function play(...inputs: AsksInput[]): { state: AsksState; effects: AsksEffect[] } {
  let state = noAsks;
  const effects: AsksEffect[] = [];
  for (const input of inputs) {
    const step = reduceAsks(state, input);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const ask = (id: string, more?: Partial<Ask>): AsksInput => ({ type: "ask", ask: askOf(id, more), atMs: 10 });
const answer = (askId: string, by = "tui"): AsksInput => ({ type: "answer", askId, value: true, by, atMs: 20 });
const delivered = (askId: string, delivery: "delivered" | "lost" = "delivered"): AsksInput => ({
  ...{ type: "delivered", askId, delivery, atMs: 30 },
});
const typesOf = (effects: AsksEffect[]) => effects.map(({ type }) => type).filter((type) => type !== "wake-at");
const auditsOf = (effects: AsksEffect[]) =>
  effects.flatMap((effect) => (effect.type === "write-audit" ? [effect.record] : []));

describe("an ask", () => {
  test("is shown, answered, told to the agent, closed, and recorded once", () => {
    const { state, effects } = play(ask("a"), answer("a"), delivered("a"));
    expect(typesOf(effects)).toEqual(["show-ask", "close-ask", "tell-agent", "finish-ask", "write-audit"]);
    expect(auditsOf(effects)).toEqual([
      {
        askId: "a",
        sessionId: "s1",
        kind: "confirm",
        title: "title a",
        about: {},
        askedAtMs: 10,
        shownAtMs: null,
        settledAtMs: 20,
        outcome: { kind: "answered", value: true, by: "tui" },
        delivery: { result: "delivered", atMs: 30 },
      },
    ]);
    expect(state.open.length).toBe(0);
  });

  test("takes the first answer alone, and remembers who was first", () => {
    verifies("asks.first-answer-wins");
    const { state, effects } = play(ask("a"), answer("a", "tui"), delivered("a"), answer("a", "attach"), {
      type: "cancel",
      askId: "a",
      by: "web",
      atMs: 30,
    });
    expect(outcomeOf(state, "a")).toEqual({ kind: "answered", value: true, by: "tui" });
    expect(auditsOf(effects)).toHaveLength(1);
  });

  test("that was never asked has no outcome", () => {
    const { state, effects } = play(answer("ghost"));
    expect(effects).toEqual([]);
    expect(outcomeOf(state, "ghost")).toBe(null);
  });

  test("is not asked twice under one id", () => {
    const effects = typesOf(play(ask("a"), ask("a"), answer("a"), ask("a")).effects);
    expect(effects).toEqual(["show-ask", "close-ask", "tell-agent"]);
  });

  test("is withdrawn when the agent cancels, and its agent is told nothing", () => {
    const { effects } = play(ask("a"), { type: "withdraw", askId: "a", reason: "agent_cancelled", atMs: 20 });
    expect(typesOf(effects)).toEqual(["show-ask", "close-ask", "finish-ask", "write-audit"]);
  });

  test("has a deadline in whole milliseconds, also on a clock that counts parts of them", () => {
    const { state } = play(ask("a", { deadlineMs: 30497.00829 }));
    expect(openAsks(state)[0]?.deadlineMs).toBe(30_497);
  });

  test("expires at its deadline and not before; the desk says when to look", () => {
    verifies("asks.expire-at-their-deadline");
    const asked = play(ask("a", { deadlineMs: 50 }), ask("b", { deadlineMs: 40 }), ask("c"));
    expect(asked.effects.at(-1)).toEqual({ type: "wake-at", atMs: 40 });
    // A clock that rings a moment early is wound again.
    expect(reduceAsks(asked.state, { type: "clock", atMs: 39 }).effects).toEqual([{ type: "wake-at", atMs: 40 }]);
    const later = reduceAsks(asked.state, { type: "clock", atMs: 45 });
    expect(typesOf(later.effects)).toEqual(["close-ask", "tell-agent"]);
    expect(later.effects.at(-1)).toEqual({ type: "wake-at", atMs: 50 });
    expect(openAsks(later.state).map(({ id }) => id)).toEqual(["a", "c"]);
  });

  test.each<[string, AsksInput & { type: "withdraw-all" }, string[]]>([
    [
      "its turn ends",
      { type: "withdraw-all", of: { sessionId: "s1", turnId: "t1" }, reason: "turn_ended", atMs: 20 },
      ["b", "c"],
    ],
    [
      "its session closes",
      { type: "withdraw-all", of: { sessionId: "s1" }, reason: "session_closed", atMs: 20 },
      ["c"],
    ],
    ["the agent disconnects", { type: "withdraw-all", of: "everyone", reason: "disconnected", atMs: 20 }, []],
  ])("is withdrawn when %s", (_when, input, left) => {
    verifies("asks.withdrawn-with-their-turn", "asks.withdrawn-with-their-agent");
    const { state, effects } = play(ask("a"), ask("b", { turnId: "t2" }), ask("c", { sessionId: "s2" }), input);
    expect(openAsks(state).map(({ id }) => id)).toEqual(left);
    expect(auditsOf(effects)).toHaveLength(3 - left.length);
  });

  test("whose answer never reaches the agent is finished as lost", () => {
    const { effects } = play(ask("a"), answer("a"), delivered("a", "lost"), delivered("a"));
    expect(effects.filter(({ type }) => type === "finish-ask")).toMatchObject([{ delivery: "lost" }]);
    expect(auditsOf(effects)).toMatchObject([{ delivery: { result: "lost", atMs: 30 } }]);
  });

  test("says in its record what the approval was about, and when it was first shown", () => {
    const params = { title: "Run it?", opts: { tool: "bash", command: "rm -rf build", danger: "it deletes" } };
    const shown = (atMs: number): AsksInput => ({ type: "shown", askId: "a", atMs });
    const question = { kind: "confirm" as const, params };
    const { effects } = play(ask("a", { question }), shown(12), shown(15), answer("a"), delivered("a"));
    expect(auditsOf(effects)).toMatchObject([
      { shownAtMs: 12, about: { tool: "bash", command: "rm -rf build", danger: "it deletes" } },
    ]);
  });

  test("beyond the maximum is refused, told, and recorded", () => {
    const { state, effects } = play(...Array.from({ length: OPEN_ASKS_MAX + 1 }, (_, index) => ask(`${index}`)));
    expect(state.open.length).toBe(OPEN_ASKS_MAX);
    expect(typesOf(effects).slice(-2).sort()).toEqual(["tell-agent", "write-audit"]);
    expect(auditsOf(effects)[0]?.outcome).toEqual({ kind: "withdrawn", reason: "overloaded" });
  });

  test("that is a secret tells its answer to the agent alone", () => {
    const question = { kind: "input" as const, params: { title: "Token?", opts: { secret: true } } };
    const given: AsksInput = { type: "answer", askId: "a", value: "hunter2", by: "tui", atMs: 20 };
    const { state, effects } = play(ask("a", { question }), given, answer("a", "attach"));
    const others = effects.filter(({ type }) => type !== "tell-agent");
    expect(JSON.stringify([others, state.settled])).not.toContain("hunter2");
    expect(effects.find(({ type }) => type === "tell-agent")).toMatchObject({ outcome: { value: "hunter2" } });
  });
});

const idArbitrary = fc.constantFrom("a", "b", "c", "d", "e");
const inputArbitrary: fc.Arbitrary<AsksInput> = fc.oneof(
  fc
    .record({
      id: idArbitrary,
      sessionId: fc.constantFrom("s1", "s2"),
      turnId: fc.constantFrom("t1", "t2"),
      deadlineMs: fc.option(fc.nat(100)),
    })
    .map((more): AsksInput => ({ type: "ask", ask: askOf(more.id, more), atMs: 0 })),
  idArbitrary.map((id): AsksInput => answer(id)),
  idArbitrary.map((askId): AsksInput => ({ type: "cancel", askId, by: "tui", atMs: 20 })),
  idArbitrary.map((askId): AsksInput => ({ type: "withdraw", askId, reason: "agent_cancelled", atMs: 20 })),
  fc.constantFrom<AsksInput>(
    { type: "withdraw-all", of: "everyone", reason: "disconnected", atMs: 20 },
    { type: "withdraw-all", of: { sessionId: "s1" }, reason: "session_closed", atMs: 20 },
    { type: "withdraw-all", of: { sessionId: "s2", turnId: "t1" }, reason: "turn_ended", atMs: 20 },
  ),
  fc.nat(100).map((atMs): AsksInput => ({ type: "clock", atMs })),
  idArbitrary.map((askId): AsksInput => ({ type: "shown", askId, atMs: 15 })),
  fc
    .tuple(idArbitrary, fc.constantFrom("delivered" as const, "lost" as const))
    .map(([askId, delivery]): AsksInput => ({ type: "delivered", askId, delivery, atMs: 30 })),
);

test("whatever happens, every ask that was shown is open or has exactly one outcome and one record", () => {
  verifies("asks.exactly-one-outcome");
  fc.assert(
    fc.property(fc.array(inputArbitrary, { maxLength: 60 }), (inputs) => {
      const { state, effects } = play(...inputs);
      const shown = effects.flatMap((effect) => (effect.type === "show-ask" ? [effect.ask.id] : []));
      const closed = effects.flatMap((effect) => (effect.type === "close-ask" ? [effect.ask.id] : []));
      expect(new Set(shown).size).toBe(shown.length);
      const recorded = auditsOf(effects).map(({ askId }) => askId);
      expect([...recorded, ...state.onTheirWay.map(({ ask: asked }) => asked.id)].sort()).toEqual([...closed].sort());
      expect([...closed, ...openAsks(state).map(({ id }) => id)].sort()).toEqual([...shown].sort());
    }),
  );
});

test("the memory of outcomes is bounded", () => {
  const inputs = Array.from({ length: SETTLED_ASKS_KEPT_MAX + 50 }, (_, index) => [
    ask(`${index}`),
    answer(`${index}`),
  ]).flat();
  expect(play(...inputs).state.settled.length).toBe(SETTLED_ASKS_KEPT_MAX);
});
