// The loop against a stand-in for both APIs: what the model says becomes events, tools run and answer, failures are told
// and tried again, and every prompt ends.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ModelApi } from "../../rigs/model-server/model-server.js";
import { type Agent, freshFolder, startWithModel } from "../rig.js";

const apis: ModelApi[] = ["openai", "anthropic"];

function resultsOf(agent: Agent): { name: string; text: string; isError: boolean }[] {
  return agent.events().flatMap((event) => {
    if (event.type !== "tool_execution_end") return [];
    const { tool: name, output, is_error: isError } = event;
    const content = output !== null && typeof output === "object" ? output.content : [];
    const [block] = Array.isArray(content) ? content : [];
    return [{ name, text: String(block?.text), isError }];
  });
}

/** Every call that the model made has exactly one answer in what it was sent, before anybody spoke again. */
function unansweredCalls(
  messages: readonly { role: string; content: unknown; tool_calls?: { id: string }[] }[],
): string[] {
  const open = new Set<string>();
  for (const message of messages) {
    for (const { id } of message.tool_calls ?? []) open.add(id);
    if (message.role === "tool") open.delete(String((message as { tool_call_id?: string }).tool_call_id));
    else if (message.role === "user" && open.size > 0) return [...open];
  }
  return [...open];
}

describe.each(apis)("with a model behind the API of %s", (api) => {
  test("a text streams, is framed by its events, and is counted", async () => {
    const { agent, model } = await startWithModel({ api });
    model.play({ think: "Hm.", text: "Hello there, **friend**.", usage: { input: 1000, output: 50, cacheRead: 200 } });
    const end = await agent.prompt("hi");
    expect(agent.types().filter((type) => type !== "message_delta")).toEqual([
      "agent_start",
      "message_start",
      "message_end",
      "turn_start",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(agent.said()).toEqual(["Hello there, **friend**."]);
    const deltas = agent.events().flatMap((event) => (event.type === "message_delta" ? [event] : []));
    expect(
      deltas
        .filter(({ kind }) => kind === "text")
        .map(({ delta }) => delta)
        .join(""),
    ).toBe("Hello there, **friend**.");
    expect(
      deltas
        .filter(({ kind }) => kind === "thinking")
        .map(({ delta }) => delta)
        .join(""),
    ).toBe("Hm.");
    expect(end.messages?.map(({ role }) => role)).toEqual(["user", "assistant"]);
    const cost = api === "anthropic" ? { cost: { total: expect.closeTo(0.003 + 0.00075 + 0.00006, 6) } } : {};
    expect(end).toMatchObject({ usage: { input: 1000, output: 50, cache_read: 200, ...cost } });
  });

  test("several tool calls of one message run, their answers go back in order, and the model goes on", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "a.txt"), "alpha\n");
    writeFileSync(join(folder, "b.txt"), "beta\n");
    const { agent, model } = await startWithModel({ api, folder });
    model.play(
      {
        text: "I look at both.",
        calls: [
          { name: "read", args: { path: "a.txt" } },
          { name: "read", args: { path: "b.txt" } },
          { name: "read", args: { path: "missing.txt" } },
        ],
      },
      { text: "One says alpha, the other beta." },
    );
    await agent.prompt("compare them");
    expect(agent.said()).toEqual(["I look at both.", "One says alpha, the other beta."]);
    expect(resultsOf(agent).filter(({ isError }) => !isError)).toHaveLength(2);
    const told = JSON.stringify(model.requests[1]?.body.messages);
    expect(told.indexOf("alpha")).toBeLessThan(told.indexOf("beta"));
    expect(told.indexOf("beta")).toBeLessThan(told.indexOf("missing.txt does not exist"));
    expect(agent.types().filter((type) => type === "turn_end")).toHaveLength(2);
  });

  test("401 says which variable to look at, and is not tried again", async () => {
    const { agent, model } = await startWithModel({ api });
    model.play({ status: 401, message: "invalid key" });
    await agent.prompt("hi");
    const variable = api === "anthropic" ? "ANTHROPIC_API_KEY" : "PALAVER_API_KEY";
    expect(JSON.stringify(agent.events().find(({ type }) => type === "error"))).toContain(
      `check the value of ${variable}`,
    );
    expect(model.requests).toHaveLength(1);
    expect(agent.types().at(-1)).toBe("agent_end");
  });

  test("429 waits as long as it is told, says so, and tries again", async () => {
    const { agent, model } = await startWithModel({ api });
    model.play({ status: 429, headers: { "retry-after": "7" } }, { text: "Here I am." });
    await agent.prompt("hi");
    expect(agent.clock.pauses).toEqual([7_000]);
    expect(agent.notices()).toEqual([
      expect.stringMatching(/limiting requests \(429\); trying again in 7\.0 s \(2 of 5\)/),
    ]);
    expect(agent.said()).toEqual(["Here I am."]);
  });

  test("a broken server is tried five times with growing pauses, then told", async () => {
    const { agent, model } = await startWithModel({ api });
    model.play(...Array.from({ length: 5 }, () => ({ status: 500 })));
    await agent.prompt("hi");
    expect(model.requests).toHaveLength(5);
    const rounded = agent.clock.pauses.map((ms) => Math.floor(Math.log2(ms / 1000)));
    expect(rounded).toEqual([0, 1, 2, 3]);
    expect(JSON.stringify(agent.events().filter(({ type }) => type === "error"))).toContain(
      "overloaded or broken (500)",
    );
  });

  test.each(["cut", "end"] as const)(
    "a stream that breaks off (%s) is told, and the answer comes again whole",
    async (ending) => {
      const { agent, model } = await startWithModel({ api });
      model.play({ text: "Half of a sen", ending }, { text: "The whole sentence." });
      const { messages = [] } = await agent.prompt("hi");
      expect(agent.said().at(-1)).toBe("The whole sentence.");
      expect(agent.notices()).toHaveLength(1);
      expect(JSON.stringify(messages)).not.toContain("Half of a sen");
      expect(unansweredCalls(model.requests[1]?.body.messages ?? [])).toEqual([]);
      expect(agent.types().filter((type) => type === "message_start")).toHaveLength(
        agent.types().filter((type) => type === "message_end").length,
      );
    },
  );

  test("an abort in the middle of the stream ends the prompt, hangs up, and the next prompt works", async () => {
    const { agent, model } = await startWithModel({ api });
    model.play({ text: "I begin and never", ending: "hang" }, { text: "Fine." });
    agent.send({ type: "prompt", text: "go" });
    await agent.event("message_delta");
    agent.send({ type: "abort" });
    const end = await agent.event("agent_end");
    await (await model.seen(1)).closed;
    expect(end.messages?.at(-1)).toMatchObject({ role: "assistant", stop_reason: "aborted" });
    await agent.prompt("again");
    expect(agent.said().at(-1)).toBe("Fine.");
    expect(agent.types()).not.toContain("error");
  });
});

test("an abort in the pause before another try ends the prompt at once", async () => {
  const { agent, model } = await startWithModel();
  agent.clock.holdPauses();
  model.play({ status: 503 });
  agent.send({ type: "prompt", text: "hi" });
  await agent.next("ui_notify");
  agent.send({ type: "abort" });
  await agent.event("agent_end");
  expect(model.requests).toHaveLength(1);
  expect(agent.types()).not.toContain("error");
});

test("an abort in the middle of a tool stops it, answers every call, and the conversation stays valid", async () => {
  const { agent, model } = await startWithModel();
  model.play(
    {
      calls: [
        { name: "bash", args: { command: "echo started; sleep 60; echo never" } },
        { name: "ls", args: {} },
      ],
    },
    { text: "All right." },
  );
  agent.send({ type: "prompt", text: "run it" });
  agent.answer(await agent.question(), { ok: true });
  await agent.event("tool_execution_update");
  agent.send({ type: "abort" });
  await agent.event("agent_end");
  expect(resultsOf(agent).map(({ isError }) => isError)).toEqual([true, true]);
  await agent.prompt("what happened?");
  const { messages } = model.requests[1]?.body ?? { messages: [] };
  expect(unansweredCalls(messages)).toEqual([]);
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(2);
});

test("an abort while the user is asked withdraws the question and runs nothing", async () => {
  const folder = freshFolder();
  const { agent, model } = await startWithModel({ folder });
  model.play({ calls: [{ name: "write", args: { path: "new.txt", content: "x" } }] }, { text: "Yes?" });
  agent.send({ type: "prompt", text: "write it" });
  const { id } = await agent.question();
  agent.send({ type: "abort" });
  await agent.event("agent_end");
  expect(agent.frames).toContainEqual({ type: "ui_cancel", id, reason: "aborted" });
  expect(existsSync(join(folder, "new.txt"))).toBe(false);
  await agent.prompt("and now?");
  expect(unansweredCalls(model.requests[1]?.body.messages ?? [])).toEqual([]);
});

test("calls that change something run one after the other, each seeing what the one before did", async () => {
  const folder = freshFolder();
  const { agent, model } = await startWithModel({
    folder,
    rules: ["write", "edit", "bash"].map((tool) => ({
      layer: "user" as const,
      rule: { decision: "allow" as const, tool, pattern: null },
    })),
  });
  model.play(
    {
      calls: [
        { name: "write", args: { path: "n.txt", content: "one\n" } },
        { name: "edit", args: { path: "n.txt", edits: [{ old_text: "one", new_text: "two" }] } },
        { name: "read", args: { path: "n.txt" } },
        { name: "bash", args: { command: "sed -i s/two/three/ n.txt" } },
      ],
    },
    { text: "Done." },
  );
  await agent.prompt("go");
  expect(readFileSync(join(folder, "n.txt"), "utf8")).toBe("three\n");
  expect(resultsOf(agent)[2]?.text).toContain("two");
});

test("a tool that does not exist and arguments that do not fit are told to the model", async () => {
  const { agent, model } = await startWithModel();
  model.play(
    {
      calls: [
        { name: "teleport", args: {} },
        { name: "read", args: { file: 3 } },
      ],
    },
    { text: "I see." },
  );
  await agent.prompt("go");
  const [unknown, wrong] = resultsOf(agent);
  expect(unknown?.text).toMatch(/There is no tool "teleport"\. There are: read, ls/);
  expect(wrong?.text).toMatch(/The arguments do not fit read:[\s\S]*path/);
  expect(agent.said().at(-1)).toBe("I see.");
});

test("a model that never stops calling tools is stopped after the bound", async () => {
  const { agent, model } = await startWithModel();
  agent.send({ type: "set_config", key: "max_turns", value: 3 });
  model.play(...Array.from({ length: 10 }, () => ({ calls: [{ name: "ls", args: {} }] })));
  await agent.prompt("loop");
  expect(model.requests).toHaveLength(3);
  expect(agent.notices()).toEqual([expect.stringContaining("stopped after 3 rounds")]);
});

test("an answer that reached the model's limit is said to be cut", async () => {
  const { agent, model } = await startWithModel();
  model.play({ text: "and so on and", finish: "length" });
  await agent.prompt("tell me everything");
  expect(agent.notices()).toEqual([expect.stringContaining("the answer was cut")]);
});

test("an answer of 200 KB costs bytes in proportion to its length, with deltas and without", async () => {
  const text = "All work and no play makes a dull answer. ".repeat(4_900);
  for (const supports_message_deltas of [true, false]) {
    const { agent, model } = await startWithModel({ capabilities: { supports_message_deltas } });
    model.play({ text, pieceChars: 80 });
    await agent.prompt("go on");
    expect(agent.said()).toEqual([text]);
    // The whole goes out at the end of message, turn and prompt; a delta has an envelope several times its size.
    expect(agent.bytes).toBeLessThan(text.length * 14);
    expect(agent.types().filter((type) => type === "message_update").length > 0).toBe(!supports_message_deltas);
  }
});
