// What an agent reports becomes blocks: in order, each closed once, whatever the agent repeats, skips or takes back.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Block, BlockChange } from "../../../src/session/transcript/block.js";
import {
  emptyTranscript,
  reduceTranscript,
  type TranscriptInput,
  type TranscriptState,
} from "../../../src/session/transcript/transcript.js";

const sessionId = null;
const says = (type: "message.started" | "message.updated" | "message.finished", ...content: object[]): SessionEvent =>
  ({ type, sessionId, message: { role: "assistant", content } }) as SessionEvent;
const text = (words: string) => ({ type: "text", text: words });
const thinking = (words: string) => ({ type: "thinking", thinking: words });
const call = (id: string) => ({ type: "tool_call", id, name: "bash", arguments: { command: "ls" } });
const toolStarted = (toolCallId: string): SessionEvent => ({
  type: "tool.started",
  sessionId,
  toolCallId,
  name: "bash",
  args: { command: "ls" },
});
const toolUpdated = (toolCallId: string, output: string): SessionEvent => ({
  type: "tool.updated",
  sessionId,
  toolCallId,
  name: "bash",
  output,
});
const toolFinished = (toolCallId: string, output: string, isError = false): SessionEvent => ({
  type: "tool.finished",
  sessionId,
  toolCallId,
  name: "bash",
  output,
  isError,
});
const done: SessionEvent = { type: "prompt.finished", sessionId };

function play(...inputs: TranscriptInput[]): { state: TranscriptState; changes: BlockChange[] } {
  let state = emptyTranscript;
  const changes: BlockChange[] = [];
  inputs.forEach((input, index) => {
    const step = reduceTranscript(state, input, index * 100);
    state = step.state;
    changes.push(...step.changes);
  });
  return { state, changes };
}

const closed = (changes: BlockChange[]): Block[] =>
  changes.flatMap((change) => (change.type === "closed" ? [change.block] : []));
const brief = (changes: BlockChange[]) =>
  changes.map((change) =>
    change.type === "grew" ? `${change.id} +${change.delta}` : `${change.block.id} ${change.type} ${change.block.kind}`,
  );

describe("a streamed message", () => {
  test("opens once, grows by what was added, and closes with the whole", () => {
    const { changes } = play(
      says("message.started", text("")),
      says("message.updated", text("Hel")),
      says("message.updated", text("Hello")),
      says("message.updated", text("Hello")),
      says("message.finished", text("Hello!")),
    );
    expect(brief(changes)).toEqual(["b1 opened prose", "b1 +Hel", "b1 +lo", "b1 +!", "b1 closed prose"]);
    expect(closed(changes)).toEqual([{ kind: "prose", id: "b1", text: "Hello!" }]);
  });

  test("that changes its mind replaces its block", () => {
    expect(brief(play(says("message.updated", text("abc")), says("message.updated", text("axc"))).changes)).toEqual([
      "b1 opened prose",
      "b1 replaced prose",
    ]);
  });

  test("closes each part when the next one begins", () => {
    const { changes } = play(
      says("message.updated", thinking("hm")),
      says("message.updated", thinking("hmm"), text("I see.")),
      says("message.finished", thinking("hmm"), text("I see."), call("c1")),
    );
    expect(brief(changes)).toEqual([
      "b1 opened thinking",
      "b1 +m",
      "b1 closed thinking",
      "b2 opened prose",
      "b2 closed prose",
      "b3 opened tool",
    ]);
  });

  test("is cut where a tool starts or a change is previewed, and goes on in a block of its own", () => {
    const { changes } = play(
      says("message.updated", text("First. ")),
      toolStarted("c1"),
      says("message.updated", text("First. ")),
      toolFinished("c1", "out"),
      says("message.updated", text("First. Then.")),
      says("message.finished", text("First. Then. Done.")),
    );
    expect(brief(changes)).toEqual([
      "b1 opened prose",
      "b1 closed prose",
      "b2 opened tool",
      "b2 replaced tool",
      "b2 +out",
      "b2 closed tool",
      "b3 opened prose",
      "b3 + Done.",
      "b3 closed prose",
    ]);
    expect(closed(changes).flatMap((block) => (block.kind === "prose" ? [block.text] : []))).toEqual([
      "First. ",
      "Then. Done.",
    ]);
  });

  test("without a beginning or an end is a message all the same", () => {
    expect(closed(play(says("message.finished", text("all at once"))).changes)).toMatchObject([
      { text: "all at once" },
    ]);
    expect(closed(play(says("message.updated", text("half")), done).changes)).toMatchObject([{ text: "half" }]);
    expect(
      closed(play(says("message.updated", text("one")), says("message.started", text("two")), done).changes),
    ).toMatchObject([{ text: "one" }, { text: "two" }]);
  });
});

describe("a tool", () => {
  test("is announced, runs, grows and ends in one block", () => {
    const { changes, state } = play(
      says("message.finished", call("c1")),
      toolStarted("c1"),
      toolUpdated("c1", "a\n"),
      toolUpdated("c1", "a\nb\n"),
      toolFinished("c1", "a\nb\nc"),
    );
    expect(brief(changes)).toEqual([
      "b1 opened tool",
      "b1 replaced tool",
      "b1 +a\n",
      "b1 +b\n",
      "b1 replaced tool",
      "b1 +c",
      "b1 closed tool",
    ]);
    expect(closed(changes)).toMatchObject([
      { phase: "done", output: "a\nb\nc", startedAtMs: 100, endedAtMs: 400, args: { command: "ls" } },
    ]);
    expect(state.open).toEqual([]);
  });

  test("reported twice, by itself and as a message, is one tool", () => {
    const result = {
      type: "message.finished",
      sessionId,
      message: { role: "tool_result", tool_call_id: "c1", content: "out" },
    } as SessionEvent;
    expect(
      closed(
        play(toolStarted("c1"), toolFinished("c1", "out"), result, toolFinished("c1", "out"), toolStarted("c1"))
          .changes,
      ),
    ).toHaveLength(1);
    expect(closed(play(result).changes)).toMatchObject([{ kind: "tool", output: "out", phase: "done" }]);
  });

  test("that never reports its end is stopped with the turn", () => {
    expect(closed(play(toolStarted("c1"), toolStarted("c2"), done).changes)).toMatchObject([
      { toolCallId: "c1", phase: "stopped" },
      { toolCallId: "c2", phase: "stopped" },
    ]);
  });

  test("that fails says so", () => {
    expect(closed(play(toolFinished("c1", "no such file", true)).changes)).toMatchObject([
      { phase: "failed", output: "no such file" },
    ]);
  });
});

describe("a prompt", () => {
  const repeated = (words: string): SessionEvent => ({
    type: "message.started",
    sessionId,
    message: { role: "user", content: words },
  });

  test("sent from here and repeated by the agent is shown once", () => {
    expect(closed(play({ type: "prompt.sent", text: "hi" }, repeated("hi")).changes)).toEqual([
      { kind: "prompt", id: "b1", text: "hi" },
    ]);
  });

  test("from elsewhere is shown", () => {
    expect(closed(play({ type: "prompt.sent", text: "hi" }, repeated("hi"), repeated("hi")).changes)).toHaveLength(2);
    // After the turn it is a prompt of a session that was resumed.
    const ended = { type: "prompt.finished", sessionId: null } as const;
    expect(closed(play({ type: "prompt.sent", text: "hi" }, ended, repeated("hi")).changes)).toHaveLength(2);
  });
});

test("notices, faults, logs and gaps are blocks of their own", () => {
  const fault = { name: "malformed" as const, message: "not valid JSON", excerpt: "{" };
  const { changes } = play(
    { type: "notice.shown", sessionId, level: "success", message: "saved" },
    { type: "fault.reported", sessionId, fault },
    { type: "log.written", sessionId, stream: "stdout", text: "loading" },
    { type: "events.missed", sessionId, count: 3 },
    { type: "agent.failed", sessionId, message: "no key" },
    { type: "title.changed", sessionId, title: "t" },
  );
  expect(closed(changes).map((block) => [block.kind, "text" in block ? block.text : ""])).toEqual([
    ["notice", "saved"],
    ["notice", "from the agent: not valid JSON. The line: {"],
    ["log", "loading"],
    ["notice", "3 events of the agent are missing here"],
    ["notice", "no key"],
  ]);
});

test("whatever an agent sends, a view that follows the changes knows every block, and each closes at most once", () => {
  const word = fc.constantFrom("", "a", "ab", "abc", "xb");
  const id = fc.constantFrom("c1", "c2");
  const content = fc.array(fc.oneof(word.map(text), word.map(thinking), id.map(call)), { maxLength: 3 });
  const event: fc.Arbitrary<TranscriptInput> = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("message.started" as const, "message.updated" as const, "message.finished" as const),
        content,
      )
      .map(([type, parts]) => says(type, ...parts)),
    id.map(toolStarted),
    fc.tuple(id, word).map(([tool, output]) => toolUpdated(tool, output)),
    fc.tuple(id, word).map(([tool, output]) => toolFinished(tool, output)),
    fc.constant(done),
    word.map((words): TranscriptInput => ({ type: "prompt.sent", text: words })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const { state, changes } = play(...events, done);
      const view = new Map<string, Block>();
      for (const change of changes) {
        if (change.type === "grew") {
          const block = view.get(change.id);
          if (block?.kind === "tool") view.set(change.id, { ...block, output: block.output + change.delta });
          else if (block !== undefined && "text" in block)
            view.set(change.id, { ...block, text: block.text + change.delta });
          else throw new Error(`${change.id} grew before it was there`);
          continue;
        }
        if (change.type === "opened") expect(view.has(change.block.id)).toBe(false);
        else expect(view.has(change.block.id)).toBe(true);
        if (change.type === "closed") expect(view.get(change.block.id)).toEqual(change.block);
        if (change.type === "closed") view.delete(change.block.id);
        else view.set(change.block.id, change.block);
      }
      expect(state.open).toEqual([]);
      expect(view.size).toBe(0);
    }),
  );
});

test("a call that is announced again with better arguments keeps the moment at which it began", () => {
  const { changes } = play(toolStarted("t1"), toolUpdated("t1", "a"), toolStarted("t1"), toolFinished("t1", "a"));
  expect(closed(changes)).toMatchObject([{ kind: "tool", startedAtMs: 0, endedAtMs: 300, phase: "done" }]);
});

test("a picture that a tool brings stands below it, once, whichever way its result is told", () => {
  const content = [
    { type: "text", text: "taken" },
    { type: "image", mime_type: "image/png", data: "AAAA" },
  ];
  const finished = { ...toolFinished("c1", ""), output: { content } } as SessionEvent;
  const result = { role: "tool_result", tool_call_id: "c1", content } as const;
  const told = { type: "message.finished", sessionId, message: result } as unknown as SessionEvent;
  for (const inputs of [
    [toolStarted("c1"), finished, told],
    [toolStarted("c1"), told, finished],
  ]) {
    expect(closed(play(...inputs).changes)).toMatchObject([
      { kind: "tool", output: "taken" },
      { kind: "image", mimeType: "image/png", base64: "AAAA" },
    ]);
  }
});
