// A frame that is begun and not ended, with the agent's process played by the test: when it is reported, and when not.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentProcessHandlers, StartAgent } from "../../src/agents/agent-process.js";
import { openSessionLink } from "../../src/agents/session-link.js";
import { verifies } from "../verifies.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

async function startPlayed() {
  const faults: string[] = [];
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
      nowMs: () => 0,
      onEvent: (event) => void (event.type === "fault.reported" && faults.push(event.fault.message)),
    },
  );
  // The first events wait for a moment.
  await Promise.resolve();
  const say = (text: string) => handlers?.onStdout(new TextEncoder().encode(text));
  say('{"type":"ready","protocol_version":"1"}\n');
  return { link, faults, say };
}

test("each byte gives it 5 s more, and the report comes once", async () => {
  verifies("wires.half-frame-is-a-fault");
  const { faults, say } = await startPlayed();
  say('{"type"');
  vi.advanceTimersByTime(4_999);
  say(":");
  vi.advanceTimersByTime(4_999);
  expect(faults).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(faults).toEqual(["a frame was begun and not ended: nothing came for 5 s after its first 8 bytes"]);
});

test("it is still read when its end comes after all", async () => {
  const { faults, say } = await startPlayed();
  say('{"type":"weat');
  vi.advanceTimersByTime(5_000);
  say('her"}\n');
  vi.advanceTimersByTime(60_000);
  expect(faults).toEqual([expect.stringContaining("begun and not ended"), "unknown frame: weather"]);
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
