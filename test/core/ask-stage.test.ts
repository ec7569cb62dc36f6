// An ask takes keys only when it was drawn, the scrollback was dealt with, and the person has stopped typing.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AskStageEffect,
  type AskStageInput,
  type AskStageState,
  createAskStage,
  reduceAskStage,
  waitingCount,
} from "../../src/core/ask-stage.js";
import { verifies } from "../verifies.js";

function play(...inputs: AskStageInput[]): { state: AskStageState; effects: AskStageEffect[] } {
  let state = createAskStage();
  const effects: AskStageEffect[] = [];
  for (const input of inputs) {
    const step = reduceAskStage(state, input);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const show = (askId: string): AskStageInput => ({ type: "show", askId });
const drawn = (atMs: number): AskStageInput => ({ type: "drawn", atMs });
const synced = (atMs: number): AskStageInput => ({ type: "synced", atMs });

describe("the stage", () => {
  test("draws an ask first and gives it keys after one draw and one decision about the scrollback", () => {
    verifies("asks.active-after-draw-and-sync", "asks.one-life-cycle", "screen.14");
    expect(play(show("a")).state.head).toEqual({ phase: "pending", askId: "a", drawn: false, synced: false });
    expect(play(show("a"), drawn(1)).state.head).toMatchObject({ phase: "pending" });
    expect(play(show("a"), synced(1)).state.head).toMatchObject({ phase: "pending" });
    const { state, effects } = play(show("a"), drawn(1), synced(2));
    expect(state.head).toEqual({ phase: "active", askId: "a" });
    expect(effects).toEqual([
      { type: "draw-pending", askId: "a" },
      { type: "take-keys", askId: "a" },
    ]);
  });

  test("waits for a quiet moment without typing, and says when to look again", () => {
    verifies("asks.typing-guard");
    const typing = play({ type: "typed", atMs: 900 }, show("a"), drawn(1_000), synced(1_001));
    expect(typing.state.head).toMatchObject({ phase: "pending" });
    expect(typing.effects.at(-1)).toEqual({ type: "wake-at", atMs: 1_300 });
    const more = reduceAskStage(typing.state, { type: "typed", atMs: 1_200 });
    expect(more.effects).toEqual([{ type: "wake-at", atMs: 1_600 }]);
    expect(reduceAskStage(more.state, { type: "clock", atMs: 1_599 }).state.head).toMatchObject({ phase: "pending" });
    expect(reduceAskStage(more.state, { type: "clock", atMs: 1_600 }).effects).toEqual([
      { type: "take-keys", askId: "a" },
    ]);
  });

  test("brings them on one at a time, in the order in which they came", () => {
    verifies("screen.16", "front.24");
    const { state } = play(show("a"), show("b"), show("c"), drawn(1), synced(1));
    expect(state.head?.askId).toBe("a");
    expect(waitingCount(state)).toBe(2);
    const closed = reduceAskStage(state, { type: "close", askId: "a" });
    expect(closed.effects).toEqual([
      { type: "remove", askId: "a" },
      { type: "draw-pending", askId: "b" },
    ]);
    expect(closed.state.head).toMatchObject({ phase: "pending", drawn: false, synced: false });
  });

  test("forgets one that is withdrawn while it waits", () => {
    const { state, effects } = play(show("a"), show("b"), show("c"), { type: "close", askId: "b" });
    expect(state.queued).toEqual(["c"]);
    expect(effects).toEqual([{ type: "draw-pending", askId: "a" }]);
  });
});

test("no ask ever gets keys within the quiet time after a key, nor before it was drawn and synced", () => {
  verifies("asks.typing-guard", "asks.active-after-draw-and-sync", "invariant.5");
  const what = fc.constantFrom("show", "close", "typed", "drawn", "synced", "clock");
  const steps = fc.array(fc.record({ what, askId: fc.constantFrom("a", "b"), afterMs: fc.nat(300) }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(steps, (script) => {
      let state = createAskStage();
      let atMs = 0;
      let lastTypedAtMs = Number.NEGATIVE_INFINITY;
      let marks = new Set<string>();
      for (const { what: type, askId, afterMs } of script) {
        atMs += afterMs;
        if (type === "typed") lastTypedAtMs = atMs;
        const before = state.head?.askId;
        const step = reduceAskStage(state, { type, askId, atMs } as AskStageInput);
        if (step.state.head?.askId !== before || step.effects.some((effect) => effect.type === "draw-pending"))
          marks = new Set();
        if (type === "drawn" || type === "synced") marks.add(type);
        if (step.effects.some((effect) => effect.type === "take-keys")) {
          expect(atMs - lastTypedAtMs).toBeGreaterThanOrEqual(state.quietMs);
          expect(marks).toEqual(new Set(["drawn", "synced"]));
        }
        state = step.state;
      }
    }),
  );
});
