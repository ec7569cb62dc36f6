// Pieces of messages and counts at the end of a prompt, as the lines wire carries them into Palaver's own words.
import { describe, expect, test } from "vitest";
import { createLinesDialect } from "../../../src/agents/dialects/lines/lines-dialect.js";
import type { AgentEvent } from "../../../src/contract/agent-events.js";

function read(event: AgentEvent) {
  return createLinesDialect().read({ kind: "frame", frame: { type: "event", session_id: "s", event } }, 0).events;
}

describe("the lines dialect", () => {
  test("turns a message_delta into more of the open message", () => {
    expect(read({ type: "message_delta", index: 1, kind: "thinking", delta: "hm" })).toEqual([
      { type: "message.grew", sessionId: "s", index: 1, kind: "thinking", delta: "hm" },
    ]);
  });

  test.each([
    { index: -1, kind: "text", delta: "x" },
    { index: 0, kind: "image", delta: "x" },
    { index: 0, kind: "text" },
  ])("%j is no message_delta", (fields) => {
    expect(read({ type: "message_delta", ...fields } as unknown as AgentEvent)).toMatchObject([
      { type: "fault.reported" },
    ]);
  });

  test("takes what the prompt cost from its end, where that makes sense", () => {
    expect(read({ type: "agent_end", messages: [], usage: { input: 3 } })).toEqual([
      { type: "prompt.finished", sessionId: "s", usage: { input: 3 } },
    ]);
    expect(read({ type: "agent_end", usage: "much" } as unknown as AgentEvent)).toEqual([
      { type: "prompt.finished", sessionId: "s" },
    ]);
    expect(read({ type: "agent_end" })).toEqual([{ type: "prompt.finished", sessionId: "s" }]);
  });
});
