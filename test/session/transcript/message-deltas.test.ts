// A message that comes in pieces: the same blocks as the message whole, and each piece costs its own length.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/contract/messages.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript, type TranscriptInput } from "../../../src/session/transcript/transcript.js";

const session = { sessionId: null };

/** The blocks in the order of their beginning, as a view that follows the changes would have them. */
function blocksAfter(inputs: readonly TranscriptInput[]): Block[] {
  const blocks = new Map<string, Block>();
  let state = emptyTranscript;
  for (const input of inputs) {
    const step = reduceTranscript(state, input, 0);
    state = step.state;
    for (const change of step.changes) {
      if (change.type !== "grew") blocks.set(change.block.id, change.block);
      else {
        const block = blocks.get(change.id);
        if (block !== undefined && "text" in block)
          blocks.set(change.id, { ...block, text: block.text + change.delta });
      }
    }
  }
  return [...blocks.values()];
}

const empty: Message = { role: "assistant", content: [] };
const started: SessionEvent = { type: "message.started", ...session, message: empty };
const grew = (index: number, kind: "text" | "thinking", delta: string): SessionEvent => ({
  type: "message.grew",
  ...session,
  index,
  kind,
  delta,
});

describe("a message in pieces", () => {
  test.each([-1, 0.5, Number.NaN, 1e9])("has no part %d, and a piece for it is not kept", (place) => {
    expect(blocksAfter([started, grew(place, "text", "lost")])).toEqual([]);
  });

  test("gives the same blocks as the message whole, wherever it is split", () => {
    const part = fc.record({
      kind: fc.constantFrom("text" as const, "thinking" as const),
      pieces: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const content = parts.map(({ kind, pieces }) =>
          kind === "text"
            ? { type: "text" as const, text: pieces.join("") }
            : { type: "thinking" as const, thinking: pieces.join("") },
        );
        const message: Message = { role: "assistant", content };
        const finished: SessionEvent = { type: "message.finished", ...session, message };
        const deltas = parts.flatMap(({ kind, pieces }, index) => pieces.map((piece) => grew(index, kind, piece)));
        expect(blocksAfter([started, ...deltas, finished])).toEqual(
          blocksAfter([started, { type: "message.updated", ...session, message }, finished]),
        );
      }),
    );
  });

  test("goes on in a block of its own after a tool ran in the middle of it", () => {
    const message: Message = { role: "assistant", content: [{ type: "text", text: "before after" }] };
    const blocks = blocksAfter([
      started,
      grew(0, "text", "before "),
      { type: "tool.started", ...session, toolCallId: "t", name: "ls", args: {} },
      { type: "tool.finished", ...session, toolCallId: "t", name: "ls", output: "x", isError: false },
      grew(0, "text", "after"),
      { type: "message.finished", ...session, message },
    ]);
    expect(blocks.map((block) => ("text" in block ? block.text : block.kind))).toEqual(["before ", "tool", "after"]);
  });

  test("passes each piece on as it is, and nothing for a place that cannot be", () => {
    let { state } = reduceTranscript(emptyTranscript, started, 0);
    ({ state } = reduceTranscript(state, grew(0, "text", "a"), 0));
    expect(reduceTranscript(state, grew(0, "text", "bc"), 0).changes).toEqual([
      { type: "grew", id: expect.any(String), delta: "bc" },
    ]);
    expect(reduceTranscript(state, grew(1e9, "text", "bc"), 0).changes).toEqual([]);
    expect(reduceTranscript(state, grew(0, "text", ""), 0).changes).toEqual([]);
  });
});
