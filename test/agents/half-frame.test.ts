// A frame that is begun and not ended, with the agent's process played by the test: when it is reported, and when not.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentProcessHandlers, StartAgent } from "../../src/agents/agent-process.js";
import { openSessionLink } from "../../src/agents/session-link.js";
import { FRAME_BYTES_MAX } from "../../src/contract/limits.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

async function startPlayed() {
  const faults: string[] = [];
  const failures: string[] = [];
  const startedMs = Date.now();
  let handlers: AgentProcessHandlers | null = null;
  const start: StartAgent = (_, given) => {
    handlers = given;
    const exited = new Promise<never>(() => undefined);
    const ignore = () => undefined;
    return { pid: 1, write: () => "delivered", setFlow: ignore, closeInput: ignore, exited, stop: () => exited };
  };
  const link = openSessionLink(
    { command: "played", args: [] },
    {
      start,
      nowMs: () => Date.now() - startedMs,
      onEvent(event) {
        if (event.type === "fault.reported") faults.push(event.fault.message);
        if (event.type === "agent.failed") failures.push(event.message);
      },
    },
  );
  // The first events wait for a moment.
  await Promise.resolve();
  const say = (text: string) => handlers?.onStdout(new TextEncoder().encode(text));
  say('{"type":"ready","protocol_version":"1"}\n');
  return { link, faults, failures, say };
}

test("each byte gives it 5 s more, and the report comes once", async () => {
  const { faults, say } = await startPlayed();
  say('{"type"');
  vi.advanceTimersByTime(4_999);
  say(":");
  vi.advanceTimersByTime(4_999);
  expect(faults).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(faults).toEqual(["incomplete frame: nothing followed its first 8 bytes for 5 s"]);
});

test("it is still read when its end comes after all", async () => {
  const { faults, say } = await startPlayed();
  say('{"type":"weat');
  vi.advanceTimersByTime(5_000);
  say('her"}\n');
  vi.advanceTimersByTime(60_000);
  expect(faults).toEqual([expect.stringContaining("incomplete frame"), "unknown frame: weather"]);
});

test("an agent that is held back is not late", async () => {
  const { link, faults, say } = await startPlayed();
  say('{"type"');
  link.setFlow("paused");
  vi.advanceTimersByTime(60_000);
  expect(faults).toEqual([]);
  link.setFlow("flowing");
  vi.advanceTimersByTime(5_000);
  expect(faults).toHaveLength(1);
});

test("text without a newline is no frame", async () => {
  const { faults, say } = await startPlayed();
  say("Loading the model … ");
  vi.advanceTimersByTime(60_000);
  expect(faults).toEqual([]);
});

test("a frame that has not ended after 30 s ends the link, also one that comes drop by drop", async () => {
  const stalled = await startPlayed();
  stalled.say('{"type"');
  vi.advanceTimersByTime(29_999);
  expect(stalled.failures).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(stalled.failures).toEqual(["incomplete frame after 30 s: only its first 7 bytes arrived"]);

  const dripping = await startPlayed();
  dripping.say('{"type"');
  for (let second = 0; second < 31; second += 1) {
    vi.advanceTimersByTime(1_000);
    dripping.say(" ");
  }
  expect(dripping.failures).toHaveLength(1);
});

test("slow frames that end are read, however many there are", async () => {
  const { faults, failures, say } = await startPlayed();
  for (let frame = 0; frame < 20; frame += 1) {
    say('{"type":');
    vi.advanceTimersByTime(4_000);
    say('"pong"}\n{');
    vi.advanceTimersByTime(4_000);
    say('"type":"pong"}\n');
  }
  expect([faults, failures]).toEqual([[], []]);
});

test("a frame in parts is read after any silence, and as the first one", async () => {
  const { faults, failures, say } = await startPlayed();
  vi.advanceTimersByTime(60_000);
  say('{"type":');
  say('"pong"}\n');
  vi.advanceTimersByTime(60_000);
  say('{"type":');
  vi.advanceTimersByTime(4_000);
  say('"pong"}\n');
  expect([faults, failures]).toEqual([[], []]);
});

test("a line without an end that is longer than any frame ends the link", async () => {
  const { failures, say } = await startPlayed();
  say("x".repeat(FRAME_BYTES_MAX + 1));
  vi.advanceTimersByTime(30_000);
  expect(failures).toHaveLength(1);
});
