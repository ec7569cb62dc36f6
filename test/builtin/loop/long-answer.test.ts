// What one byte of an answer costs, counted and not timed: how much is made into frames, how often anybody is told, and how
// often the clock is asked. All of it may be as much for each byte of a long answer as for each byte of a short one.
import { expect, test } from "vitest";
import { encodeOutput } from "../../../src/agents/dialects/lines/lines-codec.js";
import { modelTurn } from "../../../src/builtin/loop/prompt-run.js";
import type { Model, ModelPart } from "../../../src/builtin/models/model.js";
import type { AgentEvent } from "../../../src/contract/agent-events.js";
import { MessageStream } from "../../../src/sdk/message-stream.js";
import { testClock } from "../rig.js";

/** A word of four letters is about a token. */
const PIECE = "word";
const TOKEN_MS = 10;

function talkative(lengthChars: number): Model {
  async function* stream(): AsyncGenerator<ModelPart> {
    for (let said = 0; said < lengthChars; said += PIECE.length) yield { type: "text", delta: PIECE };
    yield { type: "finish", reason: "stop" };
  }
  return { provider: "test", id: "talkative", contextTokens: 1_000_000, compaction: "forget", stream };
}

async function costOf(lengthChars: number, updates: "whole" | "deltas") {
  const cost = { framedChars: 0, frames: 0, clockReadings: 0 };
  let atMs = 0;
  const nowMs = () => {
    cost.clockReadings += 1;
    return atMs;
  };
  const emit = async (event: AgentEvent) => {
    cost.frames += 1;
    cost.framedChars += encodeOutput({ type: "event", session_id: "s", event_seq: cost.frames, event }).length;
    atMs += TOKEN_MS;
  };
  const { message } = await modelTurn(
    talkative(lengthChars),
    { system: "", messages: [], tools: [], signal: new AbortController().signal },
    {
      stream: (answer) => new MessageStream(answer, { emit, updates, nowMs }),
      clock: { ...testClock(), nowMs },
      ui: { notify: () => {}, setWorkingMessage: () => {} },
      chance: () => 0,
    },
  );
  expect(message.content).toEqual([{ type: "text", text: PIECE.repeat(lengthChars / PIECE.length) }]);
  return cost;
}

test.each(["deltas", "whole"] as const)(
  "a byte of 200 KB costs no more than twice a byte of 20 KB: %s",
  async (updates) => {
    const [short, long] = [await costOf(20_000, updates), await costOf(200_000, updates)];
    for (const part of ["framedChars", "frames", "clockReadings"] as const) {
      expect(long[part] / 200_000, part).toBeLessThanOrEqual((2 * short[part]) / 20_000);
    }
  },
);
