// codelia's runtime in Palaver's own words: the handshake with its bits, numbered events, runs and their ends, questions.
import { describe, expect, test } from "vitest";
import { createCodeliaDialect } from "../../../../src/agents/dialects/codelia/codelia-dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { DialectTalk } from "../dialect-talk.js";

const callOf = (talking: DialectTalk, method: string) =>
  talking.sent.findLast((frame) => frame.method === method) ?? {};

function answer(talking: DialectTalk, method: string, result: unknown): void {
  talking.hear({ jsonrpc: "2.0", id: callOf(talking, method).id, result });
}

function talk(bits: JsonObject = { supports_permission_preflight_events: true }): DialectTalk {
  const talking = new DialectTalk(createCodeliaDialect({ clientVersion: "1.2.3" }));
  answer(talking, "initialize", { protocol_version: "0", server: { name: "c" }, server_capabilities: bits });
  answer(talking, "model.list", { provider: "acme", models: ["m1", "m2"], current: "m1" });
  return talking;
}

function running(bits?: JsonObject): DialectTalk {
  const talking = talk(bits);
  talking.say({ type: "prompt", text: "go" });
  answer(talking, "run.start", { run_id: "r1", session_id: "s1" });
  return talking;
}

const notice = (method: string, params: JsonObject) => ({ jsonrpc: "2.0", method, params });
const status = (word: string, fields: JsonObject = {}) =>
  notice("run.status", { run_id: "r1", status: word, ...fields });
const event = (seq: number, body: JsonObject) => notice("agent.event", { run_id: "r1", seq, event: body });
const request = (id: string, method: string, params: JsonObject) => ({ jsonrpc: "2.0", id, method, params });

describe("the handshake", () => {
  test("says who is there and what it can ask, and is ready with the answer", () => {
    const talking = new DialectTalk(createCodeliaDialect({ clientVersion: "1.2.3" }));
    expect(talking.lastSent).toMatchObject({
      jsonrpc: "2.0",
      id: expect.any(String),
      method: "initialize",
      params: {
        protocol_version: "0",
        client: { name: "palaver", version: "1.2.3" },
        ui_capabilities: {
          supports_confirm: true,
          supports_prompt: true,
          supports_pick: true,
          supports_permission_preflight_events: true,
        },
      },
    });
    expect(talk().events).toMatchObject([
      { type: "agent.readied", protocolVersion: "0" },
      {
        type: "settings.changed",
        settings: [{ key: "model", value: "m1", options: [{ value: "m1" }, { value: "m2" }] }],
      },
    ]);
  });

  test("a refused handshake, another version and silence are told in words", () => {
    const refused = new DialectTalk(createCodeliaDialect());
    const { id } = refused.lastSent;
    expect(refused.hear({ jsonrpc: "2.0", id, error: { code: -32000, message: "no" } })).toMatchObject([
      { type: "agent.failed", message: expect.stringContaining("no") },
    ]);
    const newer = new DialectTalk(createCodeliaDialect());
    answer(newer, "initialize", { protocol_version: "1" });
    expect(newer.types()).toEqual(["agent.readied", "notice.shown"]);
    expect(new DialectTalk(createCodeliaDialect()).waited("ready")).toMatchObject([{ type: "agent.failed" }]);
  });

  test("a session to go on with plays its history", () => {
    const talking = new DialectTalk(createCodeliaDialect({ clientVersion: "0", resume: "s7" }));
    answer(talking, "initialize", { protocol_version: "0" });
    expect(talking.lastSent).toMatchObject({ method: "session.history", params: { session_id: "s7" } });
    talking.hear(notice("agent.event", { run_id: "old", seq: 0, event: { type: "text", content: "before" } }));
    expect(talking.blocks).toMatchObject([{ kind: "prose", text: "before" }]);
  });
});

describe("a run", () => {
  test("becomes messages, thoughts and tools, and the last text is shown once", () => {
    const talking = running();
    talking.hear(
      event(0, { type: "step_start" }),
      event(1, { type: "reasoning", content: "hm" }),
      event(2, { type: "tool_call", tool: "ls", args: { path: "." }, tool_call_id: "c1" }),
      event(3, { type: "tool_result", tool: "ls", tool_call_id: "c1", result: { type: "json", value: [1] } }),
      event(4, { type: "step_complete" }),
      event(5, { type: "text", content: "Done." }),
      event(6, { type: "final", content: "Done.\n" }),
      status("completed"),
    );
    expect(talking.blocks).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "tool", name: "ls", output: "[\n  1\n]", phase: "done" },
      { kind: "prose", text: "Done." },
    ]);
    expect(talking.types()).toContain("turn.started");
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });

  test("a final text that no one has seen is shown", () => {
    const talking = running();
    talking.hear(event(0, { type: "final", content: "Only here." }));
    expect(talking.blocks).toMatchObject([{ kind: "prose", text: "Only here." }]);
  });

  test("a gap in the numbers is noticed, a repeated number is not shown again", () => {
    const talking = running();
    talking.hear(event(0, { type: "text", content: "a" }), event(3, { type: "text", content: "b" }));
    talking.hear(event(3, { type: "text", content: "b" }), event(1, { type: "text", content: "late" }));
    expect(talking.events.filter(({ type }) => type === "events.missed")).toMatchObject([{ count: 2 }]);
    expect(talking.blocks.filter(({ kind }) => kind === "prose")).toHaveLength(2);
  });

  test("the status has the last word: completed, failed or cancelled, and never twice", () => {
    const talking = running();
    talking.hear(status("running"), status("awaiting_ui"), status("running"));
    expect(talking.types()).not.toContain("prompt.finished");
    talking.hear(status("error", { message: "no key" }), status("completed"));
    expect(talking.types("working.changed").slice(-2)).toEqual(["agent.failed", "prompt.finished"]);
  });

  test("a run that is named and over before its own answer arrives stays over", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "go" });
    talking.hear(event(0, { type: "final", content: "quick" }), status("completed"));
    answer(talking, "run.start", { run_id: "r1", session_id: "s1" });
    expect(talking.types("working.changed").slice(-2)).toEqual(["prompt.finished", "session.started"]);
    talking.say({ type: "prompt", text: "again" });
    expect(callOf(talking, "run.start")).toMatchObject({ params: { session_id: "s1", input: { text: "again" } } });
  });

  test("a run that cannot start is over, and a second prompt waits for the first", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "go" });
    expect(talking.say({ type: "prompt", text: "more" })).toMatchObject([{ type: "command.failed", code: -32022 }]);
    const { id } = callOf(talking, "run.start");
    talking.hear({ jsonrpc: "2.0", id, error: { code: -32001, message: "busy" } });
    expect(talking.types("working.changed").slice(-2)).toEqual(["command.failed", "prompt.finished"]);
  });

  test("cost and context are told", () => {
    const talking = running();
    const summary = { total_tokens: 15, total_input_tokens: 10, total_output_tokens: 5, total_cost_usd: 0.5 };
    talking.hear(
      notice("run.context", { run_id: "r1", context_left_percent: 80 }),
      notice("run.diagnostics", { run_id: "r1", kind: "run_summary", summary }),
      status("completed"),
    );
    expect(talking.events).toContainEqual({ type: "usage.changed", sessionId: "s1", context: { used: 20, size: 100 } });
    expect(talking.events.at(-1)).toMatchObject({
      usage: { input: 10, output: 5, total_tokens: 15, cost: { total: 0.5 } },
    });
  });

  test("retries and compaction are told", () => {
    const talking = running();
    const retry = {
      type: "llm.retry",
      provider: "acme",
      failure_kind: "overloaded",
      next_attempt: 2,
      max_attempts: 5,
      delay_ms: 1500,
    };
    expect(talking.hear(event(0, retry))).toMatchObject([
      { type: "notice.shown", message: "acme overloaded: attempt 2 of 5 in 2 s" },
      { type: "working.changed" },
    ]);
    expect(talking.hear(event(1, { ...retry, next_attempt: 3 }))).toHaveLength(1);
    talking.hear(event(2, { type: "compaction_start" }), event(3, { type: "compaction_complete", compacted: true }));
    expect(talking.types().slice(-3)).toEqual(["working.changed", "working.changed", "notice.shown"]);
  });
});

describe("stopping", () => {
  test("cancels once, refuses what is open, and ends when the status says so", () => {
    const talking = running();
    talking.hear(request("q1", "ui.confirm.request", { title: "Sure?", message: "" }));
    const from = talking.sent.length;
    talking.say({ type: "abort" });
    talking.say({ type: "abort" });
    expect(talking.sent.slice(from)).toMatchObject([
      { id: "q1", result: { ok: false } },
      { method: "run.cancel", params: { run_id: "r1" } },
    ]);
    talking.hear(status("cancelled"));
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });

  test("a run that has no name yet is cancelled as soon as it has one", () => {
    const talking = talk();
    talking.say({ type: "prompt", text: "go" });
    talking.say({ type: "abort" });
    expect(callOf(talking, "run.cancel")).toEqual({});
    answer(talking, "run.start", { run_id: "r1" });
    expect(callOf(talking, "run.cancel")).toMatchObject({ params: { run_id: "r1" } });
  });

  test("a cancel that is refused can be tried again", () => {
    const talking = running();
    talking.say({ type: "abort" });
    const { id } = callOf(talking, "run.cancel");
    expect(talking.hear({ jsonrpc: "2.0", id, error: { code: -32000, message: "no" } })).toMatchObject([
      { type: "command.failed" },
    ]);
    talking.say({ type: "abort" });
    expect(callOf(talking, "run.cancel").id).not.toBe(id);
  });

  test("at the end of the connection everything is closed, once", () => {
    const talking = running();
    talking.hear(request("q1", "ui.prompt.request", { title: "Name", message: "" }));
    expect(talking.close().map(({ type }) => type)).toEqual(["ask.withdrawn", "prompt.finished"]);
    expect(talking.close()).toEqual([]);
  });
});

describe("permissions", () => {
  const preview = {
    type: "permission.preview",
    tool: "edit",
    tool_call_id: "c1",
    file_path: "a.ts",
    diff: "+x",
    truncated: true,
  };
  const ready = { type: "permission.ready", tool: "edit", tool_call_id: "c1" };
  const confirm = {
    run_id: "r1",
    title: "Run edit?",
    message: "a.ts",
    confirm_label: "Allow",
    allow_remember: true,
    allow_reason: true,
  };

  test("without an announcement are about the calls that wait, and show all of them", () => {
    const talking = running();
    const call = (id: string, command: string) =>
      ({ type: "tool_call", tool: "bash", args: { command }, tool_call_id: id }) as const;
    talking.hear(
      event(0, call("c0", "ls")),
      event(1, { type: "tool_result", tool: "bash", tool_call_id: "c0", result: "" }),
    );
    talking.hear(event(2, call("c1", "sudo rm -rf ~")), event(3, call("c2", "make")));
    talking.hear(request("q1", "ui.confirm.request", { run_id: "r1", title: "List files?" }));
    expect(talking.asked).toMatchObject([
      {
        origin: { kind: "tool", name: "bash" },
        question: {
          params: {
            opts: {
              tool: "bash",
              tool_call_id: "c1",
              command: "sudo rm -rf ~",
              details: [{ name: "waits, too", value: 'bash {"command":"make"}' }],
            },
          },
        },
      },
    ]);
  });

  test("are previewed, announced once, and then asked about that tool", () => {
    const talking = running();
    const events = talking.hear(event(0, preview), event(1, ready), event(2, ready), status("awaiting_ui"));
    expect(events).toMatchObject([
      { type: "permission.previewed", tool: "edit", toolCallId: "c1", filePath: "a.ts", diff: "+x", truncated: true },
      { type: "permission.readied", tool: "edit", toolCallId: "c1" },
    ]);
    talking.hear(request("q1", "ui.confirm.request", confirm), request("q2", "ui.confirm.request", confirm));
    expect(talking.asked).toMatchObject([
      {
        origin: { kind: "tool", name: "edit" },
        question: {
          kind: "confirm",
          params: {
            title: "Run edit?",
            message: "a.ts",
            opts: {
              confirm_label: "Allow",
              allow_remember: true,
              allow_reason: true,
              tool: "edit",
              tool_call_id: "c1",
            },
          },
        },
      },
      { origin: { kind: "agent" } },
    ]);
  });

  test.each([
    [
      "changed after they were announced",
      { args: { command: "ls" } },
      { args: { command: "sudo rm -rf ~" } },
      "sudo rm -rf ~",
    ],
    ["that are a list", {}, { args: ["sudo rm -rf ~"] }, "sudo rm -rf ~"],
    ["that came as a text", {}, { raw_args: '{"command":"sudo rm -rf ~"}' }, "sudo rm -rf ~"],
  ])("show arguments %s", (_, before, after, expected) => {
    const talking = running();
    const call = { type: "tool_call", tool: "bash", tool_call_id: "c1" };
    talking.hear(
      event(0, { ...call, ...before }),
      event(1, { ...ready, tool: "bash" }),
      event(2, { ...call, ...after }),
    );
    talking.hear(request("q1", "ui.confirm.request", confirm));
    expect(JSON.stringify(talking.asked.at(-1)?.question.params)).toContain(expected);
  });

  test("show what the tool is called with, and every field that is not known", () => {
    const talking = running();
    const args = { command: "ls", path: "src", sandbox: false };
    const call = { type: "tool_call", tool: "bash", tool_call_id: "c1", args };
    talking.hear(event(0, call), event(1, { ...preview, env: "A=1" }), event(2, { ...ready, tool: "bash" }));
    expect(talking.events).toContainEqual(expect.objectContaining({ summary: "env: A=1" }));
    talking.hear(request("q1", "ui.confirm.request", { ...confirm, network: "open" }));
    expect(talking.asked[0]?.question.params).toMatchObject({
      opts: {
        command: "ls",
        path: "src",
        details: [
          { name: "sandbox", value: "false" },
          { name: "network", value: "open" },
        ],
      },
    });
  });

  test.each<[unknown, object]>([
    [true, { ok: true }],
    [false, { ok: false }],
    [null, { ok: false }],
    [
      { ok: true, remember: true },
      { ok: true, remember: true },
    ],
    [
      { ok: false, remember: true, reason: "use b.ts" },
      { ok: false, reason: "use b.ts" },
    ],
  ])("the answer %j becomes %j", (value, result) => {
    const talking = running();
    talking.hear(request("q1", "ui.confirm.request", confirm));
    expect(talking.answer("q1", value)).toEqual([{ jsonrpc: "2.0", id: "q1", result }]);
  });

  const texts = [
    event(0, { type: "text", content: "Planned edit diff preview:\n-a\n+b" }),
    event(1, { type: "text", content: "Permission preflight ready for edit." }),
  ];

  test("a runtime without the events says it in texts, which are then understood", () => {
    const talking = running({});
    expect(talking.hear(...texts)).toMatchObject([
      { type: "permission.previewed", tool: "edit", diff: "-a\n+b" },
      { type: "permission.readied", tool: "edit" },
    ]);
    talking.hear(request("q1", "ui.confirm.request", confirm));
    expect(talking.asked[0]?.origin).toEqual({ kind: "tool", name: "edit" });
  });

  test("with the events agreed on, the same texts are texts", () => {
    const talking = running();
    talking.hear(...texts);
    expect(talking.types()).not.toContain("permission.previewed");
    expect(talking.blocks).toHaveLength(2);
  });
});

describe("questions", () => {
  test.each<[string, JsonObject, object, unknown, object]>([
    [
      "ui.prompt.request",
      { title: "Key", message: "Yours.", secret: true },
      { kind: "input", params: { title: "Key", message: "Yours.", opts: { secret: true } } },
      "hush",
      { value: "hush" },
    ],
    [
      "ui.prompt.request",
      { title: "Text", multiline: true, default_value: "a\nb" },
      { kind: "editor", params: { title: "Text", prefill: "a\nb" } },
      null,
      { value: null },
    ],
    [
      "ui.pick.request",
      { title: "Which?", items: [{ id: "a", label: "A", detail: "first" }], multi: true },
      {
        kind: "select",
        params: {
          title: "Which?",
          options: [{ value: "a", label: "A", description: "first" }],
          opts: { multiple: true },
        },
      },
      ["a"],
      { ids: ["a"] },
    ],
    [
      "ui.pick.request",
      { title: "Which?", items: [{ id: "a", label: "A" }] },
      {
        kind: "select",
        params: {
          title: "Which?",
          options: [{ value: "a", label: "A", description: null }],
          opts: { multiple: false },
        },
      },
      null,
      { ids: [] },
    ],
  ])("%s %j", (method, params, question, value, result) => {
    const talking = running();
    talking.hear(request("q1", method, params));
    expect(talking.asked[0]?.question).toEqual(question);
    expect(talking.answer("q1", value)).toEqual([{ jsonrpc: "2.0", id: "q1", result }]);
  });

  test("a request no one knows, or one without its items, is refused with a number", () => {
    const talking = running();
    talking.hear(request("q1", "client.tool.call", { name: "x" }), request("q2", "ui.pick.request", { title: "?" }));
    expect(talking.sent.slice(-2)).toMatchObject([
      { id: "q1", error: { code: -32601 } },
      { id: "q2", error: { code: -32602 } },
    ]);
    expect(talking.asked).toEqual([]);
  });

  test("an id that is open already is reported and not asked twice", () => {
    const talking = running();
    const twice = request("q1", "ui.confirm.request", { title: "Sure?", message: "" });
    talking.hear(twice, twice);
    expect(talking.asked).toHaveLength(1);
    expect(talking.types().at(-1)).toBe("fault.reported");
  });
});

describe("sessions and models", () => {
  test("are listed, taken up and left", () => {
    const talking = talk();
    talking.say({ type: "list_sessions" });
    answer(talking, "session.list", { sessions: [{ session_id: "s0", updated_at: "2026-01-01" }] });
    expect(talking.events.at(-1)).toMatchObject({
      command: "sessions_list",
      answer: { sessions: [{ id: "s0", timestamp: "2026-01-01" }] },
    });
    talking.say({ type: "start_session", session_file: "s0" });
    expect(talking.lastSent).toMatchObject({ method: "session.history", params: { session_id: "s0" } });
    expect(talking.say({ type: "reset" })).toEqual([{ type: "session.cleared", sessionId: "s0" }]);
    talking.say({ type: "prompt", text: "go" });
    expect(callOf(talking, "run.start").params).not.toHaveProperty("session_id");
  });

  test("a model is set for the session, and an unknown key is refused by name", () => {
    const talking = talk();
    talking.say({ type: "set_config", key: "model", value: "m2" });
    expect(talking.lastSent).toMatchObject({ method: "model.set", params: { name: "m2", scope: "session" } });
    answer(talking, "model.set", { provider: "acme", name: "m2" });
    expect(talking.events.at(-1)).toMatchObject({ settings: [{ value: "m2", options: [{}, {}] }] });
    expect(talking.say({ type: "set_config", key: "colour", value: "x" })).toMatchObject([{ type: "command.failed" }]);
  });
});

describe("what no one expected", () => {
  test.each<[object]>([
    [notice("marvel.happened", {})],
    [notice("agent.event", {})],
    [notice("agent.event", { run_id: "r1", event: { type: "marvel" } })],
    [notice("agent.event", { run_id: "r1", event: { type: "text" } })],
    [notice("run.status", { run_id: "r1", status: "marvelling" })],
    [{ x: 1 }],
    [{ jsonrpc: "2.0", id: null, error: { code: -32700, message: "parse error" } }],
  ])("%j is reported and the run goes on", (frame) => {
    const talking = running();
    expect(talking.hear(frame)).toMatchObject([{ type: "fault.reported" }]);
    talking.hear(status("completed"));
    expect(talking.types().at(-1)).toBe("prompt.finished");
  });

  test("an answer that no one waits for is ignored", () => {
    const talking = running();
    expect(talking.hear({ jsonrpc: "2.0", id: "nobody", result: {} })).toEqual([]);
  });
});
