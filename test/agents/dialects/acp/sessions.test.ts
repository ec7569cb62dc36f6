// Greeting, signing in, sessions new and old, and what can be chosen about them.
import { describe, expect, test } from "vitest";
import { greeting, readyStage, SESSION, Stage } from "./stage.js";

const authRequired = { code: -32000, message: "Authentication required" };

describe("the greeting", () => {
  test("says version 1 and exactly what we can do", () => {
    expect(new Stage().params("initialize")).toEqual({
      protocolVersion: 1,
      clientInfo: { name: "palaver", title: "Palaver", version: "1.2.3" },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        auth: { terminal: true },
        elicitation: { form: {}, url: {} },
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        _meta: { terminal_output: true },
      },
    });
  });

  test("leads to a session in an absolute folder, and then the agent is ready", () => {
    const stage = readyStage({}, greeting, {
      models: { currentModelId: "m1", availableModels: [{ modelId: "m1", name: "One" }] },
    });
    expect(stage.params("session/new")).toEqual({ cwd: "/home/ada/parser", mcpServers: [] });
    expect(stage.of("agent.readied")).toMatchObject([{ sessionId: SESSION, model: "m1", protocolVersion: "acp 1" }]);
  });

  test("passes servers of tools on that the agent can reach", () => {
    const stdio = { name: "a", command: "a", args: [], env: [] };
    const http = { type: "http", name: "b", url: "http://localhost:1/mcp", headers: [] };
    const sse = { type: "sse", name: "c", url: "http://localhost:2/sse", headers: [] };
    expect(readyStage({ mcpServers: [stdio, http, sse] }).params("session/new")["mcpServers"]).toEqual([stdio, http]);
  });

  test.each([2, "2", 99])("ends in words when the agent speaks version %j", (protocolVersion) => {
    const stage = new Stage().replies("initialize", { ...greeting, protocolVersion });
    expect(stage.of("agent.failed")).toMatchObject([
      { message: expect.stringContaining(`version ${protocolVersion}`) },
    ]);
    expect(stage.effects.at(-1)).toEqual({ type: "hang-up" });
    expect(stage.methods()).toEqual(["initialize"]);
  });

  test("ends in words when there is no answer, and a late answer changes nothing", () => {
    const stage = new Stage().passes(30_000);
    expect(stage.of("agent.failed")).toMatchObject([{ message: expect.stringContaining("within 30 s") }]);
    expect(stage.effects.at(-1)).toEqual({ type: "hang-up" });
    stage.replies("initialize", greeting);
    expect(stage.methods()).toEqual(["initialize"]);
  });

  test("that was answered is not given up later", () => {
    expect(readyStage().passes(60_000).of("agent.failed")).toEqual([]);
  });

  test("ends in words when a session cannot be opened, or has no name", () => {
    const stage = new Stage().replies("initialize", greeting);
    stage.fails("session/new", { code: -32603, message: "Internal error", data: "disk full" });
    expect(stage.of("agent.failed")).toMatchObject([{ message: "disk full" }]);
    const nameless = new Stage().replies("initialize", greeting).replies("session/new", {});
    expect(nameless.of("agent.failed")).toHaveLength(1);
  });

  test("ends in words when the agent never opens the session, but waits while it says something", () => {
    const silent = new Stage().replies("initialize", greeting).passes(30_000);
    expect(silent.of("agent.failed")).toMatchObject([{ message: "no answer to session/new within 30 s" }]);
    const slow = new Stage().replies("initialize", greeting);
    slow.nowMs += 29_000;
    slow.says({ jsonrpc: "2.0", method: "_vendor/progress", params: {} });
    slow.nowMs -= 29_000;
    expect(slow.passes(30_000).of("agent.failed")).toEqual([]);
    expect(slow.passes(29_000).of("agent.failed")).toHaveLength(1);
  });
});

describe("signing in", () => {
  const authMethods = [
    { id: "web", name: "In the browser", description: "Opens a page" },
    { id: "login", type: "terminal", name: "Log in", args: ["login"], env: { HOME_OF_AGENT: "/h" } },
    { id: "key", type: "env_var", name: "A key", vars: [{ name: "AGENT_KEY" }] },
  ];

  function lockedStage(hasVariable: (name: string) => boolean = () => false): Stage {
    const stage = new Stage({ hasVariable }).replies("initialize", { ...greeting, authMethods });
    return stage.fails("session/new", authRequired);
  }

  test("is one question with the ways in words", () => {
    expect(lockedStage().ask().question).toMatchObject({
      kind: "select",
      params: {
        title: "Test Agent needs you to sign in",
        message: "Authentication required",
        options: [
          { value: "web", label: "In the browser", description: "Opens a page" },
          { value: "login", description: "in another terminal: HOME_OF_AGENT=/h agent --acp login" },
          { value: "key", description: "asks for AGENT_KEY and restarts the agent" },
        ],
      },
    });
  });

  test("by the agent itself is asked of it, and then the session is tried again", () => {
    const stage = lockedStage().answers("web");
    expect(stage.params("authenticate")).toEqual({ methodId: "web" });
    stage.replies("authenticate", {}).replies("session/new", { sessionId: SESSION });
    expect(stage.of("agent.readied")).toHaveLength(1);
  });

  test("that fails, or is not wanted, ends in words", () => {
    const failing = lockedStage().answers("web").fails("authenticate", { code: -32603, message: "expired" });
    expect(failing.of("agent.failed")).toMatchObject([{ message: "signing in failed: expired" }]);
    const unwilling = lockedStage().answers(null);
    expect(unwilling.of("agent.failed")).toMatchObject([{ message: expect.stringContaining("sign in") }]);
    expect(unwilling.effects.at(-1)).toEqual({ type: "hang-up" });
  });

  test("in a terminal waits until the user says that it is done", () => {
    const stage = lockedStage().answers("login");
    expect(stage.ask().question).toMatchObject({
      kind: "confirm",
      params: { message: "HOME_OF_AGENT=/h agent --acp login" },
    });
    stage.answers(true).replies("session/new", { sessionId: SESSION });
    expect(stage.of("agent.readied")).toHaveLength(1);
  });

  test("by a variable that is not set asks for it as a secret and starts the agent again with it", () => {
    const stage = lockedStage().answers("key");
    expect(stage.ask().question).toMatchObject({
      kind: "input",
      params: { title: "AGENT_KEY", opts: { secret: true } },
    });
    stage.answers("s3cret");
    const env = { AGENT_KEY: "s3cret" };
    expect(stage.effect("agent.restart")).toMatchObject({ env, methodId: "key", sessionId: null });
    expect(JSON.stringify(stage.events)).not.toContain("s3cret");
    expect(stage.methods()).not.toContain("authenticate");
  });

  test("by a variable that the user does not say, or that is set already, starts nothing again", () => {
    for (const nothing of [null, "  "]) {
      const silent = lockedStage().answers("key").answers(nothing);
      expect(silent.of("agent.failed")).toMatchObject([{ message: expect.stringContaining("set AGENT_KEY") }]);
      expect(() => silent.effect("agent.restart")).toThrow();
    }
    const set = lockedStage(() => true).answers("key");
    expect(set.params("authenticate")).toEqual({ methodId: "key" });
  });

  test("goes on by itself after the agent was started again, and asks again when it was not enough", () => {
    const startedAgain = { methodId: "key" };
    const stage = new Stage({ startedAgain }).replies("initialize", { ...greeting, authMethods });
    expect(stage.methods().slice(1)).toEqual(["authenticate"]);
    expect(stage.params("authenticate")).toEqual({ methodId: "key" });
    stage.fails("authenticate", { code: -32603, message: "no such method" }).fails("session/new", authRequired);
    expect(stage.ask().question).toMatchObject({ kind: "select" });
    stage.answers("key").answers("other");
    expect(stage.effect("agent.restart")).toMatchObject({ env: { AGENT_KEY: "other" } });
  });

  test("in the middle of a session resumes that session, and tells nothing of it twice", () => {
    const stage = readyStage({}, { ...greeting, authMethods })
      .prompt()
      .fails("session/prompt", authRequired)
      .answers("key")
      .answers("s3cret");
    expect(stage.effect("agent.restart")).toMatchObject({ sessionId: SESSION });
    const poor = { ...greeting, agentCapabilities: { loadSession: true } };
    const again = new Stage({ resume: SESSION, startedAgain: { methodId: "none" } }).replies("initialize", poor);
    again.text("told before").update({ sessionUpdate: "available_commands_update", availableCommands: [] });
    again.replies("session/load", {}).prompt().text("new").ends();
    expect(again.blocks().closed).toMatchObject([{ kind: "prose", text: "new" }]);
    expect(again.of("commands.changed")).toHaveLength(1);
    const rich = new Stage({ resume: SESSION, startedAgain: { methodId: "none" } }).replies("initialize", greeting);
    expect(rich.methods()).toEqual(["initialize", "session/resume"]);
  });

  test("with a key that the agent takes on the wire is a secret that goes along, or nothing for the key it has", () => {
    const keyed = [{ id: "api", name: "API key", _meta: { "api-key": { provider: "x" } } }];
    const locked = () =>
      new Stage().replies("initialize", { ...greeting, authMethods: keyed }).fails("session/new", authRequired);
    const stage = locked().answers("api");
    expect(stage.ask().question).toMatchObject({ kind: "input", params: { title: "API key", opts: { secret: true } } });
    stage.answers("s3cret");
    expect(stage.params("authenticate")).toEqual({ methodId: "api", _meta: { "api-key": "s3cret" } });
    expect(locked().answers("api").answers("").params("authenticate")).toEqual({ methodId: "api" });
    expect(locked().answers("api").answers(null).of("agent.failed")).toHaveLength(1);
  });

  test("without any way says so, and with one that never works gives up", () => {
    const stage = new Stage().replies("initialize", greeting).fails("session/new", authRequired);
    expect(stage.of("agent.failed")).toMatchObject([{ message: expect.stringContaining("does not say how") }]);
    const stubborn = lockedStage();
    for (let turn = 0; turn < 3; turn += 1)
      stubborn.answers("web").replies("authenticate", {}).fails("session/new", authRequired);
    expect(stubborn.of("agent.failed")).toHaveLength(1);
  });

  test("that a prompt asks for comes after its turn", () => {
    const stage = readyStage({}, { ...greeting, authMethods })
      .prompt()
      .fails("session/prompt", authRequired);
    expect(stage.of("prompt.finished")).toHaveLength(1);
    stage.answers("web").replies("authenticate", {});
    expect(stage.of("notice.shown")).toMatchObject([{ message: "signed in; send the prompt again" }]);
  });

  test("is taken back when the user stops it", () => {
    const stage = lockedStage().answers("web").wants({ type: "abort" });
    expect(stage.params("$/cancel_request")).toEqual({ requestId: stage.request("authenticate")["id"] });
  });
});

describe("an old session", () => {
  const said = (text: string) => ({ type: "text", text });

  test("is told as it was, with the user's words and without words for the model", () => {
    const stage = new Stage({ resume: "old" }).replies("initialize", greeting);
    expect(stage.params("session/load")).toMatchObject({ sessionId: "old", cwd: "/home/ada/parser" });
    const update = (sessionUpdate: string, more: object) => stage.update({ sessionUpdate, ...more }, "old");
    update("user_message_chunk", { content: said("fix ") });
    update("user_message_chunk", { content: said("it") });
    update("user_message_chunk", { content: said("<system-reminder>\nbe kind\n</system-reminder>") });
    update("agent_message_chunk", { content: said("Done.") });
    update("tool_call", { toolCallId: "t1", title: "ls", kind: "execute", status: "in_progress" });
    stage.replies("session/load", {});
    expect(stage.blocks()).toMatchObject({
      open: [],
      closed: [
        { kind: "prompt", text: "fix it" },
        { kind: "prose", text: "Done." },
        { kind: "tool", phase: "failed" },
      ],
    });
    expect(stage.of("agent.readied")).toMatchObject([{ sessionId: "old" }]);
  });

  test("whose agent tells it after the answer is open when nothing more of it comes, so that no prompt falls into it", () => {
    const gemini = { ...greeting, agentInfo: { name: "gemini-cli", title: "Gemini CLI" } };
    const stage = new Stage({ resume: "old" }).replies("initialize", gemini).replies("session/load", {});
    const update = (sessionUpdate: string, text: string) => stage.update({ sessionUpdate, content: said(text) }, "old");
    update("user_message_chunk", "fix it");
    stage.passes(150);
    update("user_message_chunk", "[Function Response: write_file]");
    update("agent_message_chunk", "Done.");
    expect(stage.of("agent.readied")).toEqual([]);
    stage.passes(150).passes(150);
    expect(stage.of("agent.readied")).toHaveLength(1);
    expect(stage.blocks()).toMatchObject({
      open: [],
      closed: [
        { kind: "prompt", text: "fix it" },
        { kind: "prose", text: "Done." },
      ],
    });
    expect(stage.of("prompt.started")).toEqual([]);
  });

  test("that goes on telling for ever is open all the same", () => {
    const gemini = { ...greeting, agentInfo: { name: "gemini-cli" } };
    const stage = new Stage({ resume: "old" }).replies("initialize", gemini).replies("session/load", {});
    for (let round = 0; round < 60; round += 1) {
      stage.update({ sessionUpdate: "agent_message_chunk", content: said("more ") }, "old").passes(150);
    }
    expect(stage.of("agent.readied")).toHaveLength(1);
  });

  test("that cannot be opened is replaced by a new one, in words", () => {
    const stage = new Stage({ resume: "old" }).replies("initialize", greeting);
    stage.fails("session/load", { code: -32002, message: "not found" });
    stage
      .replies("session/list", { sessions: [{ sessionId: "other" }] })
      .replies("session/new", { sessionId: SESSION });
    expect(stage.of("notice.shown")).toMatchObject([{ level: "warn", message: expect.stringContaining("not found") }]);
    expect(stage.of("agent.readied")).toHaveLength(1);
  });

  const listed = { sessions: [{ sessionId: "ses_1a" }, { sessionId: "ses_1b", updatedAt: "2026-11-16T09:00:00Z" }] };

  test("is found by the beginning of its id, and the newest when nothing is named", () => {
    const begun = new Stage({ resume: "ses_1a".slice(0, -1) }).replies("initialize", greeting);
    begun.fails("session/load", { code: -32002, message: "not found" }).replies("session/list", listed);
    expect(begun.replies("session/new", { sessionId: SESSION }).of("notice.shown")).toMatchObject([
      { message: expect.stringContaining('"ses_1" could be ses_1b or ses_1a') },
    ]);
    const one = new Stage({ resume: "ses_1a".slice(0, -1) }).replies("initialize", greeting);
    one.fails("session/load", { code: -32002, message: "not found" });
    one.replies("session/list", { sessions: listed.sessions.slice(1) });
    expect(one.params("session/load")["sessionId"]).toBe("ses_1b");
    const newest = new Stage({ resume: "" }).replies("initialize", greeting).replies("session/list", listed);
    expect(newest.params("session/load")["sessionId"]).toBe("ses_1b");
  });

  test("is resumed where it cannot be told, and refused where it can be neither", () => {
    const capabilities = { sessionCapabilities: { resume: {} } };
    const stage = readyStage({}, { ...greeting, agentCapabilities: capabilities });
    stage.wants({ type: "start_session", session_file: "old" });
    expect(stage.params("session/resume")).toMatchObject({ sessionId: "old" });
    const poor = readyStage({}, { ...greeting, agentCapabilities: {} }).wants({
      type: "set_active_session",
      session_id: "old",
    });
    expect(poor.of("command.failed")).toHaveLength(1);
  });

  test("that is told twice brings calls with names of their own", () => {
    const stage = readyStage();
    for (const time of [1, 2]) {
      stage.wants({ type: "start_session", session_file: "old" });
      stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "ls", status: "completed" }, "old");
      stage.replies("session/load", {});
      expect(stage.of("tool.finished")).toHaveLength(time);
    }
    expect(new Set(stage.of("tool.finished").map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });
});

describe("sessions", () => {
  test("are listed over all pages", () => {
    const stage = readyStage().wants({ type: "list_sessions" });
    stage.replies("session/list", {
      sessions: [{ sessionId: "a", cwd: "/x", title: "A", updatedAt: "2026-01-01" }],
      nextCursor: "2",
    });
    expect(stage.params("session/list")).toMatchObject({ cursor: "2" });
    stage.replies("session/list", { sessions: [{ sessionId: "b" }] });
    const sessions = [{ id: "a", cwd: "/x", timestamp: "2026-01-01", title: "A" }, { id: "b" }];
    expect(stage.of("command.answered")).toMatchObject([{ command: "sessions_list", answer: { sessions } }]);
  });

  test("of another folder are not opened here, whatever the agent lists", () => {
    const stage = readyStage().wants({ type: "list_sessions" });
    const sessions = [
      { sessionId: "a", cwd: "/" },
      { sessionId: "b", cwd: "/home/ada/parser/" },
    ];
    stage.replies("session/list", { sessions }).wants({ type: "start_session", session_file: "a" });
    expect(stage.of("command.failed").at(-1)?.message).toContain("belongs to another folder; start palaver there: /");
    expect(stage.methods()).not.toContain("session/load");
    stage.wants({ type: "start_session", session_file: "b" });
    expect(stage.params("session/load")).toMatchObject({ sessionId: "b", cwd: "/home/ada/parser" });
  });

  test("do not take the place of one that is open", () => {
    const stage = readyStage().wants({ type: "start_session" }).replies("session/new", { sessionId: SESSION });
    expect(stage.of("command.failed").at(-1)?.message).toContain("the id of an open one");
  });

  test("are opened, chosen and closed, and commands without a name go to the chosen one", () => {
    const stage = readyStage().wants({ type: "start_session", cwd: "/elsewhere" });
    expect(stage.params("session/new")["cwd"]).toBe("/elsewhere");
    stage.wants({ type: "start_session", cwd: "packages/core" });
    expect(stage.params("session/new")["cwd"]).toBe("/home/ada/parser/packages/core");
    stage.replies("session/new", { sessionId: "s2" }).wants({ type: "set_active_session", session_id: "s2" }).prompt();
    expect(stage.params("session/prompt")["sessionId"]).toBe("s2");
    stage.wants({ type: "list_running_sessions" });
    expect(stage.of("command.answered").at(-1)?.answer).toMatchObject({
      sessions: [
        { session_id: SESSION, is_streaming: false },
        { session_id: "s2", is_streaming: true },
      ],
    });
    stage.wants({ type: "close_session", session_id: "s2" }).replies("session/close", {});
    expect(stage.of("session.closed")).toMatchObject([{ sessionId: "s2", reason: "normal" }]);
    expect(stage.of("prompt.finished")).toHaveLength(1);
  });

  test("are reset by a new one in the same folder", () => {
    const stage = readyStage().wants({ type: "reset" }).replies("session/new", { sessionId: "s2" });
    expect(stage.of("session.activated")).toMatchObject([{ sessionId: "s2" }]);
    expect(stage.params("session/close")).toEqual({ sessionId: SESSION });
    expect(stage.of("session.cleared")).toMatchObject([{ sessionId: SESSION, replacedBy: "s2" }]);
  });

  test("are not reset while the agent works: a queued message would go to the old one", () => {
    const stage = readyStage().wants({ type: "prompt", text: "go" }).wants({ type: "reset" });
    expect(stage.of("command.failed")).toMatchObject([
      { message: "the agent is working; stop it before you clear the conversation" },
    ]);
    expect(stage.of("session.cleared")).toEqual([]);
  });

  test("that are not there are refused by name", () => {
    const stage = readyStage().wants({ type: "close_session", session_id: "none" });
    expect(stage.of("command.failed")).toMatchObject([{ code: -32021, message: "there is no session none" }]);
  });
});

describe("settings", () => {
  const select = {
    id: "model",
    name: "Model",
    category: "model",
    type: "select",
    currentValue: "a",
    options: [
      { group: "g", name: "G", options: [{ value: "a", name: "A" }] },
      { value: "b", name: "B", description: "bigger" },
    ],
  };
  const flag = { id: "web", name: "Web search", type: "boolean", currentValue: false };

  test("are one list of options, modes and models, each changed by the call that it has", () => {
    const stage = readyStage({}, greeting, { configOptions: [select, flag] });
    expect(stage.of("settings.changed")).toMatchObject([
      {
        settings: [
          {
            key: "model",
            kind: "model",
            value: "a",
            options: [
              { value: "a", label: "A" },
              { value: "b", description: "bigger" },
            ],
          },
          { key: "web", kind: "other", value: "false", options: [{ value: "true", label: "on" }, { value: "false" }] },
        ],
      },
    ]);
    stage.wants({ type: "set_config", key: "web", value: true });
    const change = { sessionId: SESSION, configId: "web", type: "boolean", value: true };
    expect(stage.params("session/set_config_option")).toEqual(change);
    stage.replies("session/set_config_option", { configOptions: [select, { ...flag, currentValue: true }] });
    expect(stage.of("command.answered")).toMatchObject([
      { command: "config_state", answer: { config: { model: "a", web: "true" } } },
    ]);
  });

  test("change the model of agents that have only the older call", () => {
    const models = { currentModelId: "auto", availableModels: [{ modelId: "auto" }, { modelId: "pro", name: "Pro" }] };
    const stage = readyStage({}, greeting, { models }).wants({ type: "list_models" });
    expect(stage.of("command.answered")).toMatchObject([
      { answer: { providers: [{ models: [{ id: "auto" }, { id: "pro", name: "Pro" }] }] } },
    ]);
    stage.wants({ type: "set_config", key: "model", value: "pro" });
    expect(stage.params("session/set_model")).toEqual({ sessionId: SESSION, modelId: "pro" });
    stage.replies("session/set_model", {});
    expect(stage.of("settings.changed").at(-1)?.settings).toMatchObject([{ value: "pro" }]);
  });

  test("that are not there, or cannot be that, are refused by name", () => {
    const stage = readyStage({}, greeting, { configOptions: [select] });
    stage
      .wants({ type: "set_config", key: "colour", value: "red" })
      .wants({ type: "set_config", key: "model", value: "c" });
    expect(stage.of("command.failed").map(({ message }) => message)).toEqual([
      "there is no setting colour",
      "model must be one of a, b, not c",
    ]);
    stage
      .wants({ type: "set_config", key: "model", value: "b" })
      .fails("session/set_config_option", { code: -32603, message: "busy" });
    expect(stage.of("command.failed").at(-1)).toMatchObject({ message: "model could not be changed: busy" });
  });

  test("that the agent changes are told", () => {
    const stage = readyStage({}, greeting, { configOptions: [select] });
    stage.update({ sessionUpdate: "config_option_update", configOptions: [{ ...select, currentValue: "b" }] });
    expect(stage.of("settings.changed").at(-1)?.settings).toMatchObject([{ value: "b" }]);
  });

  test("one bad part of a session's answer does not cost the session", () => {
    const stage = readyStage({}, greeting, { modes: { currentModeId: 7 }, configOptions: [{ nothing: true }, flag] });
    expect(stage.of("agent.readied")).toHaveLength(1);
    expect(stage.of("settings.changed").at(-1)?.settings).toMatchObject([{ key: "web" }]);
  });
});

describe("other commands", () => {
  test("are answered from what is known, or refused in words", () => {
    const stage = readyStage();
    stage.update({ sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.5, currency: "USD" } });
    stage.prompt().ends();
    for (const type of ["initialize", "ping", "stats", "get_config", "debug"] as const) stage.wants({ type });
    expect(stage.of("command.answered").map(({ command }) => command)).toEqual([
      "initialized",
      "pong",
      "stats",
      "config_state",
      "debug",
    ]);
    expect(stage.of("command.answered")[2]?.answer).toEqual({
      stats: { turns: 1, context_used: 10, context_size: 100, cost: 0.5 },
    });
    stage.wants({ type: "save" });
    expect(stage.of("command.failed")).toMatchObject([{ message: "Test Agent manages its own sessions" }]);
    stage.wants({ type: "quit" });
    expect(stage.effects.at(-1)).toEqual({ type: "hang-up" });
  });
});
