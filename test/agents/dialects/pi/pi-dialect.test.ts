// pi's RPC mode in Palaver's own words: messages, tools, what extensions want, and when a prompt is really done.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { createPiDialect } from "../../../../src/agents/dialects/pi/pi-dialect.js";
import { DialectTalk } from "../dialect-talk.js";

const model = { id: "m1", provider: "acme", name: "Acme 1", contextWindow: 1000 };
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: { total: 0.001 } };

/** Answers every command that was sent since the last time, as pi would. */
function answerAll(talking: DialectTalk, data: Record<string, unknown> = {}): void {
  const known: Record<string, unknown> = {
    get_state: { model, thinkingLevel: "low", sessionId: "s1", isStreaming: false, pendingMessageCount: 0 },
    get_commands: { commands: [{ name: "hello", description: "says hello", source: "extension" }] },
    get_available_models: { models: [model, { ...model, id: "m2", name: "Acme 2" }] },
    get_available_thinking_levels: { levels: ["off", "low", "high"] },
    get_session_stats: { tokens: { total: 15 }, cost: 0.001, contextUsage: { tokens: 15, contextWindow: 1000 } },
    ...data,
  };
  const open = talking.sent.filter(({ id, type }) => type !== "extension_ui_response" && !answered.has(id));
  for (const { id, type } of open) {
    answered.add(id);
    talking.hear({ id, type: "response", command: type, success: true, data: known[String(type)] });
  }
}
const answered = new Set<unknown>();

function talk(): DialectTalk {
  answered.clear();
  const talking = new DialectTalk(createPiDialect());
  answerAll(talking);
  return talking;
}

function prompted(text = "go"): DialectTalk {
  const talking = talk();
  talking.say({ type: "prompt", text });
  answerAll(talking);
  talking.hear({ type: "agent_start" }, { type: "turn_start" });
  return talking;
}

function message(text: string, fields: JsonObject = {}): JsonObject[] {
  const whole = { role: "assistant", content: [{ type: "text", text }], usage, stopReason: "stop", ...fields };
  return [
    { type: "message_start", message: { ...whole, content: [] } },
    { type: "message_update", assistantMessageEvent: { type: "text_start", contentIndex: 0 } },
    { type: "message_update", assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: text } },
    { type: "message_update", assistantMessageEvent: { type: "text_end", contentIndex: 0, content: text } },
    { type: "message_end", message: whole },
  ];
}

const settled = [{ type: "agent_end", messages: [], willRetry: false }, { type: "agent_settled" }];
const count = (talking: DialectTalk, wanted: string) => talking.types().filter((type) => type === wanted).length;

describe("the start", () => {
  test("asks for state, commands, models and levels, and is ready with the state", () => {
    const talking = talk();
    expect(talking.sent.map(({ type }) => type)).toEqual([
      "get_state",
      "get_commands",
      "get_available_models",
      "get_available_thinking_levels",
    ]);
    expect(talking.events[0]).toEqual({
      type: "agent.readied",
      images: true,
      sessionId: "s1",
      ui: true,
      protocolVersion: "rpc",
      model: "acme:m1",
    });
    expect(talking.events.at(-1)).toMatchObject({
      type: "settings.changed",
      settings: [
        { key: "model", value: "acme:m1", options: [{ value: "acme:m1", label: "Acme 1" }, { value: "acme:m2" }] },
        { key: "thinking", value: "low", options: [{ value: "off" }, {}, {}] },
      ],
    });
  });

  test("an older pi that does not know a command is no news", () => {
    answered.clear();
    const talking = new DialectTalk(createPiDialect());
    const command = "get_available_thinking_levels";
    talking.hear({ id: "palaver-4", type: "response", command, success: false, error: `Unknown command: ${command}` });
    talking.hear({ type: "response", command: "unknown", success: false, error: "Unknown command: x" });
    expect(talking.events).toEqual([]);
  });

  test("an agent that says nothing for long is told in words", () => {
    expect(new DialectTalk(createPiDialect()).waited("ready")).toMatchObject([{ type: "agent.failed" }]);
    expect(talk().waited("ready")).toEqual([]);
  });

  test("a response with a strange id belongs to the oldest command of its name", () => {
    const talking = new DialectTalk(createPiDialect());
    talking.hear({ id: "odd", type: "response", command: "get_state", success: true, data: { sessionId: "s9" } });
    expect(talking.events[0]).toMatchObject({ type: "agent.readied", sessionId: "s9" });
    talking.hear({ id: "odd", type: "response", command: "get_state", success: true, data: {} });
    expect(talking.events.at(-1)).toMatchObject({ type: "fault.reported" });
  });
});

describe("a prompt", () => {
  test("streams as deltas, and the whole message has the last word", () => {
    const talking = prompted();
    const thinking = { type: "thinking_delta", contentIndex: 0, delta: "hm" };
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "Hello." },
      { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } },
    ];
    talking.hear(
      { type: "message_start", message: { role: "system", content: "you are…" } },
      { type: "message_end", message: { role: "system", content: "you are…" } },
      { type: "message_start", message: { role: "assistant", content: [] } },
      { type: "message_update", assistantMessageEvent: thinking },
      { type: "message_update", assistantMessageEvent: { type: "text_delta", contentIndex: 1, delta: "Hell" } },
      { type: "message_end", message: { role: "assistant", content, usage, stopReason: "toolUse" } },
    );
    expect(talking.blocks.slice(0, 2)).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "prose", text: "Hello." },
    ]);
    expect(talking.events.at(-1)).toMatchObject({
      type: "message.finished",
      message: {
        content: [{}, {}, { type: "tool_call", id: "c1", name: "bash", arguments: { command: "ls" } }],
        usage: { input: 10, total_tokens: 15, cost: { total: 0.001 } },
      },
    });
  });

  test("tools report what they do, what they change and what came of it", () => {
    const talking = prompted();
    const edits = [{ oldText: "a", newText: "b" }];
    const tool = { toolCallId: "c1", toolName: "edit" };
    const events = talking.hear(
      { type: "tool_execution_start", ...tool, args: { path: "x.ts", edits } },
      { type: "tool_execution_update", ...tool, partialResult: { content: [{ type: "text", text: "so far" }] } },
      { type: "tool_execution_end", ...tool, result: { content: [{ type: "text", text: "all" }] }, isError: true },
    );
    expect(events).toMatchObject([
      { type: "tool.started", name: "edit", changes: [{ path: "x.ts", oldText: "a", newText: "b" }] },
      { type: "tool.updated", output: { content: [{ text: "so far" }] } },
      { type: "tool.finished", output: { content: [{ text: "all" }] }, isError: true },
    ]);
  });

  test("a pi that made room in order to try again is not done in between, however idle it looks", () => {
    const talking = prompted();
    const compacting = { get_state: { sessionId: "s1", isStreaming: false, isCompacting: true } };
    talking.hear(
      { type: "agent_end", messages: [], willRetry: false },
      { type: "compaction_start", reason: "overflow" },
    );
    answerAll(talking, compacting);
    talking.hear({ type: "compaction_end", reason: "overflow", result: {}, aborted: false, willRetry: true });
    answerAll(talking);
    expect(count(talking, "prompt.finished")).toBe(0);
    talking.hear({ type: "agent_start" }, ...message("ok"), ...settled);
    expect(count(talking, "prompt.started")).toBe(1);
    expect(count(talking, "prompt.finished")).toBe(1);
  });

  test("an answer that reached the longest the model may write says that it is cut", () => {
    const talking = prompted();
    talking.hear(...message("and then", { stopReason: "length" }), ...settled);
    expect(talking.events.filter(({ type }) => type === "notice.shown")).toMatchObject([
      { level: "warn", message: expect.stringContaining("cut") },
    ]);
  });

  test("a newer pi is done when it has settled, not at the end of a round", () => {
    const talking = prompted();
    talking.hear(...message("ok"), { type: "agent_end", messages: [], willRetry: false });
    expect(count(talking, "prompt.finished")).toBe(0);
    talking.hear({ type: "agent_settled" });
    expect(count(talking, "prompt.finished")).toBe(1);
    answerAll(talking);
    expect(talking.events.at(-1)).toMatchObject({
      type: "usage.changed",
      usage: { total_tokens: 15, cost: { total: 0.001 } },
      context: { used: 15, size: 1000 },
    });
  });

  test("an older pi is done at the end of its round", () => {
    const talking = prompted();
    talking.hear(...message("ok"), { type: "agent_end", messages: [] });
    expect(count(talking, "prompt.finished")).toBe(1);
  });

  test("a pi that never settles is asked for its state, and is done when it is idle", () => {
    const talking = prompted();
    talking.hear(...message("ok"), { type: "agent_end", messages: [], willRetry: false });
    answerAll(talking, { get_state: { isStreaming: false, isCompacting: true } });
    expect(count(talking, "prompt.finished")).toBe(0);
    talking.hear({ type: "compaction_end", result: { tokensBefore: 100, estimatedTokensAfter: 20 } });
    answerAll(talking);
    expect(count(talking, "prompt.finished")).toBe(1);
  });

  test("what is queued goes on after the round", () => {
    const talking = prompted();
    talking.say({ type: "prompt", text: "and then" });
    expect(talking.lastSent).toMatchObject({ type: "prompt", streamingBehavior: "followUp" });
    talking.say({ type: "prompt", text: "no, this", streaming_behavior: "steer" });
    expect(talking.lastSent).toMatchObject({ type: "prompt", streamingBehavior: "steer" });
    const queue = { type: "queue_update", steering: ["no, this"], followUp: ["and then"] };
    expect(talking.hear(queue)).toMatchObject([{ type: "status.changed", key: "queued", text: "2 queued" }]);
    talking.hear({ type: "agent_end", messages: [] });
    expect(count(talking, "prompt.finished")).toBe(0);
    talking.hear({ type: "queue_update", steering: [], followUp: [] }, { type: "agent_start" }, ...settled);
    expect(count(talking, "prompt.finished")).toBe(1);
  });

  test("a retry is told, and a failure only when there is none", () => {
    const talking = prompted();
    const failed = { content: [], stopReason: "error", errorMessage: "overloaded" };
    talking.hear(
      ...message("", failed),
      { type: "agent_end", messages: [], willRetry: true },
      { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 2000, errorMessage: "overloaded" },
    );
    expect(talking.types()).not.toContain("prompt.finished");
    expect(talking.types()).not.toContain("agent.failed");
    talking.hear({ type: "agent_start" }, ...message("", failed));
    talking.hear({ type: "auto_retry_end", success: false, attempt: 3, finalError: "gave up" }, ...settled);
    expect(talking.events.filter(({ type }) => type === "agent.failed")).toMatchObject([{ message: "gave up" }]);
  });

  test("a failure without a retry is told at the end, once", () => {
    const talking = prompted();
    talking.hear(...message("", { content: [], stopReason: "error", errorMessage: "no key" }), ...settled);
    expect(talking.types().slice(-2)).toEqual(["agent.failed", "prompt.finished"]);
  });

  test("a prompt that pi refuses is over at once", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "go" });
    const { id } = talking.lastSent;
    const events = talking.hear({ id, type: "response", command: "prompt", success: false, error: "no model" });
    expect(events).toMatchObject([{ type: "command.failed", message: "pi: no model" }, { type: "prompt.finished" }]);
  });

  test("a command that an extension carries out by itself is over with its response", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "/hello there" });
    answerAll(talking);
    expect(talking.types("usage.changed").slice(-2)).toEqual(["prompt.started", "prompt.finished"]);
  });

  test("/compact is pi's own command, with its result in words", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "/compact keep the plan" });
    expect(talking.lastSent).toMatchObject({ type: "compact", customInstructions: "keep the plan" });
    talking.hear({ type: "compaction_start", reason: "manual" });
    expect(talking.events.at(-1)).toMatchObject({ type: "working.changed", message: expect.any(String) });
    talking.hear({ type: "compaction_end", result: { tokensBefore: 100, estimatedTokensAfter: 20 }, aborted: false });
    expect(talking.events.at(-1)).toMatchObject({ message: expect.stringContaining("100 → 20 tokens") });
    answerAll(talking);
    expect(count(talking, "prompt.finished")).toBe(1);
  });

  test("an abort cancels what extensions ask, and the prompt ends as pi says", () => {
    const talking = prompted();
    talking.hear({ type: "extension_ui_request", id: "q1", method: "input", title: "Name" });
    const from = talking.sent.length;
    talking.say({ type: "abort" });
    expect(talking.sent.slice(from)).toMatchObject([
      { type: "abort" },
      { type: "extension_ui_response", id: "q1", cancelled: true },
    ]);
    expect(count(talking, "prompt.finished")).toBe(0);
    talking.hear(...message("", { content: [], stopReason: "aborted" }), ...settled);
    expect(talking.types().slice(-2)).toEqual(["message.finished", "prompt.finished"]);
  });

  test("a stop that pi has overlooked is said again, and what it asks meanwhile is cancelled", () => {
    const talking = prompted();
    talking.say({ type: "abort" });
    const from = talking.sent.length;
    talking.hear(
      { type: "turn_start" },
      { type: "extension_ui_request", id: "q2", method: "confirm", title: "run bash" },
    );
    expect(talking.sent.slice(from)).toMatchObject([
      { type: "abort" },
      { type: "abort" },
      { type: "extension_ui_response", id: "q2", cancelled: true },
    ]);
    talking.hear(...message("", { content: [], stopReason: "aborted" }), ...settled);
    talking.say({ type: "prompt", text: "again" });
    const again = talking.sent.length;
    talking.hear({ type: "agent_start" }, { type: "turn_start" });
    expect(talking.sent.slice(again)).toEqual([]);
  });

  test("at the end of the connection everything is closed, once", () => {
    const talking = prompted();
    talking.hear({ type: "extension_ui_request", id: "q1", method: "confirm", title: "Sure?" });
    expect(talking.close().map(({ type }) => type)).toEqual(["ask.withdrawn", "prompt.finished"]);
    expect(talking.close()).toEqual([]);
  });
});

describe("extensions", () => {
  const request = (method: string, fields: object) => ({ type: "extension_ui_request", id: "q1", method, ...fields });

  test.each<[object, object, unknown, object]>([
    [
      request("select", { title: "Danger:\n\n  rm -rf x\n\nAllow?", options: ["Yes", "No"], timeout: 500 }),
      {
        kind: "select",
        params: {
          title: "Danger:",
          message: "  rm -rf x\n\nAllow?",
          options: [
            { label: "Yes", value: "Yes" },
            { label: "No", value: "No" },
          ],
        },
      },
      "Yes",
      { value: "Yes" },
    ],
    [
      request("confirm", { title: "Clear?", message: "All of it." }),
      { kind: "confirm", params: { title: "Clear?", message: "All of it." } },
      true,
      { confirmed: true },
    ],
    [
      request("confirm", { title: "Clear?", scope: "all" }),
      { kind: "confirm", params: { title: "Clear?", opts: { details: [{ name: "scope", value: "all" }] } } },
      true,
      { confirmed: true },
    ],
    [
      request("confirm", { title: "Clear?" }),
      { kind: "confirm", params: { title: "Clear?" } },
      false,
      { confirmed: false },
    ],
    [
      request("input", { title: "Name", placeholder: "ada" }),
      { kind: "input", params: { title: "Name", placeholder: "ada" } },
      "",
      { value: "" },
    ],
    [
      request("editor", { title: "Text", prefill: "a\nb" }),
      { kind: "editor", params: { title: "Text", prefill: "a\nb" } },
      null,
      { cancelled: true },
    ],
  ])("%j", (frame, question, value, response) => {
    const talking = talk();
    talking.hear(frame);
    expect(talking.asked[0]?.question).toEqual(question);
    expect(talking.answer("q1", value)).toEqual([{ type: "extension_ui_response", id: "q1", ...response }]);
  });

  test("a time limit becomes a moment, and an answer no one gave is a cancel", () => {
    const talking = talk();
    talking.hear(request("input", { title: "Name", timeout: 500 }));
    expect(talking.asked[0]?.deadlineMs).toBe(1_500);
    talking.say({ type: "ui_response", id: "q1", result: null, error: "timeout" });
    expect(talking.lastSent).toEqual({ type: "extension_ui_response", id: "q1", cancelled: true });
  });

  test.each<[object, object]>([
    [
      request("notify", { message: "look", notifyType: "warning" }),
      { type: "notice.shown", level: "warn", message: "look" },
    ],
    [request("setStatus", { statusKey: "k", statusText: "busy" }), { type: "status.changed", key: "k", text: "busy" }],
    [request("setStatus", { statusKey: "k" }), { type: "status.changed", key: "k", text: null }],
    [
      request("setWidget", { widgetKey: "w", widgetLines: ["1"], widgetPlacement: "belowEditor" }),
      { type: "widget.changed", key: "w", lines: ["1"], placement: "below" },
    ],
    [request("setWidget", { widgetKey: "w" }), { type: "widget.changed", key: "w", lines: null, placement: "above" }],
    [request("setTitle", { title: "t" }), { type: "title.changed", title: "t" }],
    [request("set_editor_text", { text: "next" }), { type: "editor-text.changed", text: "next" }],
  ])("%j is shown and not answered", (frame, event) => {
    const talking = talk();
    const from = talking.sent.length;
    expect(talking.hear(frame)).toMatchObject([event]);
    expect(talking.sent.slice(from)).toEqual([]);
  });

  test("a kind no one knows, or one without its options, is cancelled and reported", () => {
    const talking = talk();
    expect(talking.hear(request("hologram", {}))).toMatchObject([{ type: "fault.reported" }]);
    expect(talking.lastSent).toEqual({ type: "extension_ui_response", id: "q1", cancelled: true });
    talking.hear({ ...request("select", { title: "?" }), id: "q2" });
    expect(talking.lastSent).toEqual({ type: "extension_ui_response", id: "q2", cancelled: true });
  });

  test("one that fails is told with where it is", () => {
    const events = talk().hear({ type: "extension_error", extensionPath: "a.ts", event: "tool_call", error: "boom" });
    expect(events).toMatchObject([{ level: "error", message: "an extension failed (a.ts, tool_call): boom" }]);
  });
});

describe("sessions and settings", () => {
  test("a new session has another name, a loaded one its history", () => {
    const talking = talk();
    talking.say({ type: "start_session", session_file: "/tmp/s2.jsonl" });
    expect(talking.lastSent).toMatchObject({ type: "switch_session", sessionPath: "/tmp/s2.jsonl" });
    const before = {
      messages: [
        { role: "user", content: "before" },
        { role: "assistant", content: [{ type: "text", text: "yes" }] },
      ],
    };
    const data = { switch_session: { cancelled: false }, get_state: { sessionId: "s2" }, get_messages: before };
    for (let round = 0; round < 3; round += 1) answerAll(talking, data);
    expect(talking.events.filter(({ sessionId }) => sessionId === "s2").map(({ type }) => type)).toEqual([
      "settings.changed",
      "session.started",
      "session.activated",
      "message.started",
      "message.finished",
      "message.started",
      "message.finished",
    ]);
  });

  test("a session that pi was started with brings its history", () => {
    answered.clear();
    const talking = new DialectTalk(createPiDialect({ resume: "/tmp/s1.jsonl" }));
    for (let round = 0; round < 2; round += 1) {
      answerAll(talking, { get_messages: { messages: [{ role: "user", content: "before" }] } });
    }
    expect(talking.types()).toContain("agent.readied");
    expect(talking.events.at(-1)).toMatchObject({ type: "message.finished", message: { role: "user" } });
  });

  test("a session that an extension does not want to leave stays", () => {
    const talking = talk();
    talking.say({ type: "reset" });
    expect(talking.lastSent).toMatchObject({ type: "new_session" });
    answerAll(talking, { new_session: { cancelled: true } });
    expect(talking.events.at(-1)).toMatchObject({ type: "command.failed" });
  });

  test("a model is set by its full name or by its id, and one that is not there is refused", () => {
    const talking = talk();
    talking.say({ type: "set_config", key: "model", value: "m2" });
    expect(talking.lastSent).toMatchObject({ type: "set_model", provider: "acme", modelId: "m2" });
    answerAll(talking);
    const [, changed] = talking.events.slice(-2);
    expect(changed).toMatchObject({ type: "settings.changed", settings: [{ value: "acme:m2" }, {}] });
    expect(talking.say({ type: "set_config", key: "model", value: "m9" })).toMatchObject([
      { type: "command.failed", message: expect.stringContaining("acme:m1, acme:m2") },
    ]);
  });

  test("models and statistics are answered in the front end's frames", () => {
    const talking = talk();
    talking.say({ type: "list_models" });
    talking.say({ type: "stats" });
    answerAll(talking);
    expect(talking.events.filter(({ type }) => type === "command.answered")).toMatchObject([
      { command: "models_list", answer: { providers: [{ id: "acme", models: [{ id: "m1", name: "Acme 1" }, {}] }] } },
      { command: "stats", answer: { stats: { cost: 0.001 } } },
    ]);
  });

  test("pictures go along with the prompt", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "see", images: [{ data: "AAA", mime_type: "image/jpeg" }] });
    expect(talking.lastSent).toMatchObject({ images: [{ type: "image", data: "AAA", mimeType: "image/jpeg" }] });
  });
});

describe("what no one expected", () => {
  test.each<[object]>([
    [{ type: "marvel" }],
    [{ type: "message_end" }],
    [{ type: "extension_ui_request" }],
    [{ type: "response", command: "bash", success: true }],
    [{}],
  ])("%j is reported and the talk goes on", (frame) => {
    const talking = prompted();
    expect(talking.hear(frame)).toMatchObject([{ type: "fault.reported" }]);
    talking.hear(...message("ok"), ...settled);
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });

  test("known events that say nothing are passed over", () => {
    const talking = prompted();
    expect(talking.hear({ type: "entry_appended", entry: {} }, { type: "session_info_changed" })).toEqual([]);
  });
});
