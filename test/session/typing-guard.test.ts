// Which ask is shown, and that only a deliberate gesture answers it: whatever is typed, at whatever pace, and whenever.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANSWER_HOLD_MS, GUARD_BEAT_MS, STALL_MS, TYPING_GUARD_MS_DEFAULT } from "../../src/contract/limits.js";
import {
  createTypingGuard,
  type KeyUse,
  reduceTypingGuard,
  type TypingGuardEffect,
  type TypingGuardInput,
  type TypingGuardState,
  waitingCount,
} from "../../src/session/typing-guard.js";
import { verifies } from "../verifies.js";

function play(...inputs: TypingGuardInput[]): { state: TypingGuardState; effects: TypingGuardEffect[] } {
  return playFrom(createTypingGuard(), ...inputs);
}

function playFrom(from: TypingGuardState, ...inputs: TypingGuardInput[]) {
  let state = from;
  const effects: TypingGuardEffect[] = [];
  for (const input of inputs) {
    const step = reduceTypingGuard(state, input);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const show = (askId: string): TypingGuardInput => ({ type: "show", askId });
const drawn = (atMs: number): TypingGuardInput => ({ type: "drawn", atMs });
const synced = (atMs: number): TypingGuardInput => ({ type: "synced", atMs });
const clock = (atMs: number): TypingGuardInput => ({ type: "clock", atMs });
function key(pressed: string, use: KeyUse, atMs: number, draft: "empty" | "written" = "empty"): TypingGuardInput {
  return { type: "key", key: pressed, use, draft, atMs };
}

/** An ask that has the keys since 0. */
const active = play(show("a"), drawn(0), synced(0)).state;

describe("before an ask has the keys", () => {
  test("it is drawn, and the scrollback is dealt with", () => {
    expect(play(show("a")).state.head).toEqual({ phase: "pending", askId: "a", drawnAtMs: null, synced: false });
    expect(play(show("a"), drawn(1)).state.head).toMatchObject({ phase: "pending" });
    expect(play(show("a"), synced(1)).state.head).toMatchObject({ phase: "pending" });
    const { state, effects } = play(show("a"), drawn(1), synced(2));
    expect(state.head).toMatchObject({ phase: "active", askId: "a", engaged: "none" });
    expect(effects).toEqual([
      { type: "draw-pending", askId: "a" },
      { type: "take-keys", askId: "a", time: "first" },
      { type: "wake-at", atMs: 802 },
    ]);
    expect(playFrom(state, clock(802)).effects).toEqual([{ type: "keys-count" }]);
  });

  test("a move belongs to the composer until the ask could be read", () => {
    verifies("asks.enter-after-a-move");
    const until = TYPING_GUARD_MS_DEFAULT;
    const again = playFrom(active, key("up", "move", until - 1), key("enter", "enter", until, "written"));
    expect(again.effects.filter(({ type }) => type === "to-dialog")).toEqual([]);
    expect(playFrom(active, key("up", "move", until - 1)).effects[0]).toEqual({ type: "let-go" });
    expect(playFrom(active, key("up", "move", until)).effects).toEqual([{ type: "to-dialog", key: "up" }]);
    expect(playFrom(active, key("esc", "cancel", 1)).effects).toEqual([{ type: "to-dialog", key: "esc" }]);
  });

  test("an answer key belongs to the composer until the ask could be read", () => {
    const until = TYPING_GUARD_MS_DEFAULT;
    for (const pressed of ["1", "d"]) {
      const early = playFrom(active, key(pressed, "answer", until - 1), clock(until + ANSWER_HOLD_MS));
      expect(early.effects.filter(({ type }) => type === "to-dialog")).toEqual([]);
      expect(early.effects).toContainEqual({ type: "to-composer", key: pressed });
      expect(playFrom(active, key(pressed, "answer", until)).state.head?.phase).toBe("held");
    }
  });

  test("a quiet moment passes, and it says when to look again", () => {
    const typing = play({ type: "typed", atMs: 900 }, show("a"), drawn(1_000), synced(1_001));
    expect(typing.state.head).toMatchObject({ phase: "pending" });
    expect(typing.effects.at(-1)).toEqual({ type: "wake-at", atMs: 1_700 });
    const more = reduceTypingGuard(typing.state, key("x", "other", 1_200));
    expect(more.effects).toEqual([
      { type: "to-composer", key: "x" },
      { type: "wake-at", atMs: 2_000 },
    ]);
    expect(reduceTypingGuard(more.state, clock(1_999)).state.head).toMatchObject({ phase: "pending" });
    expect(reduceTypingGuard(more.state, clock(2_000)).effects).toEqual([
      { type: "take-keys", askId: "a", time: "first" },
      { type: "wake-at", atMs: 2_800 },
    ]);
  });

  test("the quiet moment can be made longer, and not shorter", () => {
    expect(createTypingGuard({ quietMs: 1_500 }).quietMs).toBe(1_500);
    expect(createTypingGuard({ quietMs: 100 }).quietMs).toBe(TYPING_GUARD_MS_DEFAULT);
  });

  test("others come first that asked first, one at a time", () => {
    const { state } = play(show("a"), show("b"), show("c"), drawn(1), synced(1));
    expect(state.head?.askId).toBe("a");
    expect(waitingCount(state)).toBe(2);
    const closed = reduceTypingGuard(state, { type: "close", askId: "a" });
    expect(closed.effects).toEqual([
      { type: "remove", askId: "a" },
      { type: "draw-pending", askId: "b" },
    ]);
    expect(closed.state.head).toMatchObject({ phase: "pending", drawnAtMs: null, synced: false });
  });

  test("it is forgotten when it is withdrawn while it waits", () => {
    const { state, effects } = play(show("a"), show("b"), show("c"), { type: "close", askId: "b" });
    expect(state.queued).toEqual(["c"]);
    expect(effects).toEqual([{ type: "draw-pending", askId: "a" }]);
  });
});

describe("one answer key", () => {
  test("is held, and counts when nothing follows it", () => {
    verifies("asks.key-stands-alone");
    const held = playFrom(active, key("1", "answer", 1_000));
    expect(held.state.head).toEqual({ phase: "held", askId: "a", key: "1", atMs: 1_000, engaged: "none" });
    expect(held.effects).toEqual([{ type: "wake-at", atMs: 1_000 + ANSWER_HOLD_MS }]);
    expect(playFrom(held.state, clock(1_999)).effects).toEqual([{ type: "wake-at", atMs: 2_000 }]);
    expect(playFrom(held.state, clock(2_000)).effects).toEqual([{ type: "to-dialog", key: "1" }]);
  });

  test.each<[string, KeyUse, string[]]>([
    ["a letter", "other", ["1", "x"]],
    ["another answer key", "answer", ["1", "x"]],
    ["Enter", "enter", ["1"]],
    ["an arrow", "move", ["1"]],
    ["Esc", "cancel", ["1"]],
  ])("goes to the composer when %s follows it", (_, use, composed) => {
    const { state, effects } = playFrom(active, key("1", "answer", 1_000), key("x", use, 1_499));
    expect(effects.flatMap((effect) => (effect.type === "to-composer" ? [effect.key] : []))).toEqual(composed);
    expect(state.head?.phase).toBe("waiting");
    expect(playFrom(state, clock(2_298)).state.head?.phase).toBe("waiting");
    expect(playFrom(state, clock(2_299)).effects).toEqual([{ type: "take-keys", askId: "a", time: "again" }]);
  });

  test("goes to the composer when a key came shortly before, or when a draft is there", () => {
    const moved = playFrom(active, key("down", "move", 1_000), key("1", "answer", 1_700));
    expect(moved.effects).toContainEqual({ type: "to-composer", key: "1" });
    const drafted = playFrom(active, key("1", "answer", 9_000, "written"));
    expect(drafted.effects).toContainEqual({ type: "to-composer", key: "1" });
  });

  test("is given to the composer when its ask goes away meanwhile, and never to the next ask", () => {
    const { effects } = playFrom(active, show("b"), key("1", "answer", 1_000), { type: "close", askId: "a" });
    expect(effects).toEqual([
      { type: "wake-at", atMs: 1_000 + ANSWER_HOLD_MS },
      { type: "remove", askId: "a" },
      { type: "to-composer", key: "1" },
      { type: "draw-pending", askId: "b" },
    ]);
  });
});

describe("Enter", () => {
  test("answers after a move and a pause", () => {
    const moved = playFrom(active, key("down", "move", 1_000));
    expect(playFrom(moved.state, key("enter", "enter", 1_300)).effects).toEqual([{ type: "to-dialog", key: "enter" }]);
    const early = playFrom(moved.state, key("enter", "enter", 1_299));
    expect(early.effects).toEqual([]);
    expect(early.state.head).toMatchObject({ engaged: "moved", explained: "too-soon" });
    expect(playFrom(early.state, key("enter", "enter", 1_599)).effects).toEqual([{ type: "to-dialog", key: "enter" }]);
  });

  test("beside a draft answers only after the focus key and a move", () => {
    const drafted = (pressed: string, use: KeyUse, atMs: number) => key(pressed, use, atMs, "written");
    for (const use of ["move", "enter", "send", "answer", "text"] as const) {
      expect(playFrom(active, drafted("k", use, 9_000)).effects).toContainEqual({ type: "to-composer", key: "k" });
    }
    const focused = playFrom(active, drafted("ctrl+x", "focus", 9_000)).state;
    expect(playFrom(focused, drafted("enter", "enter", 9_900)).effects).toEqual([]);
    const { effects } = playFrom(focused, drafted("up", "move", 9_300), drafted("enter", "enter", 9_600));
    expect(effects).toEqual([
      { type: "to-dialog", key: "up" },
      { type: "to-dialog", key: "enter" },
    ]);
    const digit = playFrom(focused, drafted("1", "answer", 9_300), clock(10_300));
    expect(digit.effects).toContainEqual({ type: "to-dialog", key: "1" });
    expect(digit.state.head).toMatchObject({ engaged: "focused" });
  });

  test("and a move that follow another key at once are for the composer", () => {
    const read = playFrom(active, key("ctrl+o", "command", 1_000), key("up", "move", 1_799));
    expect(read.effects).toContainEqual({ type: "to-composer", key: "up" });
  });

  test("without one sends the draft, or says how to answer", () => {
    const drafted = playFrom(active, key("enter", "enter", 1_000, "written"));
    expect(drafted.effects).toContainEqual({ type: "to-composer", key: "enter" });
    const empty = playFrom(active, key("enter", "enter", 1_000));
    expect(empty.effects).toEqual([]);
    expect(empty.state.head).toMatchObject({ phase: "active", explained: "move-first" });
    expect(playFrom(empty.state, key("up", "move", 1_299)).effects).toContainEqual({ type: "to-composer", key: "up" });
    expect(playFrom(empty.state, key("up", "move", 1_300)).effects).toEqual([{ type: "to-dialog", key: "up" }]);
  });

  test("that came while the ask was new opens no move before the ask is seen", () => {
    const { state } = playFrom(active, key("enter", "enter", 40));
    expect(playFrom(state, key("up", "move", 400)).effects).toContainEqual({ type: "to-composer", key: "up" });
    expect(playFrom(state, key("up", "move", 800)).effects).toEqual([{ type: "to-dialog", key: "up" }]);
  });

  test("does not answer with a selection that was moved before something was typed", () => {
    const { state } = playFrom(active, key("up", "move", 1_000), key("x", "other", 1_100), clock(1_900));
    expect(playFrom(state, key("enter", "enter", 2_000)).effects).toEqual([]);
  });

  test("sends what is filled in only after a quiet moment and beside an empty composer", () => {
    const sent = { type: "to-dialog", key: "enter" };
    expect(playFrom(active, key("enter", "send", 1_000)).effects).toContainEqual(sent);
    expect(playFrom(active, key("enter", "send", 1_000, "written")).effects).not.toContainEqual(sent);
    const explained = playFrom(active, key("enter", "enter", 1_000), key("enter", "send", 1_200));
    expect(explained.effects).not.toContainEqual(sent);
  });
});

describe("an ask that is written into", () => {
  test("takes text beside an empty composer", () => {
    const { effects } = playFrom(active, key("a", "text", 1_000), key("b", "text", 1_050, "written"));
    expect(effects.map(({ type }) => type)).toEqual(["to-dialog", "to-dialog"]);
  });

  test("leaves text to a draft until the focus key moves the keys to it", () => {
    const drafted = playFrom(active, key("a", "text", 1_000, "written"));
    expect(drafted.effects).toContainEqual({ type: "to-composer", key: "a" });
    const tabbed = playFrom(drafted.state, clock(1_800), key("ctrl+x", "focus", 2_000, "written"));
    expect(tabbed.effects).toEqual([{ type: "take-keys", askId: "a", time: "again" }]);
    expect(playFrom(tabbed.state, key("b", "text", 2_050, "written")).effects).toEqual([
      { type: "to-dialog", key: "b" },
    ]);
  });
});

describe("a stall", () => {
  const beat = (atMs: number): TypingGuardInput => ({ type: "beat", atMs });
  const lateMs = GUARD_BEAT_MS + STALL_MS + 1;

  test("gives a held key to the composer when it is judged late", () => {
    const held = playFrom(active, key("1", "answer", 1_000)).state;
    const answer = { type: "to-dialog", key: "1" };
    expect(playFrom(held, clock(1_000 + ANSWER_HOLD_MS + STALL_MS)).effects).toEqual([answer]);
    const late = playFrom(held, clock(1_001 + ANSWER_HOLD_MS + STALL_MS));
    expect(late.effects).toContainEqual({ type: "to-composer", key: "1" });
    expect(late.state.head?.phase).toBe("waiting");
  });

  test("gives a held key to the composer when it is over in time, and before the key that it hid", () => {
    const held = playFrom(active, key("1", "answer", 1_000), beat(1_100)).state;
    expect(playFrom(held, beat(1_200), clock(2_000)).effects).toContainEqual({ type: "to-composer", key: "1" });
    const typed = playFrom(held, key("0", "other", 1_100 + lateMs));
    const composed = typed.effects.flatMap((effect) => (effect.type === "to-composer" ? [effect.key] : []));
    expect(composed).toEqual(["1", "0"]);
  });

  test("is no quiet moment, and no pause before Enter", () => {
    const waiting = playFrom(active, key("x", "other", 1_000), beat(1_100)).state;
    expect(playFrom(waiting, clock(1_800)).state.head?.phase).toBe("waiting");
    const moved = playFrom(active, key("up", "move", 1_000), beat(1_050)).state;
    const entered = playFrom(moved, key("enter", "enter", 1_050 + lateMs));
    expect(entered.state.head).toMatchObject({ engaged: "moved", explained: "too-soon" });
    const idle = playFrom(active, beat(5_000)).state;
    expect(playFrom(idle, key("1", "answer", 5_000 + lateMs)).effects).toContainEqual({
      type: "to-composer",
      key: "1",
    });
  });

  test("leaves what is being typed into an ask there", () => {
    const typed = playFrom(active, key("a", "text", 1_000), beat(1_050)).state;
    expect(playFrom(typed, key("b", "text", 1_050 + lateMs)).effects).toEqual([{ type: "to-dialog", key: "b" }]);
  });
});

test("no ask ever gets keys within the quiet time after a key, nor before it was drawn and synced", () => {
  const what = fc.constantFrom("show", "close", "typed", "drawn", "synced", "clock");
  const steps = fc.array(fc.record({ what, askId: fc.constantFrom("a", "b"), afterMs: fc.nat(600) }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(steps, (script) => {
      let state = createTypingGuard();
      let atMs = 0;
      let lastTypedAtMs = Number.NEGATIVE_INFINITY;
      let marks = new Set<string>();
      for (const { what: type, askId, afterMs } of script) {
        atMs += afterMs;
        if (type === "typed") lastTypedAtMs = atMs;
        const before = state.head?.askId;
        const step = reduceTypingGuard(state, { type, askId, atMs } as TypingGuardInput);
        if (step.state.head?.askId !== before || step.effects.some((effect) => effect.type === "draw-pending"))
          marks = new Set();
        if (type === "drawn" || type === "synced") marks.add(type);
        const taken = step.effects.find((effect) => effect.type === "take-keys");
        if (taken?.type === "take-keys") {
          expect(atMs - lastTypedAtMs).toBeGreaterThanOrEqual(state.quietMs);
          if (taken.time === "first") expect(marks).toEqual(new Set(["drawn", "synced"]));
        }
        state = step.state;
      }
    }),
  );
});

const ANSWER_KEYS = "123456789yanrd";
const useOf = (char: string): KeyUse => (ANSWER_KEYS.includes(char) ? "answer" : "other");

test("typing with a key every second or faster, at any moment of the life of any number of asks, answers nothing and loses no letter", () => {
  verifies("asks.typing-never-answers");
  const char = fc.constantFrom(..."1234567890yanrd ", ..."thequickbrown.,");
  const stroke = fc.record({
    char,
    // Pauses between words and thoughts, but mostly the pace of typing.
    afterMs: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 400 }) }, fc.integer({ min: 401, max: 2_000 })),
    event: fc.constantFrom<"none" | "show" | "close">("none", "none", "none", "show", "close"),
  });
  fc.assert(
    fc.property(fc.array(stroke, { minLength: 2, maxLength: 40 }), fc.nat(3_000), (strokes, startMs) => {
      let state = active;
      let composed = "";
      let wakeAtMs: number | null = null;
      let asks = 0;
      const feed = (input: TypingGuardInput) => {
        const step = reduceTypingGuard(state, input);
        state = step.state;
        for (const effect of step.effects) {
          if (effect.type === "to-dialog") throw new Error(`${effect.key} answered`);
          if (effect.type === "to-composer") composed += effect.key;
          if (effect.type === "wake-at") wakeAtMs = effect.atMs;
          if (effect.type === "draw-pending") feed({ type: "drawn", atMs: 0 });
        }
        if (input.type === "drawn") feed({ type: "synced", atMs: 0 });
      };
      const until = (atMs: number) => {
        while (wakeAtMs !== null && wakeAtMs <= atMs) {
          const dueMs: number = wakeAtMs;
          wakeAtMs = null;
          feed({ type: "clock", atMs: dueMs });
        }
      };
      let atMs = startMs;
      for (const [index, { char: typed, afterMs, event }] of strokes.entries()) {
        // An answer key alone in an empty composer, with a second of silence behind it, is the gesture itself.
        const isGesture = index === 1 && useOf(strokes[0]?.char ?? "") === "answer";
        atMs += index === 0 ? 0 : isGesture ? Math.min(afterMs, ANSWER_HOLD_MS - 1) : afterMs;
        until(atMs);
        if (event === "show") feed({ type: "show", askId: `ask-${asks++}` });
        if (event === "close" && state.head !== null) feed({ type: "close", askId: state.head.askId });
        const draft = composed === "" ? "empty" : "written";
        feed({ type: "key", key: typed, use: useOf(typed), draft, atMs });
      }
      expect(composed).toBe(strokes.map(({ char: typed }) => typed).join(""));
    }),
    { numRuns: 2_000 },
  );
});

test("an ask is new from the moment it is shown whole, also when its title was drawn long before", () => {
  let state = createTypingGuard({});
  const feed = (...inputs: Parameters<typeof reduceTypingGuard>[1][]) =>
    inputs.flatMap((input) => {
      const step = reduceTypingGuard(state, input);
      state = step.state;
      return step.effects;
    });
  feed({ type: "typed", atMs: 900 }, { type: "show", askId: "a" });
  feed({ type: "drawn", atMs: 1_000 }, { type: "synced", atMs: 1_000 });
  expect(feed({ type: "clock", atMs: 1_700 })).toMatchObject([{ type: "take-keys" }, { type: "wake-at", atMs: 2_500 }]);
  const key = { type: "key", key: "1", use: "answer", draft: "empty" } as const;
  expect(feed({ ...key, atMs: 1_760 })).toContainEqual({ type: "to-composer", key: "1" });
});
