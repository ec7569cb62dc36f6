// What becomes of events on their way to the app: joined, gathered and sliced, and in the end each word and each event once
// and in order.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { EventInbox } from "../../src/host/event-inbox.js";
import { ManualClock } from "../rigs/simulator/manual-clock.js";

const sessionId = "s1";
const grew = (delta: string, index = 0): SessionEvent => {
  return { type: "message.grew", sessionId, index, kind: "text", delta };
};
const updated = (text: string): SessionEvent => {
  return { type: "message.updated", sessionId, message: { role: "assistant", content: text } };
};
const notice = (message: string): SessionEvent => ({ type: "notice.shown", sessionId, level: "info", message });

class Desk {
  readonly clock = new ManualClock();
  readonly heard: SessionEvent[] = [];
  flow: "flowing" | "paused" = "flowing";
  /** How many events had been heard each time when it was said that this was all. */
  readonly batches: number[] = [];
  /** How long the app takes over one event. */
  costMs = 0;
  readonly inbox = new EventInbox({
    clock: this.clock,
    hear: (event) => {
      this.heard.push(event);
      this.clock.advance(this.costMs);
    },
    onHeard: () => this.batches.push(this.heard.length),
    setFlow: (flow) => {
      this.flow = flow;
    },
  });

  push(...events: SessionEvent[]): Promise<void> {
    for (const event of events) this.inbox.push(event);
    return Promise.resolve();
  }
}

const wordsOf = (events: readonly SessionEvent[]) =>
  events.map((event) => (event.type === "message.grew" ? event.delta : "")).join("");

describe("events from the agent", () => {
  test("that arrive after a quiet moment are heard at once, and words in one piece", async () => {
    const desk = new Desk();
    await desk.push(notice("a"), grew("one "), grew("two "), grew("three"), notice("b"));
    expect(desk.heard).toEqual([notice("a"), grew("one two three"), notice("b")]);
    expect(desk.batches).toEqual([3]);
  });

  test("of another part, another kind or another session are not joined", async () => {
    const desk = new Desk();
    const thought: SessionEvent = { type: "message.grew", sessionId, index: 0, kind: "thinking", delta: "hm" };
    const elsewhere: SessionEvent = { ...grew("there"), sessionId: "s2" };
    await desk.push(grew("a"), grew("b", 1), thought, elsewhere);
    expect(desk.heard).toEqual([grew("a"), grew("b", 1), thought, elsewhere]);
  });

  test("with a newer version of the same message make the older one superfluous", async () => {
    const desk = new Desk();
    await desk.push(updated("one"), updated("one two"), notice("a"), updated("one two three"));
    expect(desk.heard).toEqual([updated("one two"), notice("a"), updated("one two three")]);
  });

  test("results of tools are kept apart: each is another message", async () => {
    const desk = new Desk();
    const result = (id: string): SessionEvent => {
      return { type: "message.updated", sessionId, message: { role: "tool_result", tool_call_id: id, content: "" } };
    };
    await desk.push(result("a"), result("b"));
    expect(desk.heard).toEqual([result("a"), result("b")]);
  });

  test("words that trickle in are gathered for a frame while the agent is held back", async () => {
    const desk = new Desk();
    await desk.push(grew("one "));
    expect(desk.flow).toBe("paused");
    await desk.push(grew("two "), grew("three"));
    expect(desk.heard).toEqual([grew("one ")]);
    desk.clock.advance(33);
    expect(desk.heard).toEqual([grew("one "), grew("two three")]);
    desk.clock.advance(33);
    expect(desk.flow).toBe("flowing");
  });

  test("a torrent of words is not held back: it is read as fast as it comes", async () => {
    const desk = new Desk();
    await desk.push(grew("x".repeat(20_000)));
    expect(desk.flow).toBe("flowing");
  });

  test("a thousand at once are heard in slices, with the agent held back and time for keys in between", async () => {
    const desk = new Desk();
    desk.costMs = 1;
    const all = Array.from({ length: 1_000 }, (_, at) => notice(String(at)));
    await desk.push(...all);
    expect(desk.heard.length).toBeLessThan(20);
    expect(desk.flow).toBe("paused");
    for (let turns = 0; turns < 1_000 && desk.flow === "paused"; turns += 1) desk.clock.advance(1);
    expect(desk.heard).toEqual(all);
    expect(desk.flow).toBe("flowing");
  });

  test("that no one can hold back are heard in the end, however long it takes: the wait is bounded", () => {
    const desk = new Desk();
    for (let at = 0; at <= 10_000; at += 1) desk.inbox.push(notice(String(at)));
    expect(desk.heard).toHaveLength(10_001);
  });

  test("all of them are heard when something follows that must not come before them", async () => {
    const desk = new Desk();
    await desk.push(grew("one "));
    await desk.push(grew("two"), notice("a"));
    desk.inbox.drain();
    expect(desk.heard).toEqual([grew("one "), grew("two"), notice("a")]);
    expect(desk.flow).toBe("flowing");
    desk.clock.advance(100);
    expect(desk.heard).toHaveLength(3);
  });

  test("in whatever rhythm they come, order stays and no word is lost or doubled", async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("words" as const), text: fc.string({ minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant("notice" as const) }),
      fc.record({ type: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ type: fc.constant("drain" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 15 }), async (steps, costMs) => {
        const desk = new Desk();
        desk.costMs = costMs;
        let words = "";
        let notices = 0;
        for (const each of steps) {
          if (each.type === "words") await desk.push(grew(each.text));
          else if (each.type === "notice") await desk.push(notice(String(notices)));
          else if (each.type === "time") desk.clock.advance(each.ms);
          else desk.inbox.drain();
          if (each.type === "words") words += each.text;
          if (each.type === "notice") notices += 1;
        }
        desk.inbox.drain();
        expect(wordsOf(desk.heard)).toBe(words);
        const told = desk.heard.flatMap((event) => (event.type === "notice.shown" ? [event.message] : []));
        expect(told).toEqual(Array.from({ length: notices }, (_, at) => String(at)));
      }),
    );
  });
});
