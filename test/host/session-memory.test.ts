// The moments of a session: how long something took is the same to whoever saw it and to whoever is told of it later.
import { join } from "node:path";
import { expect, test } from "vitest";
import { SseDecoder } from "../../src/agents/dialects/frames/sse-decoder.js";
import { StreamWords } from "../../src/agents/remote/stream-words.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { SessionMemory } from "../../src/host/session-memory.js";
import { createRedactor } from "../../src/text/redact.js";
import { createManualTimers } from "../server/manual-timers.js";
import { temporaryFolder } from "../server/temporary-folder.js";

const sessionId = "s1";
const tool = { sessionId, toolCallId: "c1", name: "bash" };

function memoryAt(clock: { nowMs: number }): SessionMemory {
  return new SessionMemory({
    sessionId,
    lastSeq: 0,
    transcriptPath: join(temporaryFolder(), "transcript.jsonl"),
    redaction: createRedactor(),
    timers: createManualTimers(),
    nowMs: () => clock.nowMs,
  });
}

/** What a front end hears of the whole transcript, with its own clock. */
function heardBy(memory: SessionMemory, nowMs: number, daemonNowMs: number): SessionEvent[] {
  const events: SessionEvent[] = [];
  const words = new StreamWords({
    onEvent: (event) => void events.push(event),
    onHello: () => undefined,
    onEnded: () => undefined,
    nowMs: () => nowMs,
  });
  const session = {
    ...{ id: "h", name: "", agent: null, protocol: "lines", cwd: "/", state: "idle", created_at_ms: 0 },
    ...{ active_at_ms: 0, front_ends: [], open_asks: 0, exit_code: null },
  };
  words.take({ name: "hello", data: JSON.stringify({ session, at_ms: daemonNowMs }), id: null });
  const frames = memory.history.transcriptSince(0).map(({ seq, frame }) => `id: ${seq}\n${frame}`);
  const decoder = new SseDecoder({ eventCharsMax: 1_000_000 });
  for (const event of decoder.push(new TextEncoder().encode(frames.join("")))) words.take(event);
  return events;
}

test("a tool took as long for whoever joins later, on a clock of his own, as for whoever was there", () => {
  const clock = { nowMs: 1_000_000 };
  const memory = memoryAt(clock);
  memory.put({ type: "tool.started", ...tool, args: {} });
  clock.nowMs += 4_200;
  memory.put({ type: "tool.finished", ...tool, output: "done", isError: false });
  const heard = heardBy(memory, 60_000, 1_010_000);
  expect(heard.map(({ type, atMs }) => [type, atMs])).toEqual([
    ["tool.started", 50_000],
    ["tool.finished", 54_200],
  ]);
});

test("nothing that is told lies in the future of whoever hears it", () => {
  const clock = { nowMs: 1_000_000 };
  const memory = memoryAt(clock);
  memory.put({ type: "prompt.started", sessionId });
  expect(heardBy(memory, 500, 999_000).map(({ atMs }) => atMs)).toEqual([500]);
});

test("a word of a stream carries no moment: nobody sees one", () => {
  const memory = memoryAt({ nowMs: 1_000_000 });
  memory.put({ type: "message.grew", sessionId, index: 0, kind: "text", delta: "Good morning. " });
  memory.settle();
  expect(heardBy(memory, 500, 1_000_000).every(({ atMs }) => atMs === undefined)).toBe(true);
});
