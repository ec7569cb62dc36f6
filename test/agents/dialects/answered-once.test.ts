// Whatever an agent sends and a person does, in whatever order: no dialect throws, every question of the agent gets exactly
// one answer unless the agent took it back, every dialog closes, and turns begin and end in pairs.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClaudeDialect } from "../../../src/agents/dialects/claude/claude-dialect.js";
import { createCodeliaDialect } from "../../../src/agents/dialects/codelia/codelia-dialect.js";
import { createCodexDialect } from "../../../src/agents/dialects/codex/codex-dialect.js";
import type { Dialect } from "../../../src/agents/dialects/dialect.js";
import type { JsonObject } from "../../../src/agents/dialects/frames/json-frame.js";
import { createLinesDialect } from "../../../src/agents/dialects/lines/lines-dialect.js";
import { createPiDialect } from "../../../src/agents/dialects/pi/pi-dialect.js";
import { createBareRpcDialect } from "../../../src/agents/dialects/rpc/rpc-dialect.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import { verifies } from "../../verifies.js";
import { assistant, canUse, claudeResult, init, stream, toolResult } from "./claude/claude-frames.js";
import { DialectTalk } from "./dialect-talk.js";

interface Wire {
  readonly name: string;
  create(): Dialect;
  /** A question with this id. */
  question(id: string): JsonObject;
  /** The id that a sent frame answers, if it answers one. */
  answeredId(frame: JsonObject): unknown;
  /** The frame that takes a question back, where the wire has one. */
  takeBack?(id: string): JsonObject;
  readonly frames: readonly JsonObject[];
}

const event = (seq: number, body: JsonObject) => ({
  method: "agent.event",
  params: { run_id: "r1", seq, event: body },
});

const wires: readonly Wire[] = [
  {
    name: "claude",
    create: createClaudeDialect,
    question: (id) => canUse(id, { tool_name: "Bash", input: { command: "x" } }),
    answeredId: (frame) => (frame.type === "control_response" ? (frame.response as JsonObject).request_id : undefined),
    takeBack: (id) => ({ type: "control_cancel_request", request_id: id }),
    frames: [
      init(),
      ...stream("m1", ["a", "b"]),
      assistant("m2", [{ type: "tool_use", id: "t1", name: "Edit", input: null }]),
      toolResult("t1", "x", { filePath: 1 }),
      claudeResult(),
      claudeResult({ is_error: true, errors: ["x"], queued_turn_count: 1 }),
      { type: "control_response", response: { subtype: "success", request_id: "palaver-1", response: {} } },
      { type: "system", subtype: "api_retry" },
    ],
  },
  {
    name: "pi",
    create: createPiDialect,
    question: (id) => ({ type: "extension_ui_request", id, method: "input", title: "T" }),
    answeredId: (frame) => (frame.type === "extension_ui_response" ? frame.id : undefined),
    frames: [
      { type: "agent_start" },
      { type: "agent_end", messages: [] },
      { type: "agent_end", messages: [], willRetry: true },
      { type: "agent_settled" },
      { type: "queue_update", steering: ["x"], followUp: [] },
      { type: "message_end", message: { role: "assistant", content: [], stopReason: "error" } },
      { type: "response", command: "get_state", success: true, data: { sessionId: "s" } },
      { type: "response", command: "prompt", success: false, error: "no" },
    ],
  },
  {
    name: "codelia",
    create: createCodeliaDialect,
    question: (id) => ({ id, method: "ui.confirm.request", params: { title: "T", message: "" } }),
    answeredId: (frame) => ("result" in frame || "error" in frame ? frame.id : undefined),
    frames: [
      { id: "palaver-1", result: { protocol_version: "0" } },
      { id: "palaver-3", result: { run_id: "r1" } },
      event(0, { type: "text", content: "x" }),
      event(4, { type: "final", content: "y" }),
      { method: "run.status", params: { run_id: "r1", status: "completed" } },
      { method: "run.status", params: { run_id: "r1", status: "error" } },
    ],
  },
  {
    name: "codex",
    create: createCodexDialect,
    question: (id) => ({ id, method: "item/commandExecution/requestApproval", params: { itemId: "c1", command: "x" } }),
    answeredId: (frame) => ("result" in frame || "error" in frame ? frame.id : undefined),
    takeBack: (id) => ({ method: "serverRequest/resolved", params: { requestId: id } }),
    frames: [
      { id: "palaver-1", result: { codexHome: "/x" } },
      { id: "palaver-3", result: { thread: { id: "t1" } } },
      { id: "palaver-4", result: { turn: { id: "u1" } } },
      { method: "turn/started", params: { turn: { id: "u2" } } },
      { method: "item/agentMessage/delta", params: { itemId: "m", delta: "x" } },
      { method: "item/completed", params: { item: { type: "agentMessage", id: "m", text: "xy" } } },
      { method: "turn/completed", params: { turn: { id: "u1", status: "completed" } } },
      { method: "turn/completed", params: { turn: { id: "u2", status: "failed" } } },
    ],
  },
  {
    name: "rpc",
    create: createBareRpcDialect,
    question: (id) => ({ id, method: "input", params: { title: "T" } }),
    answeredId: ({ id }) => id,
    takeBack: (id) => ({ method: "cancel", params: { id } }),
    frames: [{ method: "notify", params: { message: "x" } }],
  },
  {
    name: "lines",
    create: createLinesDialect,
    question: (id) => ({ type: "ui_request", id, method: "input", params: { title: "T" } }),
    answeredId: (frame) => (frame.type === "ui_response" ? frame.id : undefined),
    takeBack: (id) => ({ type: "ui_cancel", id }),
    frames: [
      { type: "ready", protocol_version: "1" },
      { type: "event", event: { type: "agent_end", data: [[]] } },
      { type: "event", event_seq: 3, event: { type: "turn_start" } },
      { type: "ui_notify", params: { message: "x" } },
    ],
  },
];

type Move =
  | { readonly do: "hear"; readonly place: number }
  | { readonly do: "mangled"; readonly place: number; readonly frame: JsonObject }
  | { readonly do: "ask"; readonly id: string }
  | { readonly do: "take-back"; readonly id: string }
  | { readonly do: "answer"; readonly id: string }
  | { readonly do: "say"; readonly command: LinesCommand };

const anyId = fc.constantFrom("q1", "q2", "q3");
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constant("hear" as const), place: fc.nat(20) }),
  fc.record({
    do: fc.constant("mangled" as const),
    place: fc.nat(20),
    frame: fc.dictionary(
      fc.constantFrom("type", "method", "message", "response", "params", "event", "id"),
      fc.jsonValue(),
    ),
  }),
  fc.record({ do: fc.constant("ask" as const), id: anyId }),
  fc.record({ do: fc.constant("take-back" as const), id: anyId }),
  fc.record({ do: fc.constant("answer" as const), id: anyId }),
  fc.record({
    do: fc.constant("say" as const),
    command: fc.constantFrom<LinesCommand>(
      { type: "prompt", text: "go" },
      { type: "abort" },
      { type: "reset" },
      { type: "list_models" },
      { type: "set_config", key: "model", value: "x" },
    ),
  }),
);

/** Plays the moves and counts, for each question, how often it was asked, taken back and answered. */
function play(wire: Wire, moves: readonly Move[]) {
  const talking = new DialectTalk(wire.create());
  const asked = { count: 0, takenBack: 0, refused: 0 };
  const before = () => talking.events.length;
  for (const move of moves) {
    const from = before();
    if (move.do === "say") talking.say(move.command);
    else if (move.do === "ask") talking.hear(wire.question(move.id));
    else if (move.do === "answer") talking.answer(move.id, null);
    else if (move.do === "take-back") {
      if (wire.takeBack !== undefined) talking.hear(wire.takeBack(move.id));
      asked.takenBack += talking.events.slice(from).filter(({ type }) => type === "ask.withdrawn").length;
    } else {
      const frame = wire.frames[move.place % wire.frames.length] ?? {};
      talking.hear(move.do === "mangled" ? { ...frame, ...move.frame } : frame);
    }
  }
  talking.leave();
  talking.close();
  asked.count = talking.types().filter((type) => type === "ask.raised").length;
  asked.refused = refusals(talking).length;
  return { talking, asked };
}

function refusals({ events }: DialectTalk) {
  return events.filter((event) => event.type === "fault.reported" && event.fault.message.includes("is already open"));
}

describe.each(wires)("$name", (wire) => {
  test("every question is answered once or taken back, and every turn that begins ends", () => {
    verifies("asks.exactly-one-outcome", "asks.request-answered-once");
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 40 }), (moves) => {
        const { talking, asked } = play(wire, moves);
        const ids = new Set(["q1", "q2", "q3"]);
        const answers = talking.sent.filter((frame) => ids.has(String(wire.answeredId(frame))));
        expect(answers.length).toBe(asked.count - asked.takenBack + asked.refused);
        let isOpen = false;
        for (const type of talking.types()) {
          if (type === "prompt.started") {
            expect(isOpen).toBe(false);
            isOpen = true;
          } else if (type === "prompt.finished") isOpen = false;
        }
        expect(isOpen).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test("a second question with an id that is open is refused at once, with words, and the first still waits", () => {
    const talking = new DialectTalk(wire.create());
    talking.hear(wire.question("q1"));
    const from = talking.sent.length;
    talking.hear(wire.question("q1"));
    expect(talking.asked).toHaveLength(1);
    expect(talking.sent.slice(from).map(wire.answeredId)).toEqual(["q1"]);
    expect(refusals(talking)).toHaveLength(1);
    expect(talking.answer("q1", null).map(wire.answeredId)).toEqual(["q1"]);
  });

  test("an id may be used again after its answer, and a late answer to the first question settles nothing", () => {
    const talking = new DialectTalk(wire.create());
    talking.hear(wire.question("q1"));
    talking.answer("q1", null);
    talking.hear(wire.question("q1"));
    const [, second] = talking.asked;
    expect(second?.id).not.toBe("q1");
    expect(talking.answer("q1", true)).toEqual([]);
    expect(talking.answer(second?.id ?? "", null).map(wire.answeredId)).toEqual(["q1"]);
  });
});
