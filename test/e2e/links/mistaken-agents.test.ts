// Real agents that each make one mistake, through the real link: every one of them finishes its turn or ends with the cause.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionLink } from "../../../src/agents/dialect-link.js";
import { openSessionLink } from "../../../src/agents/session-link.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";

const agent = join(import.meta.dirname, "mistaken-agent.mjs");

// The link waits by timers that the test turns on; processes and pipes are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function start(mistake: string) {
  const events: SessionEvent[] = [];
  const onEvent = (event: SessionEvent) => {
    events.push(event);
    if (event.type === "agent.readied") link.send({ type: "prompt", text: "hi" });
    if (event.type === "ask.raised") link.send({ type: "ui_response", id: event.ask.id, result: null, error: null });
  };
  const command = { command: process.execPath, args: [agent, mistake] };
  const link: SessionLink = openSessionLink(command, { protocol: "lines", onEvent, nowMs: () => 0 });
  const until = (type: SessionEvent["type"]) =>
    expect.poll(() => events.map((event) => event.type), { timeout: 20_000, interval: 10 }).toContain(type);
  return { link, events, until };
}

/** Turns the clock on until it settles. */
async function turnedOn<Value>(settled: Promise<Value>): Promise<Value> {
  let isSettled = false;
  void settled.then(() => {
    isSettled = true;
  });
  const look = () => {
    vi.advanceTimersByTime(500);
    return isSettled;
  };
  await expect.poll(look, { timeout: 20_000, interval: 10 }).toBe(true);
  return settled;
}

describe("an agent with", () => {
  test.each([
    "no mistake",
    "a version as a number",
    "no version",
    "a question with a number for an id",
    "options as words",
    "values as numbers",
    "a question without params",
    "an unknown kind of question",
    "a time as text",
    "a time that is no number",
    "flat events",
    "no data",
    "data as an object",
    "a session as a number",
    "an end that does not fit",
  ])("%s finishes its turn", async (mistake) => {
    const { link, until } = start(mistake);
    await until("prompt.finished");
    expect(await link.stop()).toMatchObject({ error: null });
  });

  test("a question without an id is told of; the turn can be given up", async () => {
    const { link, events, until } = start("a question without an id");
    await until("fault.reported");
    expect(events.at(-1)).toMatchObject({ fault: { message: expect.stringContaining("ui_request: id") } });
    expect(await link.stop()).toMatchObject({ code: 0 });
  });
});

describe("a start", () => {
  test("in which the agent waits for initialize goes well", async () => {
    const { link, until } = start("waits for initialize");
    vi.advanceTimersByTime(2_000);
    await until("prompt.finished");
    await link.stop();
  });

  test.each([
    ["a ready that does not fit", 0, /its "ready" frame does not fit: ready: cwd/],
    ["silence", 30_000, /it sent no "ready" frame within 30 s/],
  ])("with %s has failed", async (mistake, waitMs, words) => {
    const { link } = start(mistake);
    vi.advanceTimersByTime(waitMs);
    expect(await link.exited).toMatchObject({ code: null, error: expect.stringMatching(words) });
  });
});

describe("in a turn, an agent that", () => {
  test.each([
    ["a closed output", "the agent closed its standard output, so it can say nothing more"],
    ["a closed input", "the agent closed its standard input, so it cannot be told anything more"],
  ])("lives on with %s has failed, and is ended", async (mistake, words) => {
    const { link, events, until } = start(mistake);
    await until("agent.readied");
    const failures = () => {
      vi.advanceTimersByTime(500);
      return events.flatMap((event) => (event.type === "agent.failed" ? [event.message] : []));
    };
    await expect.poll(failures, { timeout: 20_000, interval: 10 }).toEqual([words]);
    expect(await turnedOn(link.exited)).toMatchObject({ error: null });
  });

  test("stops in the middle of a frame is told of with the beginning of the frame", async () => {
    const { link, events, until } = start("half a frame");
    await until("agent.readied");
    const faults = () => {
      vi.advanceTimersByTime(500);
      return events.flatMap((event) => (event.type === "fault.reported" ? [event.fault] : []));
    };
    const fault = {
      name: "malformed",
      message: "a frame was begun and not ended: nothing came for 5 s after its first 29 bytes",
      excerpt: '{"type":"ui_request","id":"q"',
    };
    await expect.poll(faults, { timeout: 20_000, interval: 10 }).toEqual([fault]);
    await link.stop();
  });
});
