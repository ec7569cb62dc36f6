// Preview, ready and result of one tool call belong together: each is shown, and nothing is shown twice.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { journaled } from "../../../src/session/transcript/journal.js";
import { emptyTranscript, reduceTranscript } from "../../../src/session/transcript/transcript.js";

const sessionId = null;
const diff = "@@ -1 +1 @@\n-a\n+b\n";
const previewed = (more: object = {}): SessionEvent => ({
  type: "permission.previewed",
  sessionId,
  tool: "edit",
  toolCallId: "c1",
  diff,
  truncated: false,
  ...more,
});
const readied = (toolCallId?: string): SessionEvent => ({
  type: "permission.readied",
  sessionId,
  tool: "edit",
  ...(toolCallId === undefined ? {} : { toolCallId }),
});
const finished = (toolCallId = "c1", more: object = {}): SessionEvent => ({
  type: "tool.finished",
  sessionId,
  toolCallId,
  name: "edit",
  output: "done",
  isError: false,
  ...more,
});
const done: SessionEvent = { type: "prompt.finished", sessionId };

function closed(...events: SessionEvent[]): Block[] {
  let state = emptyTranscript;
  return events.flatMap((event) => {
    const step = reduceTranscript(state, event, 0);
    state = step.state;
    return step.changes.flatMap((change) => (change.type === "closed" ? [change.block] : []));
  });
}

const previewDiffOf = (blocks: Block[]) =>
  blocks.flatMap((block) => (block.kind === "tool" ? [block.previewDiff ?? null] : []));

describe("a tool call that was previewed", () => {
  test("knows what the person has seen", () => {
    expect(previewDiffOf(closed(previewed(), finished()))).toEqual([diff]);
    const result = { role: "tool_result", tool_call_id: "c1", content: "done" };
    const told = { type: "message.finished", sessionId, message: result } as SessionEvent;
    expect(previewDiffOf(closed(previewed(), told))).toEqual([diff]);
  });

  test("is told from others by its id, and by its name when there is no id", () => {
    expect(previewDiffOf(closed(previewed(), finished("c2")))).toEqual([null]);
    expect(previewDiffOf(closed(previewed({ toolCallId: undefined }), finished("c9")))).toEqual([diff]);
    expect(previewDiffOf(closed(previewed({ toolCallId: undefined }), finished("c9", { name: "write" })))).toEqual([
      null,
    ]);
  });

  test("has seen nothing whole when the preview was cut, and remembers nothing beyond its prompt", () => {
    expect(previewDiffOf(closed(previewed({ truncated: true }), finished()))).toEqual([null]);
    expect(previewDiffOf(closed(previewed(), done, finished()))).toEqual([null]);
  });
});

describe("a ready signal", () => {
  const words = (...events: SessionEvent[]) =>
    closed(...events).flatMap((block) => (block.kind === "notice" ? [block.text] : []));

  test("is one line, and a second one for the same call is none", () => {
    expect(words(previewed(), readied("c1"), readied("c1"))).toEqual(["review what edit would change, then choose"]);
    expect(words(readied("c1"), readied("c2"))).toEqual(["edit needs your permission", "edit needs your permission"]);
    expect(words(readied("c1"), done, readied("c1"))).toHaveLength(2);
  });

  test("without an id is always shown", () => {
    expect(words(readied(), readied())).toHaveLength(2);
  });

  test("comes after what was said before it", () => {
    const says = {
      type: "message.updated",
      sessionId,
      message: { role: "assistant", content: "I will edit." },
    } as SessionEvent;
    expect(closed(says, readied("c1"), done).map(({ kind }) => kind)).toEqual(["prose", "notice"]);
  });
});

test("the files that a tool changes stay with it, whenever the agent tells of them", () => {
  const changes = [{ path: "a.ts", oldText: "a\n", newText: "b\n" }];
  const started = {
    type: "tool.started",
    sessionId,
    toolCallId: "c1",
    name: "edit",
    args: {},
    changes,
  } as SessionEvent;
  expect(closed(started, finished())).toMatchObject([{ kind: "tool", changes }]);
  expect(closed(finished("c1", { changes }))).toMatchObject([{ kind: "tool", changes }]);
});

test("the journal counts changed files as what they are", () => {
  const [block] = closed(finished("c1", { changes: [{ path: "a", oldText: null, newText: "x".repeat(1_000) }] }));
  if (block === undefined) throw new Error("no block");
  expect(journaled({ blocks: [], units: 0, dropped: 0 }, block).units).toBeGreaterThan(1_000);
});
