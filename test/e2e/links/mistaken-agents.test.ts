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

const cancel = (id: string) => ({ type: "ui_response", id, result: null, error: null }) as const;

function start(mistake: string) {
  const events: SessionEvent[] = [];
  const onEvent = (event: SessionEvent) => {
    events.push(event);
    if (event.type === "fault.reported" && mistake === "an id used twice at once") link.send(cancel("q"));
    if (event.type === "agent.readied") link.send({ type: "prompt", text: "hi" });
    if (event.type === "ask.raised" && mistake !== "an id used twice at once") link.send(cancel(event.ask.id));
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

/** Each mistake of an author, and what is said of it: null where Palaver accepts it. None leaves the turn open. */
const mistakes: readonly (readonly [mistake: string, words: string | null])[] = [
  ["no mistake", null],
  ["a version as a number", null],
  ["no version", null],
  ["a question with a number for an id", null],
  ["options as words", null],
  ["values as numbers", null],
  ["options without labels", null],
  ["a time as text", null],
  ["flat events", null],
  ["fields beside the event", null],
  ["fields in a list", null],
  ["fields in data", null],
  ["events without fields", "event message_start: event.message: is missing; it must be an object"],
  ["names in camel case", "event tool_execution_start: event.tool_call_id: is missing; it must be a string"],
  ["a session as a number", null],
  ["an id used again after its answer", null],
  ["a log line between frames", null],
  ["no options", "ui_request: params.options: is missing; it must be a list"],
  ["a question without params", "ui_request: params: is missing; it must be an object"],
  ["a question without a title", "ui_request: params.title: is missing; it must be a string"],
  ["a question without an id", "ui_request: id: is missing; it must be a string"],
  ["a title that is no text", "ui_request: params.title: must be a string, not a number"],
  ["options of a dialog as a list", "ui_request: params.opts: must be an object, not a list"],
  ["an unknown kind of question", 'ui_request: method: must be "select", "confirm", "input"'],
  ["a misspelt kind of question", 'ui_request: method: must be "select", "confirm", "input"'],
  ["a time that is no number", "ui_request: timeout_ms: must be a number, not a string"],
  ["an id used twice at once", "the question q is already open; the second one with this id was refused"],
  ["an end that does not fit", "event agent_end: event.messages: must be a list, not a string"],
  ["a misspelt end", "unknown event: agentEnd; did you mean agent_end?"],
  ["a message without a role", 'event message_start: event.message.role: is missing; it must be "user"'],
  ["a tool without a name", "event tool_execution_start: event.tool: is missing; it must be a string"],
  ["broken JSON", "not valid JSON: Expected double-quoted property name"],
  ["single quotes", "write one JSON object per line"],
  ["two frames in one line", "write one JSON object per line"],
  ["a frame over several lines", "write one JSON object per line"],
  ["a list for a frame", "a frame must be a JSON object, not a list"],
  ["a frame without a type", 'a frame without "type", which must be a string'],
  ["a misspelt frame", "unknown frame: ui_notfy; did you mean ui_notify?"],
];

describe("an agent with", () => {
  test.each(mistakes)("%s finishes its turn, and its author is told: %s", async (mistake, words) => {
    const { link, events, until } = start(mistake);
    await until("prompt.finished");
    const faults = events.flatMap((event) => (event.type === "fault.reported" ? [event.fault] : []));
    if (words === null) expect(faults).toEqual([]);
    else {
      expect(faults[0]?.message).toContain(words);
      expect(faults[0]?.excerpt).not.toBe("");
      if (mistake === "an id used twice at once") expect(faults[0]?.excerpt).toMatch(/^\{"type":"ui_request"/);
    }
    expect(await link.stop()).toMatchObject({ error: null });
  });

  test("a crash ends with its cause", async () => {
    const { link } = start("a crash");
    expect(await link.exited).toMatchObject({ code: 1, stderrTail: expect.stringContaining("no such model: gpt-7") });
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
    ["a ready that does not fit", 0, /its "ready" frame is invalid: ready: cwd/],
    ["a version of tomorrow", 0, /it uses version "3" of the lines protocol; this Palaver supports 1 and 2/],
    ["silence", 30_000, /it sent no "ready" frame within 30 s/],
  ])("with %s has failed", async (mistake, waitMs, words) => {
    const { link } = start(mistake);
    vi.advanceTimersByTime(waitMs);
    expect(await link.exited).toMatchObject({ code: null, error: expect.stringMatching(words) });
  });
});

describe("in a turn, an agent that", () => {
  test.each([
    ["a closed output", "the agent closed its standard output, so Palaver can no longer read from it"],
    ["a closed input", "the agent closed its standard input, so Palaver can no longer write to it"],
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
      message: "incomplete frame: nothing followed its first 29 bytes for 5 s",
      excerpt: '{"type":"ui_request","id":"q"',
    };
    await expect.poll(faults, { timeout: 20_000, interval: 10 }).toEqual([fault]);
    await link.stop();
  });
});
