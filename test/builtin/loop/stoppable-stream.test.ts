// A stream that is read until it ends, fails, falls silent or is stopped, and never longer.
import { expect, test } from "vitest";
import { untilAborted } from "../../../src/builtin/loop/stoppable-stream.js";
import type { Clock } from "../../../src/system/timers.js";

const never: AsyncIterable<string> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };

/** Its waits end when the test says so. */
function manualClock(): Clock & { pass(): void; readonly waiting: number } {
  const waits = new Set<() => void>();
  return {
    nowMs: () => 0,
    wait: (_delayMs, signal) =>
      new Promise((resolve) => {
        const end = () => {
          waits.delete(end);
          resolve();
        };
        waits.add(end);
        signal.addEventListener("abort", end, { once: true });
      }),
    pass: () => {
      for (const end of [...waits]) end();
    },
    get waiting() {
      return waits.size;
    },
  };
}

async function partsOf(stream: AsyncIterable<string>, ports: { signal: AbortSignal; clock: Clock }): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of untilAborted(stream, ports)) parts.push(part);
  return parts;
}

test("every part arrives, and nothing is left waiting after the end", async () => {
  const clock = manualClock();
  async function* stream() {
    yield "a";
    yield "b";
  }
  expect(await partsOf(stream(), { signal: new AbortController().signal, clock })).toEqual(["a", "b"]);
  expect(clock.waiting).toBe(0);
});

test("an abort ends a stream that says nothing", async () => {
  const stop = new AbortController();
  const reading = partsOf(never, { signal: stop.signal, clock: manualClock() });
  stop.abort();
  expect(await reading).toEqual([]);
});

test("a stream that fails because of the abort does not fail the reader, any other does", async () => {
  const stop = new AbortController();
  async function* stream() {
    yield "a";
    stop.abort();
    throw new Error("hung up");
  }
  expect(await partsOf(stream(), { signal: stop.signal, clock: manualClock() })).toEqual(["a"]);
  async function* broken(): AsyncGenerator<string> {
    yield "a";
    throw new Error("broken");
  }
  await expect(partsOf(broken(), { signal: new AbortController().signal, clock: manualClock() })).rejects.toThrow(
    "broken",
  );
});

test("silence that lasts too long is an error", async () => {
  const clock = manualClock();
  const reading = partsOf(never, { signal: new AbortController().signal, clock });
  clock.pass();
  await expect(reading).rejects.toThrow("sent nothing for 10 minutes");
});
