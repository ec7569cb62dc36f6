// The dialects of other agents, fed with frames no agent should send, in any order, between the commands of a front end. No
// step throws, every event fits the contract and passes the reducers of the front end, and closing withdraws every question.
//
// A line `{"say": …}` is a command of the front end, `{"performed": id, "value": …}` the result of an effect, and anything
// else a frame of the agent.

import { createAcpDialect } from "../../../../src/agents/dialects/acp/acp-dialect.js";
import { createClaudeDialect } from "../../../../src/agents/dialects/claude/claude-dialect.js";
import { createCodeliaDialect } from "../../../../src/agents/dialects/codelia/codelia-dialect.js";
import { createCodexDialect } from "../../../../src/agents/dialects/codex/codex-dialect.js";
import type { Dialect, DialectStep } from "../../../../src/agents/dialects/dialect.js";
import { createFrameDecoder, type Decoded } from "../../../../src/agents/dialects/frames/frame-decoder.js";
import { type JsonObject, writeLine } from "../../../../src/agents/dialects/frames/json-frame.js";
import { createLinesDialect } from "../../../../src/agents/dialects/lines/lines-dialect.js";
import { createPiDialect } from "../../../../src/agents/dialects/pi/pi-dialect.js";
import { createBareRpcDialect } from "../../../../src/agents/dialects/rpc/rpc-dialect.js";
import { linesCommandSchema } from "../../../../src/contract/lines-commands.js";
import { type SessionEvent, sessionEventSchema } from "../../../../src/contract/session-events.js";
import { reduceFacts, startingFacts } from "../../../../src/session/session-facts.js";
import { emptyTranscript, reduceTranscript } from "../../../../src/session/transcript/transcript.js";
import { broken, type FuzzTarget } from "../fuzz-target.js";

/** More than this from one frame is a flood that nobody asked for. */
const EVENTS_PER_STEP_MAX = 20_000;

type AnyDialect = Dialect<{ readonly id: string }>;

const createAcp = () =>
  createAcpDialect({
    workspace: "/home/ada/parser",
    clientVersion: "0",
    command: { command: "agent", args: [] },
    hasVariable: () => false,
  });

const dialects: Readonly<Record<string, () => AnyDialect>> = {
  "lines-dialect": () => createLinesDialect(),
  acp: () => createAcp() as unknown as AnyDialect,
  claude: createClaudeDialect,
  pi: createPiDialect,
  codelia: createCodeliaDialect,
  codex: createCodexDialect,
  "bare-rpc": createBareRpcDialect,
};

export const dialectTargets: readonly FuzzTarget[] = Object.entries(dialects).map(([name, create]) => ({
  name,
  shape: "json-lines",
  check: (bytes) => play(bytes, create()),
}));

/** An opened dialect that takes one line of a corpus after the other and says what a front end hears of it. */
export function dialectNamed(name: string): (line: JsonObject) => readonly SessionEvent[] {
  const dialect = dialects[name]?.() ?? broken(`there is no dialect ${name}`);
  let nowMs = 0;
  dialect.open(nowMs);
  return (frame) => stepOf(dialect, { kind: "frame", frame }, ++nowMs).events;
}

function play(bytes: Uint8Array, dialect: AnyDialect): void {
  const listener = new Listener();
  listener.take(dialect.open(0));
  let nowMs = 0;
  for (const item of itemsIn(bytes)) {
    nowMs += 10;
    listener.take(stepOf(dialect, item, nowMs));
    listener.settle(item);
  }
  listener.take(dialect.leave(nowMs));
  listener.take(dialect.close(nowMs, null));
  listener.expectNoneOpen();
}

function itemsIn(bytes: Uint8Array): Decoded<JsonObject>[] {
  const decoder = createFrameDecoder<JsonObject>((frame) => ({ kind: "frame", frame }));
  return [...decoder.push(bytes), ...decoder.end()];
}

function stepOf(dialect: AnyDialect, item: Decoded<JsonObject>, nowMs: number): DialectStep<{ readonly id: string }> {
  const frame = item.kind === "frame" ? item.frame : {};
  const said = linesCommandSchema.safeParse(frame["say"]).data;
  if (said !== undefined) return dialect.command(said, nowMs);
  const { performed, progressed, value, ok } = frame;
  if (typeof progressed === "string") return dialect.progressed(progressed, value, nowMs);
  if (typeof performed !== "string") return dialect.read(item, nowMs);
  return dialect.performed(performed, ok === false ? { ok, message: "no" } : { ok: true, value }, nowMs);
}

/** What a front end would do with it all. */
class Listener {
  private readonly open = new Set<string>();
  private transcript = emptyTranscript;
  private front = startingFacts;

  take({ events, frames }: DialectStep<{ readonly id: string }>): void {
    if (events.length > EVENTS_PER_STEP_MAX) broken(`one frame became ${events.length} events`);
    for (const event of events) this.hear(event);
    for (const frame of frames) JSON.parse(writeLine(frame));
  }

  /** Whoever answered closes the dialog himself. */
  settle(item: Decoded<JsonObject>): void {
    const said = item.kind === "frame" ? linesCommandSchema.safeParse(item.frame["say"]).data : undefined;
    if (said?.type === "ui_response") this.open.delete(said.id);
  }

  expectNoneOpen(): void {
    if (this.open.size > 0) broken(`${this.open.size} questions stay open`);
  }

  private hear(event: SessionEvent): void {
    const { error } = sessionEventSchema.safeParse(event);
    if (error !== undefined) broken(`an event does not fit: ${event.type} ${error.message.slice(0, 300)}`);
    this.transcript = reduceTranscript(this.transcript, event, 0).state;
    this.front = reduceFacts(this.front, event, 0).state;
    if (event.type === "ask.raised") this.raise(event.ask.id);
    else if (event.type === "ask.withdrawn") this.open.delete(event.askId);
  }

  private raise(id: string): void {
    if (this.open.has(id)) broken("a question is asked twice under one id");
    this.open.add(id);
  }
}
