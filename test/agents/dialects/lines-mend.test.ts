// Mistakes that agents make on the lines wire: most are understood, and those that are not leave no side waiting.
import { describe, expect, test } from "vitest";
import { START_WAIT_MS } from "../../../src/agents/dialects/dialect.js";
import { createLinesDialect } from "../../../src/agents/dialects/lines/lines-dialect.js";
import { DialectTalk } from "./dialect-talk.js";

const talk = () => new DialectTalk(createLinesDialect());
const ready = { type: "ready", protocol_version: "1" };
const event = (body: object, fields: object = {}) => ({ type: "event", session_id: "s1", event: body, ...fields });
const message = { role: "assistant", content: "hi" };
const select = (params: object, fields: object = {}) => ({
  type: "ui_request",
  id: "q",
  method: "select",
  params: { title: "Which?", ...params },
  ...fields,
});

describe("a frame whose meaning is clear is understood:", () => {
  test.each<[name: string, frame: object, expected: object]>([
    ["a version as a number", { type: "ready", protocol_version: 1 }, { type: "agent.readied", protocolVersion: "1" }],
    ["no version", { type: "ready" }, { type: "agent.readied", protocolVersion: "1" }],
    ["a session as a number", { ...ready, active_session_id: 7 }, { type: "agent.readied", sessionId: "7" }],
    ["an event without data", event({ type: "agent_end" }), { type: "prompt.finished", sessionId: "s1" }],
    ["data that is null", event({ type: "agent_end", data: null }), { type: "prompt.finished" }],
    ["data as an object", event({ type: "message_end", data: message }), { type: "message.finished", message }],
    ["a turn that ends without data", event({ type: "turn_end" }), { type: "turn.finished" }],
    ["an event as a word", event("agent_start" as never), { type: "prompt.started" }],
    ["a flat event", { type: "agent_start", session_id: "s1" }, { type: "prompt.started", sessionId: "s1" }],
    ["a flat event with data", { type: "message_end", data: [message] }, { type: "message.finished", message }],
    ["a tool call with a number", event({ type: "tool_execution_start", data: [3, "ls"] }), { toolCallId: "3" }],
    ["a number as text", event({ type: "agent_start" }, { event_seq: "4" }), { type: "prompt.started" }],
    [
      "a time as text",
      select({ options: [] }, { timeout_ms: "500" }),
      { type: "ask.raised", ask: { deadlineMs: 1_500 } },
    ],
  ])("%s", (_name, frame, expected) => {
    expect(talk().hear(frame)).toMatchObject([expected]);
  });

  test.each<[name: string, options: unknown[], chosen: string, answer: unknown]>([
    ["options as words", ["red", "blue"], "blue", "blue"],
    ["options as numbers", [1, 2], "2", 2],
    ["values as numbers", [{ label: "one", value: 1 }], "1", 1],
    ["labels alone", [{ label: "one" }], "one", "one"],
  ])("%s, answered in the agent's own values", (_name, options, chosen, answer) => {
    const talking = talk();
    talking.hear(select({ options }));
    expect(talking.asked[0]?.question).toMatchObject({ kind: "select" });
    expect(talking.answer("q", chosen)).toEqual([{ type: "ui_response", id: "q", result: answer, error: null }]);
  });

  test("several choices and fields of a form with numbers for values are answered with numbers", () => {
    const several = talk();
    several.hear(select({ options: [1, 2, 3], opts: { multiple: true } }));
    expect(several.answer("q", ["1", "3"])).toMatchObject([{ result: [1, 3] }]);
    const form = talk();
    const fields = [
      { name: "port", label: "Port", kind: "select", options: [80, 443] },
      { name: "host", label: "Host", kind: "text" },
    ];
    form.hear({ type: "ui_request", id: "f", method: "form", params: { title: "T", fields } });
    expect(form.answer("f", { port: "443", host: "a" })).toMatchObject([{ result: { port: 443, host: "a" } }]);
  });

  test("a question with a number for an id is answered and withdrawn under that number", () => {
    const talking = talk();
    talking.hear(select({ options: ["a"] }, { id: 4 }));
    const [first] = talking.asked;
    expect(talking.answer(first?.id ?? "", "a")).toEqual([{ type: "ui_response", id: 4, result: "a", error: null }]);
    talking.hear(select({ options: ["a"] }, { id: 4 }));
    expect(talking.hear({ type: "ui_cancel", id: 4 })).toMatchObject([{ type: "ask.withdrawn" }]);
  });

  test("an agent whose sessions have numbers hears its numbers again", () => {
    const talking = talk();
    talking.hear({ type: "event", session_id: 7, event: { type: "agent_start" } });
    talking.say({ type: "abort", session_id: "7" });
    expect(talking.lastSent).toEqual({ type: "abort", session_id: 7 });
  });
});

describe("a frame that cannot be understood leaves no side waiting:", () => {
  test.each<[name: string, frame: object, id: unknown]>([
    ["a question without params", { type: "ui_request", id: "q", method: "confirm" }, "q"],
    ["an unknown kind of question", { type: "ui_request", id: 9, method: "slider", params: { title: "T" } }, 9],
    ["a time that is no number", select({ options: [] }, { timeout_ms: "soon" }), "q"],
    ["options that are no list", select({ options: "a, b" }), "q"],
  ])("%s is answered with an error at once", (_name, frame, id) => {
    const talking = talk();
    expect(talking.hear(frame)).toMatchObject([{ type: "fault.reported" }]);
    expect(talking.lastSent).toMatchObject({ type: "ui_response", id, result: null, error: expect.any(String) });
  });

  test("a question without an id is told, and refused with the id null", () => {
    const talking = talk();
    const [told] = talking.hear({ type: "ui_request", method: "confirm", params: { title: "T" } });
    expect(told).toMatchObject({
      type: "fault.reported",
      fault: { message: expect.stringContaining("ui_request: id") },
    });
    expect(talking.lastSent).toMatchObject({ type: "ui_response", id: null, error: expect.any(String) });
  });

  test.each([
    ["data that does not fit", { type: "event", session_id: "s1", event: { type: "agent_end", data: ["done"] } }],
    ["a flat one", { type: "agent_end", session_id: "s1", data: 4 }],
  ])("an end of the turn with %s ends it", (_name, frame) => {
    const types = talk()
      .hear(frame)
      .map(({ type, sessionId }) => [type, sessionId]);
    expect(types).toEqual([
      ["fault.reported", null],
      ["prompt.finished", "s1"],
    ]);
  });

  test("a turn that ends closes the questions of its session, and tells the agent", () => {
    const talking = talk();
    talking.hear(select({ options: ["a"] }, { session_id: "s1" }), select({ options: ["a"] }, { id: "other" }));
    const events = talking.hear(event({ type: "agent_end", data: [[]] }));
    expect(events.map(({ type }) => type)).toEqual(["prompt.finished", "ask.withdrawn"]);
    expect(talking.sent).toMatchObject([{ type: "ui_response", id: "q", error: "turn_ended" }]);
  });
});

describe("a start that fails is ended:", () => {
  test("a ready frame that does not fit, with what is wrong", () => {
    const talking = talk();
    talking.hear({ type: "ready", protocol_version: "1", cwd: 4 });
    expect(talking.effects.at(-1)).toMatchObject({
      type: "hang-up",
      error: expect.stringMatching(/its "ready" frame is invalid: ready: cwd/),
    });
  });

  test("no ready frame in time, after the agent was asked for one", () => {
    const talking = talk();
    expect(talking.effects).toContainEqual({ type: "wait", id: "ready", delayMs: START_WAIT_MS });
    talking.waited("introduce");
    expect(talking.lastSent).toMatchObject({ type: "initialize" });
    talking.waited("ready");
    expect(talking.effects.at(-1)).toEqual({
      type: "hang-up",
      error: 'it sent no "ready" frame within 30 s; is its output flushed?',
    });
  });

  test("and an agent that is ready is left alone", () => {
    const talking = talk();
    talking.hear(ready);
    talking.waited("introduce");
    talking.waited("ready");
    expect(talking.sent).toEqual([]);
    expect(talking.effects.map(({ type }) => type)).toEqual(["wait", "wait"]);
  });
});

describe("the numbers of events", () => {
  const numbered = (seq: number, type: string, data?: unknown[]) => event({ type, data }, { event_seq: seq });

  test("an event that comes twice under one number is shown once, and that is told once", () => {
    const talking = talk();
    const said = (seq: number) => numbered(seq, "message_end", [message]);
    talking.hear(numbered(0, "agent_start"), said(1), said(1), said(1), numbered(2, "agent_end", [[]]));
    expect(talking.types()).toEqual(["prompt.started", "message.finished", "fault.reported", "prompt.finished"]);
  });

  test("an agent that counts again with each prompt loses nothing", () => {
    const talking = talk();
    const turn = [numbered(1, "agent_start"), numbered(2, "message_end", [message]), numbered(3, "agent_end", [[]])];
    talking.hear(...turn, ...turn);
    const once = ["prompt.started", "message.finished", "prompt.finished"];
    expect(talking.types()).toEqual([...once, ...once]);
  });

  test("an agent that does not count at all loses nothing", () => {
    const talking = talk();
    talking.hear(numbered(0, "agent_start"), numbered(0, "message_end", [message]), numbered(0, "agent_end", [[]]));
    expect(talking.types()).toEqual(["prompt.started", "message.finished", "prompt.finished"]);
  });

  test("an agent that never counts further still ends its turn", () => {
    const talking = talk();
    talking.hear(numbered(5, "agent_start"), numbered(5, "turn_start"), numbered(5, "agent_end", [[]]));
    expect(talking.types()).toEqual(["prompt.started", "fault.reported", "prompt.finished"]);
  });

  test("an unknown event is told once and not counted as lost", () => {
    const talking = talk();
    const unknown = (seq: number) => numbered(seq, "weather_changed", []);
    talking.hear(numbered(0, "agent_start"), unknown(1), unknown(2), unknown(3), numbered(4, "turn_start"));
    expect(talking.types()).toEqual(["prompt.started", "fault.reported", "turn.started"]);
  });
});
