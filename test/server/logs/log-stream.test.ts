// The log and those who follow it: ids, resuming, a bounded past, and slow readers that are told what they lost.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BoundedHistory } from "../../../src/host/bounded-history.js";
import { LogReader, type LogReaderOptions } from "../../../src/server/http/log-routes.js";
import { createLineNumbers, LogHub, type LogHubOptions } from "../../../src/server/logs/log-hub.js";
import { createFakeTimers } from "../../sdk/fake-timers.js";

const STARTED_MS = 1_700_000_000_000;

function createHub(options: LogHubOptions = {}) {
  const timers = createFakeTimers();
  const hub = new LogHub({ timers, nowMs: () => STARTED_MS, ...options });
  const say = (...contents: string[]) =>
    contents.map((content) => hub.publish({ content, kind: "info", tabTitle: "BUILD", handlerName: "watch" }));
  const read = (options: Partial<LogReaderOptions> = {}) => new LogReader(hub, { fromSeq: 0, timers, ...options });
  return { hub, timers, say, read };
}

const contentsIn = (events: string | null) =>
  [...(events ?? "").matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json).content as string | undefined);

describe("log lines", () => {
  test("carry tab, handler, colour, time and a growing id", () => {
    const { hub } = createHub();
    const entry = hub.publish({
      content: "rebuilt",
      kind: "success",
      tabTitle: "BUILD",
      handlerName: "watch",
      handlerColor: "#0af",
    });
    expect(entry).toEqual({
      id: "1700000000000000000",
      timestamp: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      content: "rebuilt",
      type: 4,
      tab_title: "BUILD",
      handler_name: "watch",
      handler_color: "#0af",
      handler_type: 4,
      at_ms: STARTED_MS,
    });
    expect(hub.publish({ content: "b", kind: "info", tabTitle: "", handlerName: "" }).id).toBe("1700000000000000001");
  });

  test("are redacted before anybody sees them", () => {
    const { hub, say } = createHub();
    say("before: hunter2");
    hub.redactWith((text) => text.replaceAll("hunter2", "•••"));
    const tapped: (string | undefined)[] = [];
    hub.tap("from-start", ({ content }) => tapped.push(content));
    hub.tap("from-now", ({ content }) => tapped.push(`again ${content}`));
    say("after: hunter2");
    expect(tapped).toEqual(["before: •••", "after: •••", "again after: •••"]);
    expect(hub.batchFrom(0, 10_000).text).not.toContain("hunter2");
  });

  test("are cut when they are endless, and say so", () => {
    const { say } = createHub();
    expect(say("x".repeat(70_000))[0]?.content).toMatch(/^x{65536} … 4464 more characters$/);
  });
});

describe("a reader", () => {
  test("gets every line once, in order, as server-sent events", async () => {
    const { say, read } = createHub();
    say("a", "b\nc");
    const text = await read().next();
    expect(text).toMatch(/^id: 1700000000000000000\ndata: \{.*\}\n\nid: 1700000000000000001\ndata: \{.*\}\n\n$/);
    expect(contentsIn(text)).toEqual(["a", "b\nc"]);
  });

  test("waits for news and wakes once for many lines", async () => {
    const { say, read, timers } = createHub();
    const next = read().next();
    say("a", "b", "c");
    timers.advance(5);
    expect(contentsIn(await next)).toEqual(["a", "b", "c"]);
  });

  test("that is too slow loses lines, is told how many, and continues with the oldest that is kept", async () => {
    const { say, read } = createHub({ linesMax: 3 });
    const reader = read();
    say("1", "2");
    expect(contentsIn(await reader.next())).toEqual(["1", "2"]);
    say("3", "4", "5", "6", "7");
    const text = await reader.next();
    expect(text).toMatch(/^event: lost\ndata: \{.*"lost":2\}\n\nid: /);
    expect(contentsIn(text)).toEqual(["2 lines were lost: this client reads too slowly", "5", "6", "7"]);
  });

  test("hears that something changed once, however often it did", async () => {
    const { hub, read, timers } = createHub();
    const reader = read();
    const next = reader.next();
    hub.announce("refresh");
    hub.announce("refresh");
    hub.announce("asks");
    timers.advance(5);
    expect(await next).toBe('event: refresh\ndata: {"handler_type":0}\n\nevent: asks\ndata: {"handler_type":0}\n\n');
  });

  test("gets a heartbeat when it is quiet", async () => {
    const { read, timers } = createHub();
    const reader = read({ heartbeatMs: 1_000 });
    for (let beat = 0; beat < 2; beat += 1) {
      const next = reader.next();
      timers.advance(1_000);
      expect(await next).toBe(": still here\n\n");
    }
  });

  test("with a filter gets matching lines only and sleeps through the others", async () => {
    const { hub, say, read, timers } = createHub();
    const next = read({ wants: ({ handler_name }) => handler_name === "tests" }).next();
    say("not this");
    timers.advance(5);
    await Promise.resolve();
    hub.publish({ content: "this", kind: "info", tabTitle: "T", handlerName: "tests" });
    timers.advance(5);
    expect(contentsIn(await next)).toEqual(["this"]);
  });

  test("ends with the log, after the last line, and when its client leaves", async () => {
    const { hub, say, read, timers } = createHub();
    const [reader, leaving] = [read(), read()];
    const left = leaving.next();
    leaving.stop();
    expect(await left).toBeNull();
    say("last");
    hub.close();
    timers.advance(5);
    expect(contentsIn(await reader.next())).toEqual(["last"]);
    expect(await reader.next()).toBeNull();
  });

  test("reads a flood in bounded pieces", async () => {
    const { say, read } = createHub();
    for (let count = 0; count < 2_000; count += 1) say(`line ${count} ${"x".repeat(200)}`);
    const reader = read();
    const sizes: number[] = [];
    let lines = 0;
    while (lines < 2_000) {
      const text = (await reader.next()) ?? "";
      sizes.push(text.length);
      lines += contentsIn(text).length;
    }
    expect(lines).toBe(2_000);
    expect(Math.max(...sizes)).toBeLessThan(130 * 1024);
  });
});

describe("line numbers", () => {
  test("lead back to the place of a line, and are strangers in another daemon's log", () => {
    const numbers = createLineNumbers(STARTED_MS);
    const later = createLineNumbers(STARTED_MS + 5);
    for (const seq of [0, 1, 999_999, 1_000_000, 123_456_789]) expect(numbers.seqOf(numbers.idOf(seq))).toBe(seq);
    expect(later.seqOf(numbers.idOf(7))).toBeNull();
    expect(BigInt(later.idOf(0)) > BigInt(numbers.idOf(4_000_000))).toBe(true);
    for (const none of ["", "x", "-1", "1.5", "9".repeat(40)]) expect(numbers.seqOf(none)).toBeNull();
  });
});

test("a bounded history is always the end of the whole one", () => {
  const bounds = fc.record({ itemsMax: fc.integer({ min: 1, max: 20 }), weightMax: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(bounds, fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3_000 }), (limits, weights) => {
      const history = new BoundedHistory<{ weight: number; index: number }>(limits);
      for (const [index, weight] of weights.entries()) history.push({ weight, index });
      const kept: number[] = [];
      for (let seq = history.firstSeq; seq < history.endSeq; seq += 1) kept.push(history.at(seq)?.index ?? -1);
      expect(kept).toEqual(weights.map((_, index) => index).slice(weights.length - kept.length));
      expect([history.at(history.firstSeq - 1), history.at(history.endSeq)]).toEqual([undefined, undefined]);
      const weight = kept.reduce((sum, index) => sum + (weights[index] ?? 0), 0);
      expect(kept.length <= limits.itemsMax && (weight <= limits.weightMax || kept.length === 1)).toBe(true);
    }),
  );
});

test("a bounded history keeps nothing of what it has forgotten", async () => {
  const history = new BoundedHistory<{ weight: number }>({ itemsMax: 10, weightMax: 10 });
  const pushed = Array.from({ length: 5 }, () => {
    const item = { weight: 5 };
    history.push(item);
    return new WeakRef(item);
  });
  await collectGarbage();
  expect(pushed.map((item) => item.deref()?.weight)).toEqual([undefined, undefined, undefined, 5, 5]);
});

/** What a WeakRef has seen in this turn stays until the next one. */
async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
