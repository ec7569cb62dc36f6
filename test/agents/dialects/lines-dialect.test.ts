// Every frame of the lines wire in Palaver's own words; and every event that comes out fits the internal contract.
import { describe, expect, test } from "vitest";
import { createLinesDialect } from "../../../src/agents/dialects/lines/lines-dialect.js";
import { linesOutputSchema, linesOutputSchemas } from "../../../src/contract/lines-outputs.js";
import { type SessionEvent, sessionEventSchema } from "../../../src/contract/session-events.js";
import { examplesOf } from "../../contract/schema-examples.js";

function read(...frames: object[]): SessionEvent[] {
  const dialect = createLinesDialect();
  return frames.flatMap(
    (frame) => dialect.read({ kind: "frame", frame: linesOutputSchema.parse(frame) }, 1_000).events,
  );
}

const event = (type: string, fields: object = {}) => ({ type: "event", session_id: "s1", event: { type, ...fields } });
const question = { type: "ui_request", id: "q1", method: "confirm", params: { title: "Deploy?" } };
const message = { role: "assistant", content: [{ type: "text", text: "hi" }] };

test.each(examplesOf(linesOutputSchemas))("the output %s becomes events that fit the contract", (type, example) => {
  const events = read(...(type === "ui_cancel" ? [question] : []), example);
  expect(events.length).toBeGreaterThan(0);
  for (const happened of events) expect(sessionEventSchema.parse(happened)).toEqual(happened);
});

test.each([
  [{ type: "event", event: { type: "agentEnd", data: [[]] } }, "unknown event: agentEnd; did you mean agent_end?"],
  [{ type: "event", event: { type: "Agent-End" } }, "unknown event: Agent-End; did you mean agent_end?"],
  [{ type: "Event", event: { type: "agent_end" } }, "unknown frame: Event; did you mean event?"],
  [{ type: "agentEnd", data: [[]] }, "unknown frame: agentEnd; did you mean agent_end?"],
  [{ type: "ui_reqest", id: "1" }, "unknown frame: ui_reqest; did you mean ui_request?"],
])("a misspelt type is refused with the one that was meant: %j", (frame, message) => {
  const { events } = createLinesDialect().read({ kind: "frame", frame }, 0);
  expect(events[0]).toMatchObject({ type: "fault.reported", fault: { name: "invalidFrame", message } });
  const isEnd = message.endsWith("agent_end?");
  expect(events.slice(1)).toMatchObject(isEnd ? [{ type: "prompt.finished" }] : []);
});

test("a block that no front end shows is reported once", () => {
  const block = { type: "output_text", text: "lost" };
  const end = event("message_end", { message: { role: "assistant", content: [block, block] } });
  const faults = read(end, end, event("message_end", { message })).flatMap((happened) =>
    happened.type === "fault.reported" ? [happened.fault.message] : [],
  );
  expect(faults).toEqual(["unknown block in a message: output_text; front ends show text, thinking, tool_call, image"]);
});

test("the agent's modes are a setting, at the start and after each change", () => {
  const options = [
    { value: "ask", label: "ask before changes" },
    { value: "read-only", label: "read only" },
  ];
  const modeIn = (frame: object) =>
    read(frame).flatMap((happened) => (happened.type === "settings.changed" ? happened.settings : []));
  const modes = { current: "ask", options };
  const setting = { key: "mode", label: "Mode", kind: "mode", value: "ask", options };
  expect(modeIn({ type: "ready", protocol_version: "2", modes })).toEqual([setting]);
  expect(modeIn({ type: "session_started", session_id: "s", modes })).toEqual([setting]);
  const changed = { type: "config_state", config: {}, modes: { ...modes, current: "read-only" } };
  expect(modeIn(changed)).toEqual([{ ...setting, value: "read-only" }]);
});

test.each([{ type: "weather" }, { type: "event", event: { type: "weather" } }, { type: "ui_notfy" }])(
  "the same unknown type is reported once: %j",
  (frame) => {
    const dialect = createLinesDialect();
    const hear = () => dialect.read({ kind: "frame", frame }, 0).events;
    expect(hear()).toMatchObject([{ type: "fault.reported" }]);
    expect(hear()).toEqual([]);
  },
);

test.each(["ping", "log", "message_stop", "tool_execution_progress", "session_paused", "weather_changed"])(
  "a type that is really new is only unknown: %s",
  (type) => {
    const hear = (frame: Record<string, unknown>) => createLinesDialect().read({ kind: "frame", frame }, 0).events;
    for (const events of [hear({ type }), hear({ type: "event", event: { type, data: [] } })]) {
      expect(events).toMatchObject([{ type: "fault.reported", fault: { name: "unknownType" } }]);
    }
  },
);

test.each<[object, object]>([
  [event("agent_start"), { type: "prompt.started" }],
  [event("agent_end", { messages: [] }), { type: "prompt.finished" }],
  [event("turn_start"), { type: "turn.started" }],
  [event("turn_end", { message, tool_results: [] }), { type: "turn.finished" }],
  [event("message_start", { message }), { type: "message.started", message }],
  [event("message_update", { message }), { type: "message.updated", message }],
  [event("message_end", { message }), { type: "message.finished", message }],
  [
    event("tool_execution_start", { tool_call_id: "c1", tool: "ls", arguments: { path: "." } }),
    { type: "tool.started", toolCallId: "c1", name: "ls", args: { path: "." } },
  ],
  [
    event("tool_execution_update", { tool_call_id: "c1", tool: "ls", arguments: {}, output: "so far" }),
    { type: "tool.updated", toolCallId: "c1", name: "ls", output: "so far" },
  ],
  [
    event("tool_execution_end", { tool_call_id: "c1", tool: "ls", output: { content: "all" }, is_error: true }),
    { type: "tool.finished", toolCallId: "c1", name: "ls", output: { content: "all" }, isError: true },
  ],
  [
    event("permission.preview", { tool: "edit", tool_call_id: "c1", file_path: "a.ts", diff: "+x" }),
    { type: "permission.previewed", tool: "edit", toolCallId: "c1", filePath: "a.ts", diff: "+x", truncated: false },
  ],
  [
    event("permission.preview", { tool: "bash", summary: "ls", sandbox: false }),
    { type: "permission.previewed", tool: "bash", summary: "ls\nsandbox: false", truncated: false },
  ],
  [event("permission.ready", { tool: "edit" }), { type: "permission.readied", tool: "edit" }],
  [event("error", { message: "overloaded" }), { type: "agent.failed", message: "overloaded" }],
])("%j", (frame, expected) => {
  const events = read(frame);
  expect(events).toEqual([{ ...expected, sessionId: "s1" }]);
  for (const happened of events) expect(sessionEventSchema.parse(happened)).toEqual(happened);
});

describe("what else comes over the wire", () => {
  test("warn and warning are one level", () => {
    const levels = ["warn", "warning", undefined, "success"].map(
      (notify_type) => read({ type: "ui_notify", params: { message: "m", notify_type } })[0],
    );
    expect(levels).toMatchObject([{ level: "warn" }, { level: "warn" }, { level: "info" }, { level: "success" }]);
  });

  test("a question's time becomes a moment, and its origin is kept", () => {
    const frame = {
      type: "ui_request",
      id: "q",
      method: "input",
      params: { title: "T" },
      timeout_ms: 500,
      origin: { kind: "mcp", name: "files" },
    };
    expect(read({ ...frame, session_id: "s1" })).toMatchObject([
      {
        type: "ask.raised",
        ask: { id: "q", sessionId: "s1", deadlineMs: 1_500, origin: { kind: "mcp", name: "files" } },
      },
    ]);
  });

  test("fields of a confirmation beside those that are known are shown with it", () => {
    const opts = { details: [{ name: "host", value: "web-1" }] };
    const params = { title: "Deploy?", sh: "sudo rm -rf build", force: true, opts };
    expect(read({ ...question, params })).toMatchObject([
      { ask: { question: { params: { opts: { details: [...opts.details, { name: "sh" }, { name: "force" }] } } } } },
    ]);
  });

  test("a gap in the numbers of a session is noticed, a repeated or late number is none", () => {
    const numbered = (session_id: string, event_seq: number) => ({ ...event("turn_start"), session_id, event_seq });
    const events = read(
      numbered("a", 0),
      numbered("b", 5),
      numbered("a", 1),
      numbered("a", 4),
      numbered("a", 2),
      numbered("a", 5),
      numbered("b", 6),
    );
    expect(events.filter(({ type }) => type === "events.missed")).toEqual([
      { type: "events.missed", sessionId: "a", count: 2 },
    ]);
  });

  test("text and faults are not lost", () => {
    const dialect = createLinesDialect();
    const fault = { name: "malformed" as const, message: "m", excerpt: "e" };
    expect(dialect.read({ kind: "text", text: "loading" }, 0).events).toEqual([
      { type: "log.written", sessionId: null, stream: "stdout", text: "loading" },
    ]);
    expect(dialect.read({ kind: "fault", fault }, 0).events).toEqual([
      { type: "fault.reported", sessionId: null, fault },
    ]);
  });
});
