// Whatever an agent sends, in whatever order: the machine never throws, answers every request exactly once, and leaves
// nothing open when the agent is gone.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { greeting, options, readyStage, SESSION, Stage } from "./stage.js";

const methods = [
  "session/request_permission",
  "fs/read_text_file",
  "fs/write_text_file",
  "terminal/create",
  "terminal/output",
  "terminal/wait_for_exit",
  "terminal/kill",
  "terminal/release",
  "elicitation/create",
  "no/such/method",
];

const paramsOf: Record<string, JsonObject> = {
  "session/request_permission": { toolCall: { toolCallId: "t1", title: "x", kind: "edit" }, options },
  "fs/read_text_file": { path: "/a" },
  "fs/write_text_file": { path: "/a", content: "x" },
  "terminal/create": { command: "ls" },
  "elicitation/create": { mode: "form", message: "?", requestedSchema: { properties: { a: { type: "string" } } } },
};

type Act =
  | { does: "ask"; method: string }
  | { does: "answer"; result: unknown }
  | { does: "perform"; ok: boolean }
  | { does: "progress" }
  | { does: "take-back"; nth: number }
  | { does: "abort" }
  | { does: "prompt" }
  | { does: "end" }
  | { does: "close" };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom(...methods).map((method) => ({ does: "ask" as const, method })),
  fc
    .constantFrom<unknown>(
      { choiceId: "yes-1" },
      { choiceId: "always" },
      { choiceId: "no" },
      null,
      true,
      { a: "b" },
      "once",
    )
    .map((result) => ({ does: "answer" as const, result })),
  fc.boolean().map((ok) => ({ does: "perform" as const, ok })),
  fc.nat(3).map((nth) => ({ does: "take-back" as const, nth })),
  fc.constantFrom<Act>({ does: "progress" }, { does: "abort" }, { does: "prompt" }, { does: "end" }, { does: "close" }),
);

class Play {
  readonly stage = readyStage();
  readonly ids: (string | number)[] = [];

  run(step: Act): void {
    const { stage } = this;
    const effect = stage.effects.findLast((candidate) => candidate.type !== "wait" && candidate.type !== "hang-up");
    const effectId = effect !== undefined && "id" in effect ? effect.id : "none";
    if (step.does === "ask") this.ids.push(stage.asks(step.method, paramsOf[step.method] ?? { terminalId: "term-1" }));
    else if (step.does === "answer") this.answer(step.result);
    else if (step.does === "perform") stage.performed(effectId, step.ok ? done : { ok: false, message: "no" });
    else if (step.does === "progress") stage.progressed(effectId, { kind: "started" });
    else if (step.does === "take-back") this.takeBack(step.nth);
    else if (step.does === "abort") stage.wants({ type: "abort" });
    else if (step.does === "prompt") stage.prompt();
    else if (step.does === "end") this.end();
    else stage.wants({ type: "close_session", session_id: SESSION });
  }

  private answer(result: unknown): void {
    const open = this.stage.of("ask.raised").at(-1)?.ask;
    if (open !== undefined) this.stage.answers(result, open);
  }

  private takeBack(nth: number): void {
    const requestId = this.ids.at(-1 - nth);
    this.stage.says({
      jsonrpc: "2.0",
      method: "$/cancel_request",
      params: requestId === undefined ? {} : { requestId },
    });
  }

  private end(): void {
    const prompt = this.stage.sent.findLast(({ method }) => method === "session/prompt");
    if (prompt !== undefined) this.stage.says({ jsonrpc: "2.0", id: prompt["id"], result: { stopReason: "end_turn" } });
  }
}

const done = {
  ok: true,
  value: {
    ...{ realPath: "/a", workspace: "/w", place: "outside", exists: true, looksSecret: false, isText: true },
    ...{ oldText: null, text: "", exitCode: 0, signal: null },
  },
} as const;

describe("the machine", () => {
  test("answers every request exactly once, whatever happens in between", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const play = new Play();
        for (const step of acts) play.run(step);
        play.stage.leaves().dies();
        for (const id of play.ids) expect(play.stage.answerTo(id), String(id)).toBeDefined();
        const raised = play.stage.of("ask.raised").length;
        expect(play.stage.of("ask.withdrawn").length).toBeLessThanOrEqual(raised);
        const started = play.stage.of("prompt.started").length;
        expect(play.stage.of("prompt.finished")).toHaveLength(started);
      }),
      { numRuns: 150 },
    );
  });

  test("takes any frame without throwing, in any state", () => {
    const method = fc.constantFrom(...methods, "session/update", "$/cancel_request", "elicitation/complete");
    const frame = fc.record(
      {
        jsonrpc: fc.constant("2.0"),
        id: fc.oneof(fc.nat(6), fc.string(), fc.constant(null)),
        method,
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 30 }), (frames) => {
        for (const stage of [new Stage(), new Stage().replies("initialize", greeting), readyStage().prompt()]) {
          for (const one of frames) stage.says(one as JsonObject);
          stage.dies();
        }
      }),
      { numRuns: 150 },
    );
  });

  test("takes any update of a known kind without throwing", () => {
    const kind = fc.constantFrom(
      "agent_message_chunk",
      "user_message_chunk",
      "tool_call",
      "tool_call_update",
      "plan",
      "notice",
      "config_option_update",
    );
    const loose = fc.record(
      {
        content: fc.jsonValue(),
        toolCallId: fc.string(),
        title: fc.jsonValue(),
        rawInput: fc.jsonValue(),
        entries: fc.jsonValue(),
        configOptions: fc.jsonValue(),
        locations: fc.jsonValue(),
        _meta: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, loose), { maxLength: 20 }), (updates) => {
        const stage = readyStage().prompt();
        for (const [sessionUpdate, fields] of updates) stage.update({ sessionUpdate, ...fields });
        stage.dies();
      }),
      { numRuns: 150 },
    );
  });

  test("refuses a request whose id is still in use, and answers the first one all the same", () => {
    const stage = readyStage().prompt();
    stage.asks("session/request_permission", paramsOf["session/request_permission"] ?? {}, 5);
    stage.says({ jsonrpc: "2.0", id: 5, method: "fs/read_text_file", params: { sessionId: SESSION, path: "/a" } });
    expect(stage.sent.filter(({ id, method }) => id === 5 && method === undefined)).toMatchObject([
      { error: { code: -32600 } },
    ]);
    stage.answers({ choiceId: "yes-1" });
    expect(stage.sent.at(-1)).toMatchObject({ id: 5, result: {} });
  });

  test("does not answer again when what was begun for a request ends after it was taken back", () => {
    const stage = readyStage().prompt();
    const id = stage.asks("fs/read_text_file", { path: "a" });
    stage.says({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } });
    stage.performs("file.read", { text: "late" });
    expect(stage.answerTo(id)).toMatchObject({ error: { code: -32800 } });
  });

  test("reports lines that are no frames and answers no one asked for, and continues", () => {
    const stage = readyStage();
    stage.reads({ kind: "text", text: "Loading…" });
    stage.reads({
      kind: "fault",
      fault: { name: "frameTooLong", message: "a line of 33554433 bytes is over the limit", excerpt: "" },
    });
    stage.says({ jsonrpc: "2.0", id: 4711, result: {} });
    expect(stage.of("log.written")).toMatchObject([{ text: "Loading…" }]);
    expect(stage.of("fault.reported")).toHaveLength(2);
    expect(stage.prompt().ends().of("prompt.finished")).toHaveLength(1);
  });

  test("takes a number for the name of a tool call, everywhere", () => {
    const stage = readyStage().prompt();
    stage.update({ sessionUpdate: "tool_call", toolCallId: 7, title: "Read it", kind: "read" });
    stage.asks("session/request_permission", { toolCall: { toolCallId: 7 }, options });
    stage.answers({ choiceId: "yes-1" });
    stage.update({ sessionUpdate: "tool_call_update", toolCallId: 7, status: "completed" }).ends();
    expect(stage.of("fault.reported")).toEqual([]);
    expect(stage.blocks().closed).toMatchObject([{ kind: "tool", toolCallId: "7", phase: "done" }]);
  });

  test("reports what is said of a session that no one opened, once, and not what comes early or late", () => {
    const text = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hello?" } };
    const stage = new Stage().replies("initialize", greeting).update(text);
    stage.replies("session/new", { sessionId: SESSION });
    stage.wants({ type: "close_session", session_id: SESSION }).replies("session/close", {}).update(text);
    expect(stage.of("fault.reported")).toEqual([]);
    stage.update(text, "ghost").update(text, "ghost");
    expect(stage.of("fault.reported").map(({ fault }) => fault.message)).toEqual(["unknown session: ghost"]);
  });

  test.each([
    [{ code: -32603, data: { details: "the model is away" } }, "the model is away"],
    [{ code: -7 }, "no reason was given (code -7)"],
    ["out of paper", "out of paper"],
  ])("puts the error %j into words", (error, words) => {
    const stage = readyStage().prompt();
    stage.says({ jsonrpc: "2.0", id: stage.request("session/prompt")["id"], error });
    expect(stage.of("agent.failed")).toMatchObject([{ message: words }]);
    expect(stage.of("prompt.finished")).toHaveLength(1);
  });

  test("says goodbye: running turns are stopped, questions closed, requests answered, sessions closed", () => {
    const stage = readyStage().prompt();
    const id = stage.asks("session/request_permission", paramsOf["session/request_permission"] ?? {});
    stage.leaves();
    expect(stage.methods()).toEqual(expect.arrayContaining(["session/cancel", "session/close"]));
    expect(stage.answerTo(id)).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(stage.of("ask.withdrawn")).toHaveLength(1);
  });
});
