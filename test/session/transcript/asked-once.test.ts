// A question that a tool call consists of is shown once: its answer takes the place of the call.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript, type TranscriptInput } from "../../../src/session/transcript/transcript.js";

const sessionId = null;
const title = "Which colour?";

function askOf(question: Ask["question"]): Ask {
  return { id: "q", sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
}

function raised(question: Ask["question"]): SessionEvent {
  return { type: "ask.raised", sessionId, ask: askOf(question) };
}

function settledBy(value: string): TranscriptInput {
  const ask = askOf({ kind: "select", params: { title, options: [] } });
  return { type: "ask.settled", ask, outcome: { kind: "answered", value, by: "user" }, delivery: "delivered" };
}

const settled = settledBy("red");

const call = { sessionId, toolCallId: "c1", name: "ask" };
const started: SessionEvent = { type: "tool.started", ...call, args: { title } };
const finished: SessionEvent = { type: "tool.finished", ...call, output: "The user answered: red", isError: false };

/** The blocks that were closed, in order, and what is still open. */
function told(...inputs: TranscriptInput[]): { closed: readonly Block[]; open: readonly Block[] } {
  let state = emptyTranscript;
  const closed: Block[] = [];
  inputs.forEach((input, index) => {
    const step = reduceTranscript(state, input, index);
    state = step.state;
    for (const change of step.changes) if (change.type === "closed") closed.push(change.block);
  });
  return { closed, open: state.open };
}

describe("an answer", () => {
  const select = (opts: { tool_call_id?: string }): Ask["question"] => {
    return { kind: "select", params: { title, options: [], opts } };
  };

  test("takes the place of the call that asked, which is not told again", () => {
    const { closed, open } = told(started, raised(select({ tool_call_id: "c1" })), settled, finished);
    expect(closed).toMatchObject([{ kind: "asked", title, outcome: "red" }]);
    expect(open).toEqual([]);
  });

  test.each<[string, TranscriptInput[]]>([
    ["to a question that names no call", [started, raised(select({})), settled, finished]],
    [
      "to a question of a call that nobody has heard of",
      [started, raised(select({ tool_call_id: "c2" })), settled, finished],
    ],
  ])("%s stands beside what the tool says", (_, inputs) => {
    expect(told(...inputs).closed.map(({ kind }) => kind)).toEqual(["asked", "tool"]);
  });

  test("to the second question of one call stands behind the first", () => {
    const again: TranscriptInput = settledBy("green");
    const asking = raised(select({ tool_call_id: "c1" }));
    expect(told(started, asking, settled, asking, again, finished).closed).toMatchObject([
      { kind: "asked", outcome: "red" },
      { kind: "asked", outcome: "green" },
    ]);
  });
});
