// A long message stays cheap on its way out: as deltas, and as whole messages within their budget.
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/contract/agent-events.js";
import { type GrowingMessage, MessageStream } from "../../src/sdk/message-stream.js";

type Sent = { events: AgentEvent[]; chars: number };

/** Streams `count` pieces of text, one every `everyMs`. */
function streamed(updates: "whole" | "deltas", { count, everyMs }: { count: number; everyMs: number }): Sent {
  const block = { type: "text" as const, text: "" };
  const message: GrowingMessage = { role: "assistant", content: [block] };
  const sent: Sent = { events: [], chars: 0 };
  let nowMs = 0;
  const emit = (event: AgentEvent) => {
    const line = JSON.stringify(event);
    sent.events.push(JSON.parse(line));
    sent.chars += line.length;
  };
  const stream = new MessageStream(message, { emit, updates, nowMs: () => nowMs });
  stream.start();
  for (let piece = 0; piece < count; piece += 1) {
    nowMs += everyMs;
    block.text += `word ${piece % 10} `;
    stream.grew(0, "text", `word ${piece % 10} `);
  }
  stream.end();
  return sent;
}

const textOf = (event: AgentEvent | undefined) => JSON.stringify(event?.["message"] ?? "");

describe("a message of 200 KB", () => {
  test.each(["whole", "deltas"] as const)("sent as %s costs in proportion to its length", (updates) => {
    const short = streamed(updates, { count: 2_860, everyMs: 0 });
    const long = streamed(updates, { count: 28_600, everyMs: 0 });
    expect(long.chars / short.chars).toBeLessThan(11);
    expect(long.chars).toBeLessThan(200_000 * 15);
  });

  test("is whole at its end, whatever was held back", () => {
    const { events } = streamed("whole", { count: 28_600, everyMs: 0 });
    const lastUpdate = events.findLast(({ type }) => type === "message_update");
    expect(events.at(-1)?.type).toBe("message_end");
    expect(textOf(events.at(-1)).length).toBeGreaterThan(textOf(lastUpdate).length);
    expect(textOf(events.at(-1))).toContain("word 9 ");
  });
});

test("a short message is sent with every piece", () => {
  const { events } = streamed("whole", { count: 40, everyMs: 0 });
  expect(events.filter(({ type }) => type === "message_update")).toHaveLength(40);
});

test("a slow message is never silent for long, and still bounded by its time", () => {
  const { events, chars } = streamed("whole", { count: 10_000, everyMs: 20 });
  const updates = events.filter(({ type }) => type === "message_update");
  expect(updates.length).toBeGreaterThan(60);
  expect(chars).toBeLessThan(70_000 * 10 + 16_384 * 200 * 1.2);
});
