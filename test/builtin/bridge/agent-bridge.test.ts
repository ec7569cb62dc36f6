// The embedded agent on the lines wire: every command has its answer, sessions live side by side, and whatever comes in,
// the agent goes on.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linesCommandSchemas } from "../../../src/contract/lines-commands.js";
import { linesOutputSchema } from "../../../src/contract/lines-outputs.js";
import { allCapabilities, freshFolder, startAgent, startWithModel } from "../rig.js";

describe("the bridge", () => {
  test("greets with the version, the folder, the model and its session", async () => {
    const folder = freshFolder();
    const agent = await startAgent({ folder });
    expect(agent.frames[0]).toMatchObject({
      type: "ready",
      protocol_version: "2",
      cwd: folder,
      model: { provider: "palaver", id: "offline" },
      ui: true,
      active_session_id: expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{8}$/),
    });
    expect(agent.frames[1]).toMatchObject({
      server_capabilities: { supports_message_deltas: true, supports_sessions: true },
    });
  });

  test("answers each of its commands, and every frame fits the schema", async () => {
    const agent = await startAgent();
    const answers: Partial<Record<(typeof linesCommandSchemas)[number]["shape"]["type"]["value"], string>> = {
      initialize: "initialized",
      prompt: "event",
      save: "save_result",
      stats: "stats",
      ping: "pong",
      debug: "debug",
      list_sessions: "sessions_list",
      list_running_sessions: "running_sessions",
      list_models: "models_list",
      start_session: "session_started",
      close_session: "session_closed",
      set_active_session: "error",
      get_config: "config_state",
      set_config: "config_state",
    };
    const wanted: Record<string, object> = {
      prompt: { text: "hello" },
      close_session: { session_id: "none" },
      set_active_session: { session_id: "none" },
      set_config: { key: "read_only", value: true },
    };
    const silent = ["abort", "reset", "ui_response", "quit"];
    const types = linesCommandSchemas.map(({ shape }) => shape.type.value);
    expect([...Object.keys(answers), ...silent].sort()).toEqual([...types].sort());
    for (const [type, answer] of Object.entries(answers)) {
      agent.send(JSON.stringify({ type, ...wanted[type] }));
      await agent.next(answer as "pong");
    }
    agent.send({ type: "abort" }, { type: "reset" }, { type: "ui_response", id: "none", result: 1 }, { type: "ping" });
    await agent.next("pong");
    for (const frame of agent.frames) expect(linesOutputSchema.safeParse(frame).error?.message).toBeUndefined();
  });

  test("keeps several sessions apart: folder, events, numbers and questions", async () => {
    const agent = await startAgent();
    const [ready] = agent.frames;
    const first = ready?.type === "ready" ? String(ready.active_session_id) : "";
    const folder = freshFolder();
    writeFileSync(join(folder, "only-here.txt"), "");
    agent.send({ type: "start_session", cwd: folder });
    const { session_id: second } = await agent.next("session_started");
    agent.send({ type: "prompt", text: "ask me something", session_id: first });
    const question = await agent.question();
    expect(question.session_id).toBe(first);
    agent.send({ type: "prompt", text: "what is in this folder?", session_id: second });
    await agent.next("event", ({ session_id, event }) => session_id === second && event.type === "agent_end");
    const ofSecond = agent.frames.flatMap((frame) =>
      frame.type === "event" && frame.session_id === second ? [frame] : [],
    );
    expect(JSON.stringify(ofSecond)).toContain("only-here.txt");
    expect(ofSecond.map(({ event_seq }) => event_seq)).toEqual(ofSecond.map((_, index) => index));
    agent.send({ type: "list_running_sessions" });
    expect((await agent.next("running_sessions")).sessions).toMatchObject([
      { session_id: first, is_streaming: true },
      { session_id: second, is_streaming: false, cwd: folder },
    ]);
    agent.send({ type: "abort", session_id: first });
    await agent.next("event", ({ session_id, event }) => session_id === first && event.type === "agent_end");
  });

  test("a session works under the rules of its own folder, also when the agent began elsewhere", async () => {
    const strict = freshFolder();
    writeFileSync(join(strict, "a.txt"), "old\n");
    const deny = { layer: "project" as const, rule: { decision: "deny" as const, tool: "write", pattern: null } };
    const agent = await startAgent({
      permissionsFor: async (folder) => ({ mode: "normal", rules: folder === strict ? [deny] : [] }),
    });
    agent.send({ type: "start_session", cwd: strict });
    const { session_id } = await agent.next("session_started");
    agent.send({ type: "prompt", text: 'create a.txt with "new"', session_id });
    const { output } = await agent.event("tool_execution_end");
    await agent.event("agent_end");
    expect(JSON.stringify(output)).toContain("the rules of this project deny write");
    expect(readFileSync(join(strict, "a.txt"), "utf8")).toBe("old\n");
    agent.send({ type: "prompt", text: 'create a.txt with "new"' });
    expect((await agent.question()).method).toBe("confirm");
  });

  test("a folder whose rules cannot be read is refused in words", async () => {
    const folder = freshFolder();
    const agent = await startAgent({
      async permissionsFor(asked) {
        if (asked === folder) throw new Error("that file: the rule is none");
        return { mode: "normal", rules: [] };
      },
    });
    agent.send({ type: "start_session", cwd: folder });
    expect((await agent.next("error")).message).toBe("that file: the rule is none");
  });

  test("commands without a session go to the active one, and to no one when it is closed", async () => {
    const agent = await startAgent();
    const [ready] = agent.frames;
    const first = ready?.type === "ready" ? String(ready.active_session_id) : "";
    agent.send({ type: "start_session" });
    const { session_id: second } = await agent.next("session_started");
    agent.send({ type: "set_active_session", session_id: second }, "just words");
    expect(await agent.next("active_session")).toMatchObject({ session_id: second });
    expect((await agent.next("event", ({ event }) => event.type === "agent_end")).session_id).toBe(second);
    agent.send({ type: "close_session", session_id: second });
    expect(await agent.next("session_closed")).toMatchObject({ session_id: second, reason: "normal" });
    expect(await agent.next("active_session")).toMatchObject({ session_id: null });
    agent.send("anybody there?");
    expect(await agent.next("error")).toMatchObject({ code: -32020, message: "no active session" });
    agent.send({ type: "prompt", text: "hello", session_id: first });
    await agent.event("agent_end");
    agent.send({ type: "close_session", session_id: first });
    await agent.next("session_closed");
    agent.send({ type: "start_session" });
    const order = [await agent.next("active_session"), await agent.next("session_started")];
    expect(order.map(({ type }) => type)).toEqual(["active_session", "session_started"]);
  });

  test("closing a session in the middle of a question withdraws it and ends the turn", async () => {
    const agent = await startAgent();
    agent.send("ask me something");
    const { id, session_id } = await agent.question();
    agent.send({ type: "close_session", session_id: session_id ?? "" });
    expect(await agent.next("ui_cancel")).toMatchObject({ id });
    await agent.event("agent_end");
    await agent.next("session_closed");
  });

  test("one prompt waits for the one at work, the next is refused, and stop means both", async () => {
    const agent = await startAgent();
    agent.send("ask me something", "hello", "hello again");
    expect(await agent.next("error")).toMatchObject({ code: -32022 });
    agent.send({ type: "abort" });
    await agent.event("agent_end");
    expect(agent.notices()).toEqual(["the queued prompt was dropped"]);
    agent.send("ask me something", "say hello");
    const asking = await agent.question();
    agent.send({ type: "ui_response", id: asking.id, result: null, error: null });
    for (let left = 7; left > 0; left -= 1) agent.answer(await agent.question(), null);
    await agent.event("agent_end");
    await agent.event("agent_end");
    expect(agent.said().at(-1)).toContain("Hello!");
  });

  test("settings are read and set, and an unknown one is refused by name", async () => {
    const { agent, model } = await startWithModel();
    agent.send({ type: "get_config" });
    expect((await agent.next("config_state")).config).toEqual({
      model: "compatible:stand-in",
      read_only: false,
      mode: "ask",
      max_turns: 100,
    });
    agent.send({ type: "set_config", key: "colour", value: "blue" });
    expect((await agent.next("error")).message).toMatch(/^unknown config key: colour\. Known keys: model, read_only/);
    agent.send({ type: "set_config", key: "read_only", value: "maybe" });
    expect((await agent.next("error")).message).toBe("read_only must be true or false");
    agent.send({ type: "set_config", key: "mode", value: "yolo" });
    expect((await agent.next("error")).message).toBe("mode must be ask or read-only");
    agent.send({ type: "set_config", key: "model", value: "ollama" });
    expect((await agent.next("error")).message).toMatch(/^ollama needs the name of a model/);
    agent.send({ type: "set_config", key: "model", value: "offline" });
    expect((await agent.next("config_state")).config.model).toBe("palaver:offline");
    await agent.prompt("hello");
    expect(model.requests).toEqual([]);
  });

  test("a model without its key asks for it, holds it in memory, and stays away without it", async () => {
    const secrets: string[] = [];
    const onSecret = (secret: string) => void secrets.push(secret);
    const { agent, model } = await startWithModel({ onSecret });
    const choose = async (value: { key: string } | null) => {
      agent.send({ type: "set_config", key: "model", value: "openai:gpt-5" });
      const { id, params } = await agent.next("ui_request");
      expect(params).toMatchObject({ title: "This model needs a key: OPENAI_API_KEY", fields: [{ kind: "secret" }] });
      agent.send({ type: "ui_response", id, result: value, error: null });
    };
    await choose(null);
    expect((await agent.next("error")).message).toBe("the model is unchanged: it needs OPENAI_API_KEY");
    agent.send({ type: "set_config", key: "model", value: "openai:gpt-5" });
    await agent.next("ui_request");
    agent.send({ type: "abort" });
    expect((await agent.next("error")).message).toBe("the model is unchanged: it needs OPENAI_API_KEY");
    await choose({ key: "sk-1234567890" });
    expect((await agent.next("config_state")).config.model).toBe("openai:gpt-5");
    expect([secrets, model.requests]).toEqual([["sk-1234567890"], []]);
    agent.send({ type: "set_config", key: "model", value: "openai:gpt-4o" });
    expect((await agent.next("config_state")).config.model).toBe("openai:gpt-4o");
  });

  test("a model that was named at the start asks for its key with the first prompt", async () => {
    const { agent, model } = await startWithModel({ api: "anthropic", environment: { ANTHROPIC_API_KEY: "" } });
    model.play({ text: "hello" });
    agent.send({ type: "prompt", text: "hi" });
    const question = await agent.question();
    expect(question.params).toMatchObject({ title: "This model needs a key: ANTHROPIC_API_KEY" });
    agent.answer(question, { key: "sk-1234567890" });
    await agent.event("agent_end");
    expect(agent.said()).toEqual(["hello"]);
    model.play({ text: "hello again" });
    await agent.prompt("again");
    expect(agent.frames.filter(({ type }) => type === "ui_request")).toHaveLength(1);
  });

  test("a configured model that cannot be used is told, and the session starts without one", async () => {
    const agent = await startAgent({ requested: { model: "offline" }, modelProblem: "invalid model: x" });
    expect(agent.notices()).toEqual(["invalid model: x\n/model chooses another"]);
  });

  test("tokens and cost are summed for each session by itself", async () => {
    const { agent, model } = await startWithModel({ api: "anthropic" });
    model.play(
      { text: "a", usage: { input: 1_000, output: 100 } },
      { text: "b", usage: { input: 2_000, output: 100 } },
    );
    await agent.prompt("one");
    await agent.prompt("two");
    agent.send({ type: "stats" });
    const { stats } = await agent.next("stats");
    expect(stats).toMatchObject({
      prompts: 2,
      turns: 2,
      input: 3_000,
      output: 200,
      model: "anthropic:claude-sonnet-4-5",
    });
    expect((stats as { cost: { total: number } }).cost.total).toBeCloseTo(0.012, 6);
    agent.send({ type: "start_session" });
    const { session_id } = await agent.next("session_started");
    agent.send({ type: "stats", session_id });
    expect((await agent.next("stats")).stats).toMatchObject({ prompts: 0 });
  });

  test("bad lines are one error each, and the agent goes on", async () => {
    const agent = await startAgent();
    agent.send(
      "{broken",
      '{"type":"prmpt"}',
      '{"type":"prompt"}',
      '{"type":"start_session","cwd":"/no/such/folder"}',
      "[1]",
    );
    const messages: string[] = [];
    for (let left = 5; left > 0; left -= 1) messages.push((await agent.next("error")).message);
    expect(messages).toEqual([
      expect.stringContaining("not valid JSON"),
      "unknown command: prmpt",
      expect.stringContaining("text"),
      "/no/such/folder is not a folder",
      expect.stringContaining("not a list"),
    ]);
    agent.send({ type: "ping" });
    await agent.next("pong");
  });

  test("a session begins with what the project says about itself", async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "AGENTS.md"), "Always use tabs.\n");
    const { agent, model } = await startWithModel({ folder });
    model.play({ text: "ok" });
    await agent.prompt("hi");
    expect(JSON.stringify(model.requests[0]?.body.messages[0])).toContain("Always use tabs.");
  });
});

describe("the end of an agent", () => {
  test("when the input ends, what was begun is finished as far as it needs no one", async () => {
    const agent = await startAgent();
    agent.send("what is in this folder?");
    agent.endInput();
    await agent.done;
    expect(agent.said().at(-1)).toContain("It is empty.");
    expect(agent.types().at(-1)).toBe("agent_end");
  });

  test("when the input ends in the middle of a question, it is taken as unanswered and the prompt ends", async () => {
    const agent = await startAgent();
    agent.send("run true");
    await agent.question();
    agent.endInput();
    await agent.done;
    expect(agent.types().at(-1)).toBe("agent_end");
    expect(agent.events().some((event) => event.type === "tool_execution_end" && event.is_error)).toBe(true);
  });

  test("when no one reads any more, it stops", async () => {
    const { agent, model } = await startWithModel({ capabilities: allCapabilities });
    model.play({ text: "to be", ending: "hang" });
    agent.send({ type: "prompt", text: "go" });
    await agent.event("message_delta");
    agent.output.destroy();
    await agent.done;
    await (await model.seen(1)).closed;
  });
});
