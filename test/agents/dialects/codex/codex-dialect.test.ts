// codex's app-server in Palaver's own words: the handshake, threads, turns and their ends, items, settings and news.
import { describe, expect, test } from "vitest";
import { createCodexDialect, wire } from "../../../../src/agents/dialects/codex/codex-dialect.js";
import { verifies } from "../../../verifies.js";
import { DialectTalk } from "../dialect-talk.js";
import {
  answer,
  callOf,
  completed,
  ended,
  FOLDER,
  greeted,
  notice,
  refuse,
  request,
  running,
  started,
  talk,
  thread,
} from "./codex-frames.js";

describe("the handshake", () => {
  test("greets, confirms, opens a thread in the folder, and is ready with its name and model", () => {
    const talking = new DialectTalk(createCodexDialect({ clientVersion: "1.2.3", workspace: FOLDER }));
    expect(talking.lastSent).toEqual({
      id: "palaver-1",
      method: "initialize",
      params: { clientInfo: { name: "palaver", title: "Palaver", version: "1.2.3" }, capabilities: null },
    });
    answer(talking, "initialize", { codexHome: "/home/ada/.codex" });
    expect(talking.sent.slice(1).map(({ method }) => method)).toEqual(["initialized", "model/list", "thread/start"]);
    expect(talking.lastSent).toMatchObject({ params: { cwd: FOLDER } });
    expect(answer(talking, "thread/start", thread("t1"))).toMatchObject([
      { type: "agent.readied", sessionId: "t1", model: "m1" },
      { type: "session.started", cwd: FOLDER },
      { type: "session.activated" },
      { type: "settings.changed", settings: [{ key: "model", value: "m1" }] },
    ]);
  });

  test("one that was greeted before goes on; a refusal, a thread that does not open and silence end it", () => {
    const before = new DialectTalk(createCodexDialect());
    refuse(before, "initialize", "Already initialized");
    expect(before.lastSent).toMatchObject({ method: "thread/start", params: {} });
    const refused = new DialectTalk(createCodexDialect());
    expect(refuse(refused, "initialize", "too old")).toMatchObject([
      { type: "agent.failed", message: "codex refused the handshake: too old" },
    ]);
    const closed = greeted();
    expect(refuse(closed, "thread/start", "bad config")).toMatchObject([{ type: "agent.failed" }]);
    expect(closed.effects).toContainEqual({ type: "hang-up" });
    expect(greeted().waited("ready")).toMatchObject([{ type: "agent.failed" }]);
    expect(talk().waited("ready")).toEqual([]);
  });

  test("servers of tools go along with the thread, and our own needs no permission", () => {
    const mcpServers = [
      { name: "files", command: "files", args: ["-x"], env: [{ name: "A", value: "1" }] },
      {
        type: "http",
        name: "palaver",
        url: "http://127.0.0.1:1/mcp",
        headers: [{ name: "authorization", value: "b" }],
      },
    ];
    const seconds = { tool_timeout_sec: 86_400 };
    expect(callOf(greeted({ mcpServers }), "thread/start")).toMatchObject({
      params: {
        config: {
          mcp_servers: {
            files: { command: "files", args: ["-x"], env: { A: "1" }, ...seconds },
            palaver: {
              url: "http://127.0.0.1:1/mcp",
              http_headers: { authorization: "b" },
              default_tools_approval_mode: "approve",
              ...seconds,
            },
          },
        },
      },
    });
  });

  test("the program is asked for its app-server unless it is already", () => {
    expect(wire.args(["-c", "a=1"], {})).toEqual(["-c", "a=1", "app-server"]);
    expect(wire.args(["app-server", "-c", "a=1"], {})).toEqual(["app-server", "-c", "a=1"]);
  });
});

describe("a thread", () => {
  test("that is resumed shows what was said and done in it, oldest first, and then takes prompts", () => {
    const talking = greeted({ resume: "t7" });
    expect(talking.lastSent).toMatchObject({ method: "thread/read", params: { threadId: "t7" } });
    answer(talking, "thread/read", thread("t7"));
    expect(talking.lastSent).toMatchObject({ method: "thread/resume", params: { threadId: "t7", excludeTurns: true } });
    answer(talking, "thread/resume", thread("t7"));
    const turnOf = (id: string, text: string) => ({
      id,
      items: [
        { type: "userMessage", id: `p${id}`, content: [{ type: "text", text }] },
        { type: "commandExecution", id: `c${id}`, command: "ls", status: "completed", aggregatedOutput: "a.ts\n" },
        { type: "agentMessage", id: `m${id}`, text: `${text}!` },
      ],
    });
    answer(talking, "thread/turns/list", { data: [turnOf("2", "then"), turnOf("1", "first")] });
    expect(talking.types().slice(0, 2)).toEqual(["agent.readied", "session.started"]);
    expect(talking.blocks).toMatchObject([
      { kind: "prompt", text: "first" },
      { kind: "tool", name: "run", output: "a.ts\n", phase: "done" },
      { kind: "prose", text: "first!" },
      { kind: "prompt", text: "then" },
      { kind: "tool" },
      { kind: "prose", text: "then!" },
    ]);
    talking.say({ type: "prompt", text: "more" });
    expect(talking.lastSent).toMatchObject({ method: "turn/start", params: { threadId: "t7" } });
  });

  test("of another folder or one that is not there is refused in words", () => {
    const elsewhere = greeted({ resume: "t7" });
    answer(elsewhere, "thread/read", { thread: { id: "t7", cwd: "/home/ada/other" } });
    expect(elsewhere.events.at(-1)).toMatchObject({
      type: "agent.failed",
      message: expect.stringContaining("start palaver there: /home/ada/other"),
    });
    expect(callOf(elsewhere, "thread/resume")).toEqual({});
    const gone = greeted({ resume: "t8" });
    refuse(gone, "thread/read", "no such thread");
    expect(gone.events.at(-1)).toMatchObject({
      type: "agent.failed",
      message: expect.stringContaining("no such thread"),
    });
  });

  test("can be listed and changed, but not in the middle of a turn", () => {
    const talking = running();
    expect(talking.say({ type: "reset" })).toMatchObject([{ type: "command.failed" }]);
    talking.hear(ended("completed"));
    talking.say({ type: "list_sessions" });
    expect(talking.lastSent).toMatchObject({ method: "thread/list", params: { cwd: FOLDER } });
    answer(talking, "thread/list", { data: [{ id: "t0", cwd: FOLDER, preview: "hello", updatedAt: 2 }] });
    expect(talking.events.at(-1)).toMatchObject({
      answer: { sessions: [{ id: "t0", cwd: FOLDER, title: "hello", timestamp: 2_000 }], error: null },
    });
    talking.say({ type: "start_session", session_file: "t0" });
    refuse(talking, "thread/read", "broken file");
    expect(talking.events.at(-1)).toMatchObject({ type: "command.failed", sessionId: "t1" });
    talking.say({ type: "reset" });
    answer(talking, "thread/start", thread("t2"));
    expect(talking.events.filter(({ type }) => type === "agent.readied")).toHaveLength(1);
    expect(talking.events.at(-1)).toMatchObject({ sessionId: "t2" });
    expect(talking.events).toContainEqual({ type: "session.cleared", sessionId: "t1", replacedBy: "t2" });
  });

  test("of a sub-agent is not shown", () => {
    const talking = running();
    const item = { type: "agentMessage", id: "x", text: "from below" };
    expect(talking.hear({ method: "item/completed", params: { threadId: "t9", item } })).toEqual([]);
  });
});

describe("a turn", () => {
  test("streams thoughts and words and shows each once, with commands and changes between them", () => {
    const talking = running();
    const patch = { path: `${FOLDER}/a.ts`, kind: { type: "update", move_path: null }, diff: "@@ -1 +1 @@\n-a\n+b\n" };
    talking.hear(
      completed("userMessage", { id: "p", content: [{ type: "text", text: "go" }] }),
      started("reasoning", { id: "r", summary: [], content: [] }),
      notice("item/reasoning/summaryTextDelta", { itemId: "r", delta: "Hm", summaryIndex: 0 }),
      notice("item/reasoning/summaryTextDelta", { itemId: "r", delta: ".", summaryIndex: 0 }),
      completed("reasoning", { id: "r", summary: ["Hm."], content: [] }),
      started("commandExecution", { id: "c", command: "/bin/bash -lc 'echo hi'", status: "inProgress" }),
      notice("item/commandExecution/outputDelta", { itemId: "c", delta: "hi\n" }),
    );
    expect(talking.events.at(-1)).toMatchObject({ type: "tool.updated", toolCallId: "c", output: "hi\n" });
    talking.hear(
      completed("commandExecution", { id: "c", command: "/bin/bash -lc 'echo hi'", status: "failed", exitCode: 3 }),
      started("fileChange", { id: "f", changes: [patch], status: "inProgress" }),
      completed("fileChange", { id: "f", changes: [patch], status: "completed" }),
      started("agentMessage", { id: "m", text: "" }),
      notice("item/agentMessage/delta", { itemId: "m", delta: "Do" }),
      notice("item/agentMessage/delta", { itemId: "m", delta: "ne." }),
      completed("agentMessage", { id: "m", text: "Done." }),
      ended("completed"),
    );
    expect(talking.blocks).toMatchObject([
      { kind: "prompt", text: "go" },
      { kind: "thinking", text: "Hm." },
      { kind: "tool", name: "run", args: { command: "echo hi" }, output: "exit code 3", phase: "failed" },
      { kind: "tool", name: "edit", phase: "done" },
      { kind: "prose", text: "Done." },
    ]);
    expect(talking.events).toContainEqual(
      expect.objectContaining({
        type: "tool.finished",
        toolCallId: "f",
        changes: [{ path: `${FOLDER}/a.ts`, oldText: "a\n", newText: "b\n" }],
      }),
    );
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });

  test("two messages at once are both shown whole, one after the other", () => {
    const talking = running();
    talking.hear(
      notice("item/agentMessage/delta", { itemId: "a", delta: "first " }),
      notice("item/agentMessage/delta", { itemId: "b", delta: "sec" }),
      completed("agentMessage", { id: "b", text: "second" }),
      notice("item/agentMessage/delta", { itemId: "a", delta: "one" }),
      completed("agentMessage", { id: "a", text: "first one" }),
    );
    expect(talking.blocks).toMatchObject([{ text: "first one" }, { text: "second" }]);
  });

  test.each<[string, object, object]>([
    [
      "mcpToolCall",
      { server: "s", tool: "find", arguments: { q: 1 }, result: { content: [{ type: "text", text: "found" }] } },
      { name: "s/find", args: { q: 1 }, output: "found" },
    ],
    [
      "mcpToolCall",
      { server: "s", tool: "find", status: "failed", error: { message: "no" } },
      { phase: "failed", output: "no" },
    ],
    [
      "dynamicToolCall",
      { tool: "dyn", contentItems: [{ type: "inputText", text: "ok" }] },
      { name: "dyn", output: "ok" },
    ],
    ["webSearch", { query: "zebras" }, { name: "search", args: { query: "zebras" } }],
    ["imageView", { path: "/a.png" }, { name: "view", args: { path: "/a.png" } }],
    ["imageGeneration", { savedPath: "/b.png" }, { name: "draw", output: "/b.png" }],
    ["collabAgentToolCall", { tool: "spawnAgent", prompt: "look" }, { name: "spawnAgent", args: { prompt: "look" } }],
    ["commandExecution", { command: "ls", status: "declined" }, { name: "run", phase: "failed" }],
  ])("an item of the type %s is a tool call, also without its start", (type, item, block) => {
    const talking = running();
    talking.hear(completed(type, { id: "i", ...item }));
    expect(talking.blocks).toMatchObject([{ kind: "tool", phase: "done", ...block }]);
  });

  test("a plan, tokens of the turn and of the thread, and a summary to make room are told", () => {
    const counted = (totalTokens: number, inputTokens: number, cachedInputTokens: number, outputTokens: number) => ({
      ...{ totalTokens, inputTokens, cachedInputTokens, outputTokens },
      cacheWriteInputTokens: 0,
    });
    const tokenUsage = { total: counted(30, 20, 8, 10), last: counted(15, 10, 4, 5), modelContextWindow: 100 };
    const talking = running();
    talking.hear(
      notice("turn/plan/updated", {
        plan: [
          { step: "a", status: "inProgress" },
          { step: "b", status: "odd" },
        ],
      }),
      notice("thread/tokenUsage/updated", { tokenUsage }),
      started("contextCompaction", { id: "k" }),
      completed("contextCompaction", { id: "k" }),
      ended("completed"),
    );
    expect(talking.events).toContainEqual({
      type: "plan.changed",
      sessionId: "t1",
      entries: [
        { text: "a", status: "in_progress" },
        { text: "b", status: "pending" },
      ],
    });
    expect(talking.events).toContainEqual(expect.objectContaining({ context: { used: 15, size: 100 } }));
    expect(talking.blocks).toMatchObject([{ kind: "notice", text: expect.stringContaining("compacted") }]);
    expect(talking.events.at(-1)).toMatchObject({
      usage: { input: 6, cache_read: 4, output: 5, total_tokens: 15 },
    });
    talking.say({ type: "prompt", text: "again" });
    answer(talking, "turn/start", { turn: { id: "u2" } });
    talking.hear(notice("turn/completed", { turn: { id: "u2", status: "completed" } }));
    expect(talking.events.at(-1)).not.toHaveProperty("usage");
  });

  test("that fails says why once; retries are told first in the transcript and then below it", () => {
    const talking = running();
    const error = { message: "overloaded", additionalDetails: "try later" };
    expect(talking.hear(notice("error", { error, willRetry: true }))).toMatchObject([
      { type: "notice.shown", message: "overloaded: try later" },
      { type: "working.changed" },
    ]);
    expect(talking.hear(notice("error", { error, willRetry: true }))).toHaveLength(1);
    talking.hear(notice("error", { error, willRetry: false }), ended("failed", { error }));
    expect(talking.events.filter(({ type }) => type === "agent.failed")).toHaveLength(1);
    expect(talking.types().at(-1)).toBe("prompt.finished");
    const silent = running();
    silent.hear(ended("failed", { error: { message: "no key" } }));
    expect(silent.events).toContainEqual(expect.objectContaining({ type: "agent.failed", message: "no key" }));
  });

  test("that cannot start is over, and a second prompt waits for the first", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "go" });
    expect(talking.say({ type: "prompt", text: "more" })).toMatchObject([{ type: "command.failed", code: -32022 }]);
    refuse(talking, "turn/start", "busy");
    expect(talking.types("working.changed").slice(-2)).toEqual(["command.failed", "prompt.finished"]);
  });

  test("that codex begins by itself is a turn, and one that ended before its answer stays over", () => {
    const talking = talk();
    talking.hear(notice("turn/started", { turn: { id: "g1", status: "inProgress" } }));
    expect(talking.types().at(-1)).toBe("prompt.started");
    talking.hear(notice("turn/completed", { turn: { id: "g1", status: "completed" } }));
    talking.say({ type: "prompt", text: "go" });
    talking.hear(notice("turn/started", { turn: { id: "u1", status: "inProgress" } }), ended("completed"));
    expect(answer(talking, "turn/start", { turn: { id: "u1" } })).toEqual([]);
    expect(talking.types().filter((type) => type === "prompt.finished")).toHaveLength(2);
  });
});

describe("stopping", () => {
  test("interrupts once, before the questions are refused, and ends when codex says so", () => {
    verifies("asks.withdrawn-with-their-turn");
    const talking = running();
    talking.hear(request(0, "item/commandExecution/requestApproval", { command: "ls" }));
    const from = talking.sent.length;
    talking.say({ type: "abort" });
    talking.say({ type: "abort" });
    expect(talking.sent.slice(from)).toMatchObject([
      { method: "turn/interrupt", params: { threadId: "t1", turnId: "u1" } },
      { id: 0, result: { decision: "cancel" } },
    ]);
    talking.hear(ended("interrupted"));
    // The engine says that the user stopped it.
    expect(talking.types("working.changed").slice(-2)).not.toContain("notice.shown");
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });

  test("a turn that a no has ended says nothing more; one that codex interrupts by itself says so", () => {
    const denied = running();
    const params = { command: "ls", availableDecisions: ["accept", "cancel"] };
    denied.hear(request(0, "item/commandExecution/requestApproval", params));
    expect(denied.answer("#0", { choiceId: "cancel" })).toEqual([{ id: 0, result: { decision: "cancel" } }]);
    denied.hear(ended("interrupted"));
    expect(denied.types()).not.toContain("notice.shown");
    const talking = running();
    expect(talking.hear(ended("interrupted"))).toContainEqual(
      expect.objectContaining({ type: "notice.shown", message: "interrupted" }),
    );
  });

  test("a turn without a name is interrupted as soon as it has one, and a refused stop can be tried again", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "go" });
    talking.say({ type: "abort" });
    expect(callOf(talking, "turn/interrupt")).toEqual({});
    answer(talking, "turn/start", { turn: { id: "u1" } });
    const first = callOf(talking, "turn/interrupt");
    expect(first).toMatchObject({ params: { turnId: "u1" } });
    expect(refuse(talking, "turn/interrupt", "no")).toMatchObject([{ type: "command.failed" }]);
    talking.say({ type: "abort" });
    expect(callOf(talking, "turn/interrupt").id).not.toBe(first.id);
  });

  test("an agent that ends leaves nothing open", () => {
    verifies("asks.withdrawn-with-their-agent");
    const talking = running();
    talking.hear(
      notice("item/agentMessage/delta", { itemId: "m", delta: "And" }),
      request(0, "item/fileChange/requestApproval", {}),
    );
    expect(talking.close(1).map(({ type }) => type)).toEqual(["ask.withdrawn", "message.finished", "prompt.finished"]);
    expect(talking.close(1)).toEqual([]);
  });
});

describe("settings", () => {
  test("a model and its effort are offered, and what is chosen goes along with the next turn alone", () => {
    const talking = talk();
    expect(talking.events.at(-1)).toMatchObject({
      settings: [
        {
          key: "model",
          value: "m1",
          options: [
            { value: "m1", label: "M 1" },
            { value: "m2", label: "m2" },
          ],
        },
        { key: "effort", value: "low", options: [{ value: "low" }, { value: "high" }] },
      ],
    });
    talking.say({ type: "set_config", key: "effort", value: "high" });
    talking.say({ type: "set_config", key: "model", value: "m2" });
    expect(talking.events.at(-1)).toMatchObject({ settings: [{ key: "model", value: "m2" }] });
    expect(talking.say({ type: "set_config", key: "speed", value: "1" })).toMatchObject([{ type: "command.failed" }]);
    talking.say({ type: "prompt", text: "go" });
    expect(talking.lastSent).toMatchObject({ params: { model: "m2", effort: "high", input: [{ text: "go" }] } });
    talking.hear(notice("turn/started", { turn: { id: "u1" } }), ended("completed"));
    talking.say({ type: "prompt", text: "more" });
    expect(talking.lastSent).not.toHaveProperty("params.model");
  });

  test("a session that codex has left can be closed, the one it has open cannot", () => {
    const talking = talk();
    const closed = talking.say({ type: "close_session", session_id: "t0" });
    expect(closed).toEqual([{ type: "session.closed", sessionId: "t0", reason: "normal" }]);
    expect(talking.say({ type: "close_session", session_id: "t1" })).toMatchObject([{ type: "command.failed" }]);
  });

  test("models are listed, and a change that another client made is told", () => {
    const talking = talk();
    talking.say({ type: "list_models" });
    answer(talking, "model/list", { data: [{ model: "m3" }] });
    expect(talking.events.at(-1)).toMatchObject({ answer: { providers: [{ models: [{ id: "m3", name: "m3" }] }] } });
    talking.hear(notice("thread/settings/updated", { threadSettings: { model: "m3", effort: null } }));
    expect(talking.events.at(-1)).toMatchObject({ settings: [{ value: "m3" }] });
  });
});

describe("news", () => {
  const limits = (usedPercent: number, reached: string | null = null) =>
    notice("account/rateLimits/updated", {
      rateLimits: { primary: { usedPercent, windowDurationMins: 300 }, rateLimitReachedType: reached },
    });

  test("a limit is told when it comes near and when it is reached, once each", () => {
    const talking = running();
    expect(talking.hear(limits(50))).toEqual([]);
    expect(talking.hear(limits(91), limits(95))).toMatchObject([{ message: "the limit of 5 h is near: 91 % used" }]);
    expect(talking.hear(limits(100, "rate_limit_reached"), limits(100, "rate_limit_reached"))).toMatchObject([
      { level: "error", message: expect.stringContaining("rate limit reached") },
    ]);
    expect(talking.hear(limits(1), limits(92))).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ["warning", { message: "mind the gap" }, "mind the gap"],
    ["configWarning", { summary: "odd key", details: "line 3" }, "odd key: line 3"],
    ["deprecationNotice", { summary: "old flag", details: null }, "old flag"],
    ["model/rerouted", { fromModel: "a", toModel: "b", reason: "busy" }, "b answers instead of a: busy"],
    [
      "mcpServer/startupStatus/updated",
      { name: "x", status: "failed", error: "gone" },
      "the MCP server x did not start: gone",
    ],
    [
      "hook/completed",
      { run: { eventName: "stop", status: "failed", statusMessage: "oh" } },
      "the hook stop failed: oh",
    ],
    ["account/login/completed", { success: false, error: "late" }, "the login failed: late"],
  ])("%s is a notice", (method, params, message) => {
    expect(talk().hear(notice(method, { ...params }))).toMatchObject([{ type: "notice.shown", message }]);
  });

  test("a warning that codex repeats in every turn is shown once", () => {
    const talking = running();
    const unknownModel = notice("warning", { message: "no metadata for this model" });
    expect(talking.hear(unknownModel, unknownModel)).toHaveLength(1);
    expect(talking.hear(notice("warning", { message: "another" }), unknownModel)).toHaveLength(2);
  });

  test("what no one knows is reported once, what does not fit each time, and the rest is passed over", () => {
    const talking = running();
    talking.hear(notice("brand/new", {}), notice("brand/new", {}), completed("hologram", { id: "x" }));
    talking.hear(notice("remoteControl/status/changed", {}), notice("thread/status/changed", {}));
    talking.hear(completed("sleep", { id: "z" }), notice("warning", { message: 7 }));
    const faults = talking.events.flatMap((event) => (event.type === "fault.reported" ? [event.fault.message] : []));
    expect(faults).toEqual([
      "unknown notification: brand/new",
      "unknown item: hologram",
      "warning: message: must be a string, not a number",
    ]);
  });
});
