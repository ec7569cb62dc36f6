// Claude's stream-json in Palaver's own words: what is shown, what is asked, what goes back, and when a turn is over.
import { describe, expect, test } from "vitest";
import { createClaudeDialect } from "../../../../src/agents/dialects/claude/claude-dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { DialectTalk } from "../dialect-talk.js";
import { assistant, canUse, claudeResult, init, initialized, stream, toolResult } from "./claude-frames.js";

function talk(): DialectTalk {
  const talking = new DialectTalk(createClaudeDialect());
  talking.hear(initialized(talking));
  return talking;
}

function prompted(text = "go"): DialectTalk {
  const talking = talk();
  talking.say({ type: "prompt", text });
  talking.hear(init());
  return talking;
}

describe("the handshake", () => {
  test("asks for it first, and is ready with commands and settings when it is answered", () => {
    const talking = new DialectTalk(createClaudeDialect());
    expect(talking.sent).toEqual([
      { type: "control_request", request_id: expect.any(String), request: { subtype: "initialize", hooks: null } },
    ]);
    expect(talking.types()).toEqual([]);
    talking.hear(initialized(talking));
    expect(talking.events).toMatchObject([
      { type: "agent.readied", ui: true, protocolVersion: "2.1.325", model: "opus" },
      { type: "commands.changed", commands: [{ name: "compact", summary: "make room", hint: "[what]" }] },
      {
        type: "settings.changed",
        settings: [
          { key: "model", value: "opus" },
          { key: "mode", value: "default" },
        ],
      },
    ]);
  });

  test("an agent that says nothing for long is told in words, one that was in time is not", () => {
    const silent = new DialectTalk(createClaudeDialect());
    expect(silent.effects).toEqual([{ type: "wait", id: "ready", delayMs: 30_000 }]);
    expect(silent.waited("ready")).toMatchObject([{ type: "agent.failed" }]);
    expect(talk().waited("ready")).toEqual([]);
  });

  test("a version that knows no handshake is ready with its first session", () => {
    const talking = new DialectTalk(createClaudeDialect());
    talking.say({ type: "prompt", text: "go" });
    talking.hear({ ...init(), slash_commands: ["compact"] });
    expect(talking.types("settings.changed")).toEqual([
      "prompt.started",
      "agent.readied",
      "commands.changed",
      "session.started",
    ]);
  });

  test("a refused handshake is told, and prompts are still possible", () => {
    const talking = new DialectTalk(createClaudeDialect());
    const request_id = talking.lastSent.request_id;
    talking.hear({ type: "control_response", response: { subtype: "error", request_id, error: "too old" } });
    expect(talking.types("settings.changed")).toEqual(["command.failed", "agent.readied"]);
  });
});

describe("a turn", () => {
  test("begins with the prompt and ends with the result, its cost and how full the window is", () => {
    const talking = prompted("hello");
    expect(talking.sent.at(-1)).toEqual({
      type: "user",
      message: { role: "user", content: [{ type: "text", text: "hello" }] },
      parent_tool_use_id: null,
      session_id: "",
    });
    talking.hear(...stream("m1", ["Hi", " there"]), claudeResult({ total_cost_usd: 0.02 }));
    expect(talking.events.at(-1)).toEqual({
      type: "prompt.finished",
      sessionId: "s-1",
      usage: { input: 10, output: 5, cache_read: 100, cache_write: 0, total_tokens: 115, cost: { total: 0.02 } },
    });
    expect(talking.events.at(-2)).toMatchObject({ type: "usage.changed", context: { used: 110, size: 200_000 } });
  });

  test("the session's money is summed by Claude, the prompt's is the difference", () => {
    const talking = prompted();
    talking.hear(claudeResult({ total_cost_usd: 0.02 }));
    talking.say({ type: "prompt", text: "more" });
    talking.hear(claudeResult({ total_cost_usd: 0.05 }));
    const [totals, finished] = talking.events.slice(-2);
    expect(totals).toMatchObject({ usage: { total_tokens: 230, cost: { total: 0.05 } } });
    expect(finished).toMatchObject({ usage: { cost: { total: expect.closeTo(0.03) } } });
  });

  test("a session that goes on has costs already, which are not those of its first prompt", () => {
    const talking = prompted();
    const model_usage_since_last_result = {
      "claude-opus-5-5": { costUSD: 0.01 },
      "claude-haiku-5-5": { costUSD: 0.02 },
    };
    talking.hear(claudeResult({ total_cost_usd: 9.03, model_usage_since_last_result }));
    const [totals, finished] = talking.events.slice(-2);
    expect(totals).toMatchObject({ usage: { cost: { total: 9.03 } } });
    expect(finished).toMatchObject({ usage: { cost: { total: 0.03 } } });
  });

  test("its tokens are those of the whole session, like the money", () => {
    const talking = prompted();
    const modelUsage = {
      "claude-opus-5-5": { contextWindow: 200_000, inputTokens: 9_000, outputTokens: 500, cacheReadInputTokens: 500 },
    };
    talking.hear(claudeResult({ total_cost_usd: 9.03, modelUsage }));
    expect(talking.events.at(-2)).toMatchObject({ usage: { total_tokens: 10_000, cost: { total: 9.03 } } });
  });

  test("a result without a prompt tells its failure and ends nothing", () => {
    const talking = talk();
    talking.hear(claudeResult({ subtype: "error_during_execution", is_error: true, errors: ["no such session"] }));
    expect(talking.types().slice(-2)).toEqual(["agent.failed", "usage.changed"]);
  });

  test("pictures go along with the prompt", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "see", images: [{ data: "AAA", mime_type: "image/png" }] });
    const { content } = talking.lastSent.message as { content: JsonObject[] };
    expect(content[1]).toEqual({ type: "image", source: { type: "base64", media_type: "image/png", data: "AAA" } });
  });

  test("what streams is shown once, although it comes again whole", () => {
    const talking = prompted();
    talking.hear(...stream("m1", ["One ", "two"]), claudeResult());
    expect(talking.types("settings.changed").filter((type) => type.startsWith("message."))).toEqual([
      "message.started",
      "message.grew",
      "message.grew",
      "message.finished",
    ]);
    expect(talking.blocks).toMatchObject([{ kind: "prose", text: "One two" }]);
  });

  test("a whole copy that arrives after the end of its message is not shown again", () => {
    const talking = prompted();
    talking.hear(...stream("m1", ["One"]));
    expect(talking.hear(assistant("m1", [{ type: "text", text: "One" }]))).toEqual([]);
  });

  test("where the whole block differs from its deltas, the whole is right", () => {
    const talking = prompted();
    const frames = stream("m1", ["Ona"]);
    frames[3] = assistant("m1", [{ type: "text", text: "One" }]);
    talking.hear(...frames);
    expect(talking.blocks).toMatchObject([{ kind: "prose", text: "One" }]);
  });

  test("without partial messages the blocks of one message come one by one", () => {
    const talking = prompted();
    talking.hear(
      assistant("m1", [{ type: "thinking", thinking: "hm" }]),
      assistant("m1", [{ type: "text", text: "First." }]),
      assistant("m2", [{ type: "text", text: "Second." }]),
      claudeResult(),
    );
    expect(talking.blocks).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "prose", text: "First." },
      { kind: "prose", text: "Second." },
    ]);
  });

  test("what a slash command prints stands only in the result, and is shown", () => {
    const talking = prompted("/cost");
    talking.hear(claudeResult({ result: "It cost nothing." }));
    expect(talking.blocks).toMatchObject([{ kind: "prose", text: "It cost nothing." }]);
  });

  test("a turn that Claude begins by itself begins here too", () => {
    const talking = talk();
    talking.hear(...stream("m1", ["The tests are done."]), claudeResult());
    expect(talking.types("message.grew").slice(-5)).toEqual([
      "prompt.started",
      "message.started",
      "message.finished",
      "usage.changed",
      "prompt.finished",
    ]);
  });

  test("a queued turn follows at once", () => {
    const talking = prompted();
    talking.hear(claudeResult({ queued_turn_count: 1 }));
    expect(talking.types().slice(-2)).toEqual(["prompt.finished", "prompt.started"]);
  });
});

describe("tools", () => {
  const edit = { file_path: "a.ts", old_string: "one", new_string: "two" };

  test("a call begins with its block and ends with its result, and the file is shown as it was and is", () => {
    const talking = prompted();
    const structured = { filePath: "a.ts", oldString: "one", newString: "$& two", originalFile: "zero\none\n" };
    talking.hear(
      assistant("m1", [{ type: "tool_use", id: "t1", name: "Edit", input: edit }]),
      toolResult("t1", "done", structured),
    );
    expect(talking.events.filter(({ type }) => type.startsWith("tool."))).toMatchObject([
      {
        type: "tool.started",
        toolCallId: "t1",
        args: edit,
        changes: [{ path: "a.ts", oldText: "one", newText: "two" }],
      },
      {
        type: "tool.finished",
        output: null,
        isError: false,
        changes: [{ oldText: "zero\none\n", newText: "zero\n$& two\n" }],
      },
    ]);
  });

  test("an error loses the tag that was meant for the model, and changes nothing", () => {
    const talking = prompted();
    talking.hear(assistant("m1", [{ type: "tool_use", id: "t1", name: "Edit", input: edit }]));
    const [finished] = talking
      .hear(toolResult("t1", "<tool_use_error>no such file</tool_use_error>", { filePath: "a.ts" }, "error"))
      .filter(({ type }) => type === "tool.finished");
    expect(finished).toMatchObject({ output: "no such file", isError: true });
    expect(finished).not.toHaveProperty("changes");
  });

  test("a refused call shows who refused it, and not what the model is told to do about it", () => {
    const told = "The user doesn't want to proceed with this tool use. STOP and wait.";
    const talking = prompted();
    const outputOf = (id: string, text: string) => {
      talking.hear(assistant(id, [{ type: "tool_use", id, name: "Edit", input: edit }]));
      const [finished] = talking.hear(toolResult(id, text, {}, "error")).filter(({ type }) => type === "tool.finished");
      return finished;
    };
    expect(outputOf("t1", told)).toMatchObject({ output: "Denied by the user.", isError: true });
    expect(outputOf("t2", `${told} And the user said:\nuse tabs`)).toMatchObject({
      output: "Denied by the user: use tabs",
    });
  });

  test("a list of things to do is the plan", () => {
    const talking = prompted();
    const todos = [
      { content: "read", status: "completed" },
      { content: "write", status: "in_progress" },
      { content: "rest", status: "odd" },
    ];
    const events = talking.hear(assistant("m1", [{ type: "tool_use", id: "t1", name: "TodoWrite", input: { todos } }]));
    expect(events.at(-1)).toMatchObject({
      type: "plan.changed",
      entries: [{ status: "completed" }, { status: "in_progress" }, { text: "rest", status: "pending" }],
    });
  });

  test("what a sub-agent says and does is the output of the call that started it, however deep it is", () => {
    const talking = prompted();
    talking.hear(assistant("m1", [{ type: "tool_use", id: "t1", name: "Task", input: { description: "look" } }]));
    const inner = { type: "tool_use", id: "t2", name: "Read", input: { file_path: "a.ts" } };
    talking.hear(
      { ...assistant("s1", [{ type: "text", text: "Looking." }, inner]), parent_tool_use_id: "t1" },
      { ...toolResult("t2", "the file"), parent_tool_use_id: "t1" },
      { ...assistant("s2", [{ type: "text", text: "Deeper." }]), parent_tool_use_id: "t2" },
      toolResult("t1", "all seen"),
      claudeResult(),
    );
    const updates = talking.events.filter(({ type }) => type === "tool.updated");
    expect(updates.at(-1)).toMatchObject({ toolCallId: "t1", name: "Task", output: "Looking.\n· Read a.ts\nDeeper." });
    expect(talking.blocks).toMatchObject([{ kind: "tool", name: "Task", output: "all seen", phase: "done" }]);
  });
});

describe("stopping", () => {
  test("refuses what is open, interrupts once, and the turn ends with the result", () => {
    const talking = prompted();
    talking.hear(...stream("m1", ["Long"]).slice(0, 3), canUse("r1", { tool_name: "Bash", input: { command: "x" } }));
    const from = talking.sent.length;
    talking.say({ type: "abort" });
    talking.say({ type: "abort" });
    expect(talking.sent.slice(from)).toMatchObject([
      { response: { request_id: "r1", response: { behavior: "deny", interrupt: true } } },
      { type: "control_request", request: { subtype: "interrupt" } },
    ]);
    talking.hear(
      {
        type: "control_response",
        response: { subtype: "success", request_id: talking.lastSent.request_id, response: {} },
      },
      { type: "user", message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] } },
      claudeResult({ subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_streaming" }),
    );
    expect(talking.types().slice(-3)).toEqual(["message.finished", "usage.changed", "prompt.finished"]);
    expect(talking.types()).not.toContain("agent.failed");
  });

  test("without a turn there is nothing to stop", () => {
    const talking = talk();
    const from = talking.sent.length;
    talking.say({ type: "abort" });
    expect(talking.sent.slice(from)).toEqual([]);
  });

  test("one that does not stop is told, and can be asked again", () => {
    const talking = prompted();
    talking.say({ type: "abort" });
    expect(talking.waited("stop")).toMatchObject([{ type: "notice.shown", level: "warn" }]);
    const from = talking.sent.length;
    talking.say({ type: "abort" });
    expect(talking.sent.slice(from)).toHaveLength(1);
  });

  test("on leaving, questions are refused and the turn is interrupted; at the end everything is closed", () => {
    const talking = prompted();
    talking.hear(canUse("r1", { tool_name: "Bash", input: { command: "x" } }), ...stream("m1", ["Ha"]).slice(0, 3));
    talking.leave();
    expect(talking.sent.slice(-2)).toMatchObject([{ type: "control_response" }, { request: { subtype: "interrupt" } }]);
    expect(talking.close().map(({ type }) => type)).toEqual(["message.finished", "prompt.finished"]);
    expect(talking.close()).toEqual([]);
  });
});

describe("settings", () => {
  test.each([
    ["model", "haiku", { subtype: "set_model", model: "haiku" }],
    ["mode", "plan", { subtype: "set_permission_mode", mode: "plan" }],
  ])("%s is set over the control channel and told when it holds", (key, value, request) => {
    const talking = talk();
    expect(talking.say({ type: "set_config", key, value })).toEqual([]);
    expect(talking.lastSent).toMatchObject({ request });
    const { request_id } = talking.lastSent;
    const events = talking.hear({ type: "control_response", response: { subtype: "success", request_id } });
    expect(events).toMatchObject([
      { type: "settings.changed", settings: expect.arrayContaining([expect.objectContaining({ key, value })]) },
    ]);
  });

  test("a refusal keeps what was, and an unknown key is refused by name", () => {
    const talking = talk();
    talking.say({ type: "set_config", key: "model", value: "none" });
    const { request_id } = talking.lastSent;
    const refused = { subtype: "error", request_id, error: "no such model" };
    expect(talking.hear({ type: "control_response", response: refused })).toMatchObject([
      { type: "command.failed", message: expect.stringContaining("no such model") },
    ]);
    expect(talking.say({ type: "set_config", key: "colour", value: "red" })).toMatchObject([
      { type: "command.failed", message: expect.stringContaining('"colour"') },
    ]);
  });

  test("a mode that Claude enters by itself is told", () => {
    const talking = prompted();
    const events = talking.hear({ type: "system", subtype: "status", status: null, permissionMode: "plan" });
    expect(events.at(-1)).toMatchObject({ type: "settings.changed", settings: [{}, { key: "mode", value: "plan" }] });
  });

  test("models, config and capabilities are answered from what is known", () => {
    const talking = talk();
    expect(talking.say({ type: "list_models" })).toMatchObject([
      {
        command: "models_list",
        answer: { providers: [{ id: "anthropic", models: [{ id: "default" }, { id: "opus" }] }] },
      },
    ]);
    expect(talking.say({ type: "get_config" })).toMatchObject([
      { command: "config_state", answer: { config: { model: "opus", mode: "default" } } },
    ]);
    expect(talking.say({ type: "initialize" })).toMatchObject([{ command: "initialized" }]);
    expect(talking.say({ type: "start_session", session_file: "x.jsonl" })).toMatchObject([
      { type: "command.failed", message: expect.stringContaining("--resume") },
    ]);
  });
});

describe("news", () => {
  test.each<[object, object[]]>([
    [
      {
        subtype: "api_retry",
        attempt: 1,
        max_retries: 10,
        retry_delay_ms: 1200,
        error: "overloaded",
        error_status: 529,
      },
      [
        { type: "notice.shown", level: "warn", message: "overloaded, 529: attempt 1 of 10 in 2 s" },
        { type: "working.changed", message: "overloaded, 529: attempt 1 of 10 in 2 s" },
      ],
    ],
    [{ subtype: "api_retry", attempt: 2 }, [{ type: "working.changed" }]],
    [
      { subtype: "api_retry", attempt: 3, max_retries: 10, retry_delay_ms: 900, error: "unknown" },
      [{ type: "working.changed", message: "the model did not answer: attempt 3 of 10 in 1 s" }],
    ],
    [{ subtype: "status", status: "compacting" }, [{ type: "working.changed", message: expect.any(String) }]],
    [
      { subtype: "compact_boundary", compact_metadata: { trigger: "auto", pre_tokens: 90, post_tokens: 10 } },
      [
        { type: "working.changed", message: null },
        { type: "notice.shown", message: expect.stringContaining("90 → 10 tokens") },
      ],
    ],
    [
      { subtype: "task_started", task_id: "k", description: "tests" },
      [{ type: "status.changed", key: "task k", text: "tests" }],
    ],
    [
      { subtype: "task_notification", task_id: "k", status: "failed", summary: "2 failed" },
      [
        { type: "status.changed", text: null },
        { type: "notice.shown", level: "error", message: "2 failed" },
      ],
    ],
    [
      { subtype: "hook_response", hook_name: "lint", outcome: "error", stderr: "bad" },
      [{ message: "the hook lint failed: bad" }],
    ],
    [{ subtype: "hook_response", outcome: "success" }, []],
    [
      { subtype: "permission_denied", tool_name: "Bash", message: "by rule" },
      [{ message: "Bash was refused: by rule" }],
    ],
    [{ subtype: "informational", content: "hello", level: "warning" }, [{ level: "warn", message: "hello" }]],
    [{ subtype: "thinking_tokens", estimated_tokens: 3 }, []],
    [
      { subtype: "commands_changed", commands: [{ name: "x" }] },
      [{ type: "commands.changed", commands: [{ name: "x" }] }],
    ],
  ])("%j", (frame, expected) => {
    expect(prompted().hear({ type: "system", ...frame })).toMatchObject(expected);
  });

  test.each<[object, object[]]>([
    [{ status: "allowed" }, []],
    [
      { status: "allowed_warning", rateLimitType: "five_hour", utilization: 0.9 },
      [{ level: "warn", message: "the five hour limit is near: 90 % used" }],
    ],
    [{ status: "rejected", rateLimitType: "seven_day" }, [{ level: "error" }]],
  ])("the rate limit %j", (rate_limit_info, expected) => {
    expect(prompted().hear({ type: "rate_limit_event", rate_limit_info })).toMatchObject(expected);
  });

  test("a failure is told once, although it comes as a message and with the result", () => {
    const talking = prompted();
    talking.hear(
      { ...assistant("m1", [{ type: "text", text: "No key." }]), error: "authentication_failed" },
      claudeResult({ is_error: true, result: "No key." }),
    );
    expect(talking.events.filter(({ type }) => type === "agent.failed")).toMatchObject([{ message: "No key." }]);
    expect(talking.blocks).toMatchObject([{ kind: "notice", level: "error" }]);
  });

  test("turns or money that are used up are told in words", () => {
    const talking = prompted();
    const events = talking.hear(claudeResult({ subtype: "error_max_turns", is_error: true }));
    expect(events[0]).toMatchObject({ type: "agent.failed", message: expect.stringContaining("turns") });
  });
});

describe("what no one expected", () => {
  test.each<[object]>([
    [{ type: "marvel" }],
    [{ nothing: true }],
    [{ type: "system", subtype: "marvel" }],
    [{ type: "stream_event", event: { type: "marvel" } }],
    [{ type: "assistant" }],
    [{ type: "control_response", response: { subtype: "success", request_id: "nobody" } }],
    [{ type: "toString" }],
  ])("%j is reported and the talk goes on", (frame) => {
    const talking = prompted();
    expect(talking.hear(frame)).toMatchObject([{ type: "fault.reported" }]);
    talking.hear(...stream("m1", ["ok"]), claudeResult());
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });

  test("a request no one knows is refused, so that Claude does not wait for ever", () => {
    const talking = prompted();
    talking.hear({ type: "control_request", request_id: "h1", request: { subtype: "hook_callback" } });
    expect(talking.lastSent).toMatchObject({ response: { subtype: "error", request_id: "h1" } });
  });

  test("text between the frames is a log line, a broken line is a fault", () => {
    const talking = talk();
    expect(talking.hearText("warming up")).toMatchObject([{ type: "log.written", text: "warming up" }]);
    expect(talking.hearFault("not valid JSON")).toMatchObject([{ type: "fault.reported" }]);
  });

  test("unknown fields and odd values of optional ones are no reason to lose a frame", () => {
    const talking = prompted();
    talking.hear({ ...claudeResult(), usage: "many", modelUsage: 7, total_cost_usd: "free", news: [] });
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });
});
