// Around the transcript: prompts wait for their turn, fields come and go, and the agent's end is the end of its work.
import { describe, expect, test } from "vitest";
import {
  type FactsEffect,
  type FactsInput,
  type Queued,
  reduceFacts,
  type SessionFacts,
  startingFacts,
} from "../../src/session/session-facts.js";
import { availableCommands, readSlash } from "../../src/session/slash-command.js";

const sessionId = null;
const ready: FactsInput = { type: "agent.readied", sessionId, ui: true, protocolVersion: "1", model: "ollama:qwen" };
const started: FactsInput = { type: "prompt.started", sessionId };
const finished: FactsInput = { type: "prompt.finished", sessionId };
const submit = (text: string): FactsInput => ({ type: "prompt.submitted", text });

function play(...inputs: FactsInput[]): { state: SessionFacts; effects: FactsEffect[] } {
  let state = startingFacts;
  const effects: FactsEffect[] = [];
  inputs.forEach((input, index) => {
    const step = reduceFacts(state, input, index * 1_000);
    state = step.state;
    effects.push(...step.effects);
  });
  return { state, effects };
}

describe("prompts", () => {
  test("are sent at once when the agent is free, and wait in order when it is not", () => {
    const { state, effects } = play(
      submit("before it is ready"),
      ready,
      started,
      submit("two"),
      submit("three"),
      finished,
    );
    expect(effects).toEqual([
      { type: "send-prompt", text: "before it is ready" },
      { type: "send-prompt", text: "two" },
    ]);
    expect(state).toMatchObject({ phase: "working", queue: ["three"] });
  });

  test("that wait follow the end of the turn, and not an end that the exit of the agent made", () => {
    const cutOff: FactsInput = { type: "prompt.finished", sessionId, isCutOff: true };
    const queued = [ready, submit("one"), started, submit("two")];
    expect(play(...queued, finished).effects.at(-1)).toEqual({ type: "send-prompt", text: "two" });
    expect(play(...queued, cutOff)).toMatchObject({ state: { queue: ["two"] }, effects: [{ text: "one" }] });
  });

  test("that wait survive a restart of the agent, and can be forgotten", () => {
    const { state, effects } = play(
      ready,
      submit("one"),
      submit("two"),
      { type: "link.closed" },
      { type: "link.opened" },
      ready,
    );
    expect(effects.at(-1)).toEqual({ type: "send-prompt", text: "two" });
    expect(state.queue).toEqual([]);
    expect(play(ready, submit("one"), submit("two"), { type: "queue.removed", which: "all" }).state.queue).toEqual([]);
  });

  test("that wait go back to the composer one by one or all, the last one first, and can be removed", () => {
    const queued = [ready, submit("one"), submit("two"), submit("three"), submit("four")];
    const back = (which: Queued) => {
      const { state, effects } = play(...queued, { type: "queue.taken-back", which });
      return { queue: state.queue, back: effects.slice(1).map((effect) => "text" in effect && effect.text) };
    };
    expect(back("last")).toEqual({ queue: ["two", "three"], back: ["four"] });
    expect(back("all")).toEqual({ queue: [], back: ["four", "three", "two"] });
    expect(back({ text: "three" })).toEqual({ queue: ["two", "four"], back: ["three"] });
    expect(back({ text: "sent already" })).toEqual({ queue: ["two", "three", "four"], back: [] });
    const { state, effects } = play(...queued, { type: "queue.removed", which: { text: "two" } });
    expect([state.queue, effects.length]).toEqual([["three", "four"], 1]);
  });

  test("beyond a sane number are refused", () => {
    expect(play(...Array.from({ length: 500 }, (_, index) => submit(`${index}`))).state.queue).toHaveLength(200);
  });
});

test("work has a beginning and ends with the turn or with the agent", () => {
  expect(play(ready, submit("x"), started).state).toMatchObject({ phase: "working", workingSinceMs: 1_000 });
  expect(play(ready, submit("x"), started, finished).state).toMatchObject({ phase: "idle", workingSinceMs: null });
  expect(play(ready, submit("x"), started, { type: "link.closed" }).state).toMatchObject({
    phase: "ended",
    workingSinceMs: null,
  });
});

test("status fields and widgets come, change and go; the title is passed on, and a suggested text is kept", () => {
  const { state, effects } = play(
    { type: "status.changed", sessionId, key: "branch", text: "main" },
    { type: "status.changed", sessionId, key: "cost", text: "$1" },
    { type: "status.changed", sessionId, key: "branch", text: null },
    { type: "widget.changed", sessionId, key: "plan", lines: ["1 read"], placement: "below" },
    { type: "title.changed", sessionId, title: "parser" },
    { type: "editor-text.changed", sessionId, text: "draft" },
  );
  expect(state.status).toEqual([{ key: "cost", text: "$1" }]);
  expect(state.widgets).toEqual([{ key: "plan", lines: ["1 read"], placement: "below" }]);
  expect(effects).toEqual([{ type: "set-title", title: "parser" }]);
  expect(state.suggestion).toBe("draft");
});

test("the session's cost is the sum of its messages, and none when one of them has no price", () => {
  const said = (total_tokens: number, total?: number): FactsInput => ({
    type: "message.finished",
    sessionId,
    message: {
      role: "assistant",
      content: [],
      usage: { total_tokens, ...(total === undefined ? {} : { cost: { total } }) },
    },
  });
  expect(play(said(100, 0.25), said(50, 0.5)).state.usage).toMatchObject({ tokens: 150, cost: 0.75 });
  expect(play(said(100, 0.25), said(50)).state.usage).toMatchObject({ tokens: 150, cost: null });
  expect(play(said(100), said(50, 0.5)).state.usage).toMatchObject({ tokens: 150, cost: null });
});

test("what a prompt cost is added at its end, unless its messages or the agent's sum have said it", () => {
  const begun: FactsInput = { type: "prompt.started", sessionId };
  const usage = { input: 80, output: 20, cost: { total: 0.5 } };
  const ended: FactsInput = { type: "prompt.finished", sessionId, usage };
  const counted: FactsInput = {
    type: "message.finished",
    sessionId,
    message: { role: "assistant", content: [], usage },
  };
  const sum: FactsInput = { type: "usage.changed", sessionId, usage: { total_tokens: 700 } };
  expect(play(begun, ended).state.usage).toMatchObject({ tokens: 100, cost: 0.5 });
  expect(play(begun, ended, begun, ended).state.usage).toMatchObject({ tokens: 200, cost: 1 });
  expect(play(begun, counted, ended, begun, ended).state.usage).toMatchObject({ tokens: 200, cost: 1 });
  expect(play(begun, sum, ended).state.usage).toMatchObject({ tokens: 700 });
});

test("a model has one name, whichever report names it", () => {
  const options = [{ value: "fake/words", label: "Fake/Words" }];
  const settings: FactsInput = {
    type: "settings.changed",
    sessionId,
    settings: [{ key: "model", label: "Model", kind: "model", value: "fake/words", options }],
  };
  const answered = (model: string): FactsInput => ({
    type: "command.answered",
    sessionId,
    command: "config_state",
    answer: { config: { model } },
  });
  expect(play(ready, settings, answered("fake/words")).state.model).toBe("Fake/Words");
  expect(play(ready, answered("ollama:other")).state.model).toBe("ollama:other");
});

test("an agent on the lines wire says with its capabilities that it takes images", () => {
  const initialized = (supports_images: unknown): FactsInput => ({
    type: "command.answered",
    sessionId,
    command: "initialized",
    answer: { server_capabilities: { supports_images } },
  });
  expect(play(ready, initialized(true)).state.images).toBe(true);
  expect(play(ready, initialized("yes")).state.images).toBe(false);
});

test("an agent on the lines wire says with its capabilities which commands it has", () => {
  const initialized = (server_capabilities: object): FactsInput => ({
    type: "command.answered",
    sessionId,
    command: "initialized",
    answer: { server_capabilities },
  });
  const offered = (able: object) =>
    availableCommands(play(ready, initialized(able)).state)
      .map(({ name }) => name)
      .filter((name) => ["stats", "debug", "reset", "save", "new", "close"].includes(name));
  expect(offered({}).sort()).toEqual(["debug", "reset", "stats"]);
  expect(offered({ supports_stats: false, supports_debug: false, supports_reset: false })).toEqual([]);
  expect(offered({ supports_save: true, supports_sessions: true })).toHaveLength(6);
});

test("a stop that the agent refuses is none", () => {
  const started: FactsInput = { type: "prompt.started", sessionId };
  const refused: FactsInput = { type: "command.failed", sessionId, message: "unknown command: abort", code: -32601 };
  expect(play(ready, started, { type: "stop.asked" }).state.stoppingSinceMs).not.toBeNull();
  expect(play(ready, started, { type: "stop.asked" }, refused).state.stoppingSinceMs).toBeNull();
});

describe("a line that begins with a slash", () => {
  test.each<[string, object]>([
    ["/abort", { type: "command", command: { name: "abort" }, argument: "" }],
    ["/queue clear ", { type: "command", command: { name: "queue" }, argument: "clear" }],
    ["/qui", { type: "unknown", name: "qui", nearest: "quit" }],
    ["/exit", { type: "command", command: { name: "quit" } }],
    ["/cost", { type: "command", command: { name: "stats" } }],
    ["/xyzzy", { type: "unknown", name: "xyzzy", nearest: null }],
    ["/etc/hosts is broken", { type: "prompt" }],
    ["fix /abort", { type: "prompt" }],
  ])("%s", (text, expected) => {
    expect(readSlash(text)).toMatchObject(expected);
  });

  test("a name from elsewhere is the agent's if it has one", () => {
    expect(readSlash("/cost", ["cost"])).toEqual({ type: "prompt", text: "/cost" });
  });
});
