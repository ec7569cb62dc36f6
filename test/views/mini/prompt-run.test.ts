// One prompt from start to end with a scripted agent and a scripted view: what is printed where, what is asked, and how it
// ends. No process, no terminal, no clock.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import { HELD_UNITS_MAX } from "../../../src/session/prompt-mode.js";
import { askOf, assistant, nameQuestion, PromptRig, ScriptedView } from "./rig.js";

const bash = askOf({ kind: "confirm", params: { title: "npm test", opts: { tool: "bash" } } });

describe("what is printed", () => {
  test("the agent's words and nothing else on standard output, a blank line between messages", async () => {
    const rig = new PromptRig();
    rig.begin().say("I look.");
    rig.hear({ type: "tool.started", toolCallId: "t", name: "ls", args: { path: "src" } });
    rig.hear({ type: "tool.finished", toolCallId: "t", name: "ls", output: null, isError: false });
    rig.say("Done.").finish();
    expect(await rig.result).toMatchObject({ end: "done", text: "Done.", sessionId: "s1" });
    expect(rig.out).toBe("I look.\n\nDone.\n");
    expect(rig.err).toBe("● ls src\n");
    expect(rig.sent.map(({ type }) => type)).toEqual(["initialize", "prompt"]);
  });

  test("text that comes as deltas and whole is printed once, and thinking not at all", async () => {
    const rig = new PromptRig().begin();
    rig.hear(
      { type: "message.started", message: assistant("") },
      { type: "message.grew", index: 0, kind: "thinking", delta: "hm" },
      { type: "message.grew", index: 1, kind: "text", delta: "Hel" },
      { type: "message.grew", index: 1, kind: "text", delta: "lo" },
      { type: "message.finished", message: assistant("Hello") },
    );
    rig.finish();
    await rig.result;
    expect(rig.out).toBe("Hello\n");
  });

  test("a very long answer in very many deltas is printed in time proportional to its length", async () => {
    const rig = new PromptRig().begin();
    rig.hear({ type: "message.started", message: assistant("") });
    for (let count = 0; count < 100_000; count += 1) {
      rig.hear({ type: "message.grew", index: 0, kind: "text", delta: "some word\n" });
    }
    rig.finish();
    expect((await rig.result).text).toHaveLength(1_000_000);
    expect(rig.out).toHaveLength(1_000_000);
  });

  test("what was said before the prompt, when a session is played again, is not printed", async () => {
    const rig = new PromptRig();
    rig.hear({ type: "message.finished", message: assistant("long ago") });
    rig.begin().say("now").finish();
    await rig.result;
    expect(rig.out).toBe("now\n");
  });

  test("on one terminal for both, notices do not begin in the middle of a line", async () => {
    const rig = new PromptRig({ outputs: "one-terminal" }).begin();
    rig.hear({ type: "message.started", message: assistant("Wor") });
    rig.hear({ type: "notice.shown", level: "warn", message: "careful" });
    expect(rig.written.map(({ text }) => text).join("")).toBe("Wor\ncareful\n");
  });

  test.each([
    ["below the agent's words it begins on a line of its own", "spoken", "one-terminal", "text", "Which\n"],
    ["also when only the words go to the terminal", "spoken", "words-on-terminal", "text", "Which\n"],
    ["a screen of its own needs no line", "drawn", "one-terminal", "text", "Which"],
    ["a file gets nothing that the agent did not say", "spoken", "apart", "text", "Which"],
    ["nor does a terminal that is shown JSON", "spoken", "one-terminal", "json", ""],
  ] as const)("a question in the middle of a line: %s", (_, manner, outputs, output, out) => {
    const view = new ScriptedView(manner);
    const rig = new PromptRig({ outputs, output, openView: view.open }).begin().say("Which");
    rig.ask(askOf(nameQuestion));
    expect(view.asked).toHaveLength(1);
    expect(rig.out).toBe(out);
  });

  test("as JSON there is one object at the end, and every event with stream-json", async () => {
    const json = new PromptRig({ output: "json" });
    json.begin().say("four").finish();
    await json.result;
    expect(JSON.parse(json.out)).toMatchObject({
      type: "result",
      end: "done",
      text: "four",
      sessionId: "s1",
      asks: [],
    });

    const stream = new PromptRig({ output: "stream-json" });
    stream.begin().say("four").finish();
    await stream.result;
    const types = stream.out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual([
      "agent.readied",
      "prompt.started",
      "message.started",
      "message.finished",
      "prompt.finished",
      "result",
    ]);
  });

  test("control characters of any kind leave as escapes of JSON", async () => {
    const rig = new PromptRig({ output: "json" });
    rig.begin().say("a\x1b[2J\x9b2Jb").finish();
    await rig.result;
    expect(rig.out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(JSON.parse(rig.out)).toMatchObject({ text: "a\x1b[2J\x9b2Jb" });
  });
});

describe("a schema for the answer", () => {
  const schema = { type: "object", required: ["n"] };

  test("an answer that fits is all that is printed, without its fence", async () => {
    const rig = new PromptRig({ schema });
    rig.begin().say("I think.").say('```json\n{"n": 1}\n```').finish();
    expect(await rig.result).toMatchObject({ end: "done", value: { n: 1 } });
    expect(rig.out).toBe('{"n":1}\n');
  });

  test.each([
    ["no JSON", "the answer is not JSON"],
    ['{"m": 1}', 'the answer does not match the schema: "n" is missing'],
  ])("%s fails with words and prints nothing", async (text, words) => {
    const rig = new PromptRig({ schema });
    rig.begin().say(text).finish();
    expect(await rig.result).toMatchObject({ end: "failed", error: words });
    expect(rig.out).toBe("");
    expect(rig.err).toContain(words);
  });
});

describe("a question with a person there", () => {
  test("opens at once although the agent prints nothing, and its answer goes back", async () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open }).begin();
    rig.ask(askOf(nameQuestion, "name"));
    expect(rig.modes).toEqual(["mini-tui"]);
    view.answer("Ada");
    expect(rig.modes).toEqual(["mini-tui", "cli"]);
    expect(rig.responses).toEqual([{ id: "name", result: "Ada", error: null }]);
    expect(rig.audits).toMatchObject([{ askId: "name", outcome: { kind: "answered", by: "mini" } }]);
    rig.finish();
    expect((await rig.result).asks).toEqual([
      { asked: "input", title: "Name?", outcome: "answered", by: "person", value: "Ada" },
    ]);
  });

  test("what the agent says meanwhile comes afterwards, complete and in order", async () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open }).begin();
    rig.say("before").ask(askOf(nameQuestion));
    const shown = rig.written.length;
    rig.say("one").say("two");
    expect(rig.written).toHaveLength(shown);
    view.answer("x");
    rig.say("three").finish();
    await rig.result;
    expect(rig.out).toBe("before\n\none\n\ntwo\n\nthree\n");
  });

  test("an agent that floods behind the dialog is paused, and goes on afterwards", () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open }).begin();
    rig.ask(askOf(nameQuestion)).say("x".repeat(HELD_UNITS_MAX));
    expect(rig.flows).toEqual(["paused"]);
    view.answer("x");
    expect(rig.flows).toEqual(["paused", "flowing"]);
    expect(rig.out).toHaveLength(HELD_UNITS_MAX);
  });

  test("of a tool that does nothing but ask is told once; one that failed is told as well", () => {
    const asking: Ask["question"] = { kind: "input", params: { title: "Name?", opts: { tool_call_id: "c1" } } };
    const told = (isError: boolean) => {
      const view = new ScriptedView();
      const rig = new PromptRig({ openView: view.open, records: "words" }).begin().ask(askOf(asking));
      view.answer("Ada");
      rig.hear({ type: "tool.finished", toolCallId: "c1", name: "ask", output: "", isError });
      rig.hear({ type: "tool.finished", toolCallId: "c2", name: "ls", output: "", isError: false });
      return rig.err;
    };
    expect(told(false)).toBe("? Name?  Ada\n● ls\n");
    expect(told(true)).toBe("? Name?  Ada\n✕ ask\n● ls\n");
  });

  test("cancelling and an empty answer are told apart", () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open }).begin();
    rig.ask(askOf(nameQuestion, "a"));
    view.answer("");
    rig.ask(askOf(nameQuestion, "b"));
    view.cancel();
    expect(rig.responses).toEqual([
      { id: "a", result: "", error: null },
      { id: "b", result: null, error: null },
    ]);
  });

  test("a secret is in no record and in no line", async () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open, output: "stream-json" }).begin();
    rig.ask(askOf({ kind: "input", params: { title: "Token?", opts: { secret: true } } }));
    view.answer("hunter22");
    rig.finish();
    await rig.result;
    expect(rig.responses).toMatchObject([{ result: "hunter22" }]);
    expect(rig.out + rig.err).not.toContain("hunter22");
  });

  test("an agent that takes its question back closes the dialog", () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open }).begin();
    rig.ask(askOf(nameQuestion, "q7"));
    rig.hear({ type: "ask.withdrawn", askId: "q7", reason: "agent_cancelled" });
    expect(view.withdrawn).toEqual([view.asked[0]?.id]);
    expect(rig.responses).toEqual([]);
  });

  test("what was allowed beforehand is not asked, and leaves its record", () => {
    const view = new ScriptedView();
    const beforehand = { everything: "asked", tools: ["bash"], rules: [] } as const;
    const rig = new PromptRig({ openView: view.open, beforehand }).begin();
    rig.ask(bash);
    expect(view.asked).toEqual([]);
    expect(rig.responses).toMatchObject([{ result: true }]);
    expect(JSON.parse(rig.err)).toEqual({
      asked: "permission",
      title: "npm test",
      tool: "bash",
      outcome: "answered",
      by: "--allowed-tools",
      value: true,
    });
  });
});

describe("a question with no one there", () => {
  const dangerous = askOf({
    kind: "confirm",
    params: { title: "rm -rf /", opts: { tool: "bash", danger: "it deletes" } },
  });
  const beforehand = { everything: "asked", tools: ["bash"], rules: [] } as const;

  test("says why a tool that is allowed was not enough", async () => {
    const rig = new PromptRig({ beforehand }).begin().ask(dangerous);
    const error = "an answer was needed: rm -rf /; --allowed-tools does not cover what is dangerous (it deletes)";
    expect(await rig.result).toMatchObject({ end: "answer-needed", error });
    expect(JSON.parse(rig.err.split("\n")[0] ?? "")).toMatchObject({ outcome: "unanswered", danger: "it deletes" });
  });

  const noTool = askOf({ kind: "confirm", params: { title: "rm -rf /", opts: { danger: "it deletes" } } });
  test.each([
    ["a tool that was not named", dangerous, ["read"]],
    ["a question that approves no tool", noTool, ["bash"]],
  ])("does not speak of --allowed-tools for %s", async (_, ask, tools) => {
    const rig = new PromptRig({ beforehand: { ...beforehand, tools } }).begin().ask(ask);
    expect(await rig.result).toMatchObject({ error: "an answer was needed: rm -rf /" });
  });

  test("ends the run, keeps the session, and says how to go on", async () => {
    const rig = new PromptRig().begin();
    rig.ask(bash);
    expect(await rig.result).toMatchObject({ end: "answer-needed" });
    expect(rig.paused).toEqual([bash]);
    expect(rig.responses).toEqual([]);
    expect(JSON.parse(rig.err.split("\n")[0] ?? "")).toEqual({
      asked: "permission",
      title: "npm test",
      tool: "bash",
      outcome: "unanswered",
      allow: "--allowed-tools run",
      resume: "resume s1",
    });
  });

  test("is declined, with a record, when that is the policy", async () => {
    const rig = new PromptRig({ onAsk: "deny" }).begin();
    rig.ask(bash).ask(askOf(nameQuestion, "n")).finish();
    expect(await rig.result).toMatchObject({ end: "done" });
    expect(rig.responses).toMatchObject([{ result: false }, { result: null }]);
    expect(rig.err).toBe(
      '{"asked":"permission","title":"npm test","tool":"bash","outcome":"declined"}\n' +
        '{"asked":"input","title":"Name?","outcome":"declined"}\n',
    );
  });

  test("leaves a record of what answered it, and of whether the agent has the answer", async () => {
    const beforehand = {
      everything: "asked",
      tools: ["bash"],
      rules: [{ match: { title: "Name?" }, answer: "Ada" }],
    } as const;
    const waitingRoom = {
      leave: async () => ({ kind: "answered", value: "x", by: "web" }) as const,
      withdraw: () => undefined,
    };
    const rig = new PromptRig({ beforehand, onAsk: "wait", waitingRoom }).begin();
    rig.ask(bash).ask(askOf(nameQuestion, "q2"));
    rig.ask(askOf({ kind: "input", params: { title: "Else?" } }, "q3"));
    await expect.poll(() => rig.audits).toHaveLength(3);
    const denied = new PromptRig({ onAsk: "deny" }).begin().ask(bash);
    const failed = new PromptRig().begin().ask(bash);
    await failed.result;
    const records = [...rig.audits, ...denied.audits, ...failed.audits];
    expect(records.map(({ outcome, delivery }) => [outcome, delivery?.result])).toEqual([
      [{ kind: "answered", value: true, by: "--allowed-tools" }, "delivered"],
      [{ kind: "answered", value: "Ada", by: "answers[0]" }, "delivered"],
      [{ kind: "answered", value: "x", by: "web" }, "delivered"],
      [{ kind: "answered", value: false, by: "--on-ask deny" }, "delivered"],
      [{ kind: "withdrawn", reason: "shutdown" }, undefined],
    ]);
  });

  test("with nowhere to wait it fails with words instead of hanging", async () => {
    const rig = new PromptRig({ onAsk: "wait" }).begin();
    rig.ask(bash);
    expect(await rig.result).toMatchObject({ end: "answer-needed" });
    expect(rig.err).toContain("--on-ask wait needs a daemon where the question can be answered");
  });

  test("waits where somebody elsewhere can answer it", async () => {
    const left: string[] = [];
    const waitingRoom = {
      leave: async ({ question }: typeof bash) => {
        left.push(question.params.title);
        return { kind: "answered", value: true, by: "web" } as const;
      },
      withdraw: () => undefined,
    };
    const rig = new PromptRig({ onAsk: "wait", waitingRoom }).begin();
    rig.ask(bash);
    await expect.poll(() => rig.responses).toMatchObject([{ result: true }]);
    expect(left).toEqual(["npm test"]);
    expect(rig.err).toContain('"by":"web"');
  });

  test("a rule that does not fit is told, and the policy decides", () => {
    const rules = [{ match: {}, answer: 7 }];
    const rig = new PromptRig({ onAsk: "deny", beforehand: { everything: "asked", tools: [], rules } }).begin();
    rig.ask(bash);
    expect(rig.err).toMatch(/^▲ answers\[0\] does not fit: .*\n\{.*"declined"\}\n$/);
  });

  test("an answer of an earlier run answers the same question once", () => {
    const rig = new PromptRig({ onAsk: "deny", earlier: [{ ask: bash, answer: true, by: "--answer" }] }).begin();
    rig.ask(bash).ask({ ...bash, id: "q2" });
    expect(rig.responses).toMatchObject([{ result: true }, { result: false }]);
  });

  test("an answer of an earlier run does not approve another command under the same title", () => {
    const approval = (command: string) => {
      const params = { title: "npm test", opts: { tool: "bash", command } };
      return { ...bash, question: { kind: "confirm" as const, params } };
    };
    const rig = new PromptRig({
      onAsk: "deny",
      earlier: [{ ask: approval("npm test"), answer: true, by: "--answer" }],
    }).begin();
    rig.ask({ ...approval("npm test; rm -rf ."), id: "q1" }).ask({ ...approval("npm test"), id: "q2" });
    expect(rig.responses).toMatchObject([{ result: false }, { result: true }]);
  });
});

type Question = (typeof bash)["question"];

test.each<[string, Question, Question]>([
  [
    "a message",
    { kind: "confirm", params: { title: "Continue?", message: "Deletes tmp." } },
    { kind: "confirm", params: { title: "Continue?", message: "Deletes the database." } },
  ],
  [
    "a plan",
    { kind: "confirm", params: { title: "Start this plan?", message: "1 read", opts: { tool: "plan" } } },
    { kind: "confirm", params: { title: "Start this plan?", message: "1 delete", opts: { tool: "plan" } } },
  ],
  [
    "the rule of always",
    { kind: "confirm", params: { title: "npm test", opts: { command: "npm test", rule: "npm test" } } },
    { kind: "confirm", params: { title: "npm test", opts: { command: "npm test", rule: "everything" } } },
  ],
  [
    "an unknown option",
    { kind: "confirm", params: { title: "npm test", opts: { command: "npm test" } } },
    { kind: "confirm", params: { title: "npm test", opts: { command: "npm test", as_root: true } } },
  ],
])("an answer of an earlier run does not answer a question that differs in %s", (_, before, now) => {
  const earlier = [{ ask: { question: before }, answer: true, by: "--answer" }];
  const rig = new PromptRig({ onAsk: "deny", earlier }).begin();
  rig.ask({ ...bash, question: now }).ask({ ...bash, id: "q2", question: before });
  expect(rig.responses).toMatchObject([{ result: false }, { result: true }]);
});

describe("how it ends", () => {
  test("an agent that failed, that could not go on, or that refused the prompt has failed", async () => {
    const failed = new PromptRig();
    failed.begin().hear({ type: "agent.failed", message: "no key" }).finish();
    expect(await failed.result).toMatchObject({ end: "failed", error: "no key" });
    expect(failed.err).toBe("✕ no key\n");

    const died = new PromptRig();
    died.begin().gone(7, "out of luck\n");
    expect(await died.result).toMatchObject({ end: "failed", error: "the agent ended with code 7: out of luck" });

    const refused = new PromptRig();
    refused.hear({ type: "agent.readied", ui: true, protocolVersion: "1" });
    refused.hear({ type: "command.failed", message: "busy" });
    refused.clock.advance(3_000);
    expect(await refused.result).toMatchObject({ end: "failed", error: "busy" });
  });

  test("an agent that wants to be started again has failed: one prompt is sent once", async () => {
    const rig = new PromptRig().begin();
    rig.gone(75);
    expect(await rig.result).toMatchObject({ end: "failed", error: "the agent ended with code 75" });
    expect(rig.sent.filter(({ type }) => type === "prompt")).toHaveLength(1);
    expect(rig.starts).toBe(1);
  });

  test("an agent that knows no handshake refuses it, and answers the prompt all the same", async () => {
    const rig = new PromptRig();
    rig.hear({ type: "agent.readied", ui: true, protocolVersion: "1" });
    rig.hear({ type: "command.failed", message: "unknown command initialize" });
    rig.hear({ type: "prompt.started" });
    rig.say("Hello.");
    rig.clock.advance(60_000);
    rig.finish();
    expect(await rig.result).toMatchObject({ end: "done", text: "Hello." });
  });

  test("what a session that is gone on with tells again is not the answer", async () => {
    const rig = new PromptRig();
    rig.hear({ type: "agent.readied", ui: true, protocolVersion: "1" });
    rig.say("Said the last time.");
    rig.hear({ type: "prompt.started" });
    rig.say("Said now.");
    rig.finish();
    expect(await rig.result).toMatchObject({ end: "done", text: "Said now." });
  });

  test("silence for too long ends it, but not while the user thinks", async () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open, idleTimeoutMs: 1_000 }).begin();
    rig.clock.advance(900);
    rig.say("still here");
    rig.clock.advance(900);
    rig.ask(askOf(nameQuestion));
    rig.clock.advance(60_000);
    view.answer("x");
    rig.clock.advance(900);
    rig.say("and on");
    rig.clock.advance(1_000);
    expect(await rig.result).toMatchObject({ end: "timed-out", error: "silent for 1 s" });
    expect(rig.out).toBe("still here\n\nand on\n");
  });

  test("too long at all ends it, also while the user thinks", async () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open, timeoutMs: 5_000 }).begin();
    rig.ask(askOf(nameQuestion));
    rig.clock.advance(5_000);
    expect(await rig.result).toMatchObject({ end: "timed-out", error: "not done after 5 s" });
    expect(rig.modes).toEqual(["mini-tui", "cli"]);
  });

  test("Ctrl+C asks the agent to stop and waits for it; a second one is told", async () => {
    const rig = new PromptRig().begin();
    expect(rig.run.interrupt()).toBe("first");
    expect(rig.sent.at(-1)).toEqual({ type: "abort", session_id: "s1" });
    expect(rig.run.interrupt()).toBe("again");
    rig.say("stopped").finish();
    expect(await rig.result).toMatchObject({ end: "interrupted", text: "stopped" });
  });

  test("an agent that does not stop is not waited for without end", async () => {
    const rig = new PromptRig().begin();
    rig.run.interrupt();
    rig.clock.advance(10_000);
    expect(await rig.result).toMatchObject({ end: "interrupted" });
  });

  test("too many turns end it", async () => {
    const rig = new PromptRig({ turnsMax: 2 }).begin();
    rig.hear({ type: "turn.started" }, { type: "turn.started" }, { type: "turn.started" });
    expect(await rig.result).toMatchObject({ end: "failed", error: "stopped after 2 turns" });
  });

  test("nothing that is said while it ends is printed", async () => {
    const rig = new PromptRig().begin();
    rig.say("last").finish().say("too late");
    await rig.result;
    expect(rig.out).toBe("last\n");
  });
});
