// The lines wire: frames become session events, other output log lines or faults. Invalid frames are repaired where the meaning
// is clear. Otherwise no side is left waiting: a question is refused, an unreadable `agent_end` still ends the turn, and an
// unreadable `ready` is a failed start.

import type { AgentEvent, PermissionPreview } from "../../../contract/agent-events.js";
import type { AgentCommands, AgentModes } from "../../../contract/capabilities.js";
import type { Fault } from "../../../contract/errors.js";
import { introduction } from "../../../contract/introduction.js";
import type { LinesOutput, UiRequest } from "../../../contract/lines-outputs.js";
import { type Message, unknownBlockWords } from "../../../contract/messages.js";
import { notifyLevelOf } from "../../../contract/notices.js";
import { choiceOfAnswer } from "../../../contract/permission-call.js";
import { knownVersion, unknownVersionWords } from "../../../contract/protocol-versions.js";
import type { SessionEvent } from "../../../contract/session-events.js";
import { type Dialect, type DialectOptions, type DialectStep, START_WAIT_MS, type Wire } from "../dialect.js";
import { DialectBase, type PlainCommand } from "../dialect-base.js";
import { faultOf, type JsonObject, writeLine } from "../frames/json-frame.js";
import { present } from "../frames/lenient-field.js";
import type { AskReply, NewAsk } from "../pending-asks.js";
import { keepNewest } from "../step-builder.js";
import { unknownFieldLines } from "../tool-inputs.js";
import { wireQuestion } from "../wire-question.js";
import { createLegacyPreflight } from "./legacy-preflight.js";
import { decodeOutput } from "./lines-codec.js";
import { answerInOwnValues, eventTypeIn, isNearlyReady, meantType, mendedOutput } from "./lines-mend.js";
import { type Ready, ResumedStart } from "./lines-resume.js";

/** A silent agent may be waiting for `initialize`; it is sent once, before `ready`. */
const INTRODUCE_AFTER_MS = 2_000;

/** How many sessions are remembered. */
const SESSIONS_MAX = 4_096;

type LinesOptions = Pick<DialectOptions, "resume" | "workspace">;

export function createLinesDialect(options: LinesOptions = {}): Dialect {
  return new LinesDialect(options);
}

export const wire: Wire = { create: createLinesDialect, args: (given) => given };

class LinesDialect extends DialectBase {
  private readonly legacy = createLegacyPreflight();
  private readonly sequence = new EventSequence();
  private readonly numberedSessions = new Map<string, number>();
  private readonly options: LinesOptions;
  private resumed: ResumedStart | null = null;

  private canReset = false;

  constructor(options: LinesOptions) {
    super();
    this.options = options;
  }

  protected start(): void {
    this.effects.after(INTRODUCE_AFTER_MS, () => this.isReady || this.out.send(introduction()), "introduce");
    const error = `it sent no "ready" frame within ${START_WAIT_MS / 1_000} s; is its output flushed?`;
    this.effects.after(START_WAIT_MS, () => this.isReady || this.out.want({ type: "hang-up", error }), "ready");
  }

  protected obey(command: PlainCommand): void {
    const introduced = command.type === "initialize" ? this.resumed?.introduced : null;
    if (introduced) this.out.event(...frameEvents(introduced));
    else this.out.send(this.inNumbers(command));
    // Commands are obeyed in order, so the next prompt finds the conversation empty.
    if (command.type === "reset" && this.canReset) {
      const { session_id: id } = command;
      this.out.event({ type: "session.cleared", sessionId: id ?? null, ...present({ replacedBy: id }) });
    }
  }

  protected override sayGoodbye(): void {
    this.out.send({ type: "quit" });
  }

  protected readFrame(object: JsonObject): void {
    if (object.event_seq !== undefined && this.isRepeated(object)) return;
    const decoded = decodeOutput(object);
    const read = decoded.kind === "fault" ? decodeOutput(mendedOutput(object)) : decoded;
    // The fault quotes the frame as it was sent.
    if (read.kind === "frame") this.readOutput(read.frame, object);
    else if (decoded.kind === "fault") this.refuse(object, decoded.fault);
  }

  private readOutput(frame: LinesOutput, object: JsonObject): void {
    const { session_id: number } = object;
    if (typeof number === "number") keepNewest(this.numberedSessions, String(number), number, SESSIONS_MAX);
    if (frame.type === "initialized") this.canReset = frame.server_capabilities.supports_reset === true;
    if (this.resumed?.take(frame)) return;
    switch (frame.type) {
      case "event":
        this.out.event(eventOf(frame.event, frame.session_id ?? null));
        if (frame.event.type === "message_end") this.tellUnknownBlocks(frame.event.message, object);
        if (frame.event.type === "agent_end") this.endQuestions(frame.session_id ?? null);
        return;
      case "ui_request":
        this.ask(frame, object);
        return;
      case "ui_cancel":
        this.asks.withdraw(frame.id, "agent_cancelled");
        return;
      case "ready":
        if (knownVersion(frame.protocol_version) === null) {
          this.out.want({ type: "hang-up", error: unknownVersionWords(frame.protocol_version) });
          return;
        }
        this.greeted(frame);
        return;
    }
    this.out.event(...frameEvents(frame));
  }

  private tellUnknownBlocks(said: Message, object: JsonObject): void {
    for (const words of unknownBlockWords(said)) {
      this.out.faultOnce(null, words, () => faultOf("unknownType", words, writeLine(object)));
    }
  }

  private greeted(frame: Ready): void {
    const { resume: wanted, workspace: folder = "" } = this.options;
    const isFirst = !this.isReady;
    this.isReady = true;
    const begin = (ready: Ready) => this.out.event(...frameEvents(ready));
    const send = (command: PlainCommand) => this.obey(command);
    const { out, effects } = this;
    if (wanted === undefined || !isFirst) begin(frame);
    else this.resumed = new ResumedStart(frame, { out, effects, wanted, folder, send, begin });
  }

  private ask(frame: UiRequest, object: JsonObject): void {
    const response = { type: "ui_response", id: object.id };
    const own = (value: unknown) =>
      frame.method === "permission" ? choiceOfAnswer(value) : answerInOwnValues(object, value);
    const reply = (answer: AskReply) => {
      if (answer.kind === "unanswered") this.out.send({ ...response, result: null, error: answer.reason });
      else this.out.send({ ...response, result: own(answer.value), error: null });
    };
    this.asks.raise(askOf(frame, this.nowMs), reply, object);
  }

  private endQuestions(sessionId: string | null): void {
    this.asks.giveUp("turn_ended", sessionId === null ? "everyone" : { sessionId });
  }

  private refuse(object: JsonObject, fault: Fault): void {
    if (object.type === "ready" && !this.isReady) {
      this.out.want({ type: "hang-up", error: `its "ready" frame is invalid: ${fault.message}` });
      return;
    }
    if (!this.isReady && isNearlyReady(object)) {
      const has = object.type === undefined ? 'has no "type"' : `is of the type "${object.type}"`;
      this.out.want({ type: "hang-up", error: `its first frame ${has}; did you mean "ready"?` });
      return;
    }
    const event = eventTypeIn(object);
    const meant = fault.name === "unknownType" ? meantType(object) : null;
    // A misspelt type is a mistake in the agent; an unknown one may come from a newer agent. Each is reported once.
    const message = `${fault.message}; did you mean ${meant}?`;
    if (meant !== null) this.out.faultOnce(null, message, () => faultOf("invalidFrame", message, fault.excerpt));
    else if (fault.name === "unknownType") this.out.faultOnce(null, fault.message, () => fault);
    else this.out.tell({ type: "fault.reported", fault });
    if (object.type === "ui_request") this.refuseQuestion(object, fault);
    else if (event === "agent_end" || meant === "agent_end")
      this.out.event({ type: "prompt.finished", sessionId: sessionOf(object) });
  }

  // As in JSON-RPC, the answer to a question without a readable id has the id null.
  private refuseQuestion({ id }: JsonObject, { message }: Fault): void {
    const ownId = typeof id === "string" || typeof id === "number" ? id : null;
    this.out.send({ type: "ui_response", id: ownId, result: null, error: message });
  }

  private isRepeated(object: JsonObject): boolean {
    const { event_seq: seq } = object;
    if (typeof seq !== "number" || object.type !== "event") return false;
    const sessionId = sessionOf(object);
    const place = this.sequence.take(sessionId, seq, eventTypeIn(object));
    if (place === "repeated first") {
      this.out.fault("invalidFrame", `event_seq ${seq} was sent before; the repeated event was dropped`, object);
    } else if (typeof place === "number" && place > 0) {
      this.out.event({ type: "events.missed", sessionId, count: place });
    }
    return typeof place === "string";
  }

  // Sessions with numeric ids are addressed by number.
  private inNumbers(command: PlainCommand): JsonObject {
    const id = "session_id" in command ? this.numberedSessions.get(command.session_id as string) : undefined;
    return id === undefined ? { ...command } : { ...command, session_id: id };
  }

  protected override step(nowMs: number, act: () => void): DialectStep {
    const step = super.step(nowMs, act);
    return { ...step, events: this.legacy.read(step.events) };
  }
}

function sessionOf({ session_id: id }: JsonObject): string | null {
  if (typeof id === "number") return String(id);
  return typeof id === "string" ? id : null;
}

class EventSequence {
  private readonly sessions = new Map<string, { lastSeq: number; hasRepeated: boolean }>();

  /** How many events are missing before this one, or that it is repeated; the first repetition in a session is reported. */
  take(sessionId: string | null, seq: number, eventType: string | null): number | "repeated first" | "repeated again" {
    const key = sessionId ?? "";
    const watched = this.sessions.get(key) ?? { lastSeq: seq - 1, hasRepeated: false };
    keepNewest(this.sessions, key, watched, SESSIONS_MAX);
    const { lastSeq, hasRepeated } = watched;
    const isNewCount = seq === 0 || (seq < lastSeq && eventType === "agent_start");
    // A repeated agent_end counts, because without it the turn would never end.
    if (seq <= lastSeq && !isNewCount && eventType !== "agent_end") {
      watched.hasRepeated = true;
      return hasRepeated ? "repeated again" : "repeated first";
    }
    watched.lastSeq = isNewCount ? seq : Math.max(seq, lastSeq);
    return Math.max(0, seq - lastSeq - 1);
  }
}

/** Frames that the dialect does not handle itself. */
type PlainFrame = Exclude<LinesOutput, { type: "event" | "ui_request" | "ui_cancel" }>;

function frameEvents(frame: PlainFrame): SessionEvent[] {
  const sessionId = "session_id" in frame && typeof frame.session_id === "string" ? frame.session_id : null;
  switch (frame.type) {
    case "ready": {
      const { ui = true, protocol_version: protocolVersion, active_session_id = null, model } = frame;
      const named = model ? { model: `${model.provider}:${model.id}` } : {};
      const readied = { type: "agent.readied", ui, protocolVersion, ...named, sessionId: active_session_id } as const;
      return [readied, ...offerEvents(frame, active_session_id)];
    }
    case "error":
      return [{ type: "command.failed", sessionId, message: frame.message, ...present({ code: frame.code }) }];
    case "session_started":
      return [{ type: "session.started", sessionId, ...present({ cwd: frame.cwd }) }, ...offerEvents(frame, sessionId)];
    case "session_closed":
      return [{ type: "session.closed", sessionId, reason: frame.reason ?? "normal" }];
    case "active_session":
      return [{ type: "session.activated", sessionId }];
    case "ui_notify": {
      const { message, level } = frame.params;
      return [{ type: "notice.shown", sessionId, level: notifyLevelOf(level), message }];
    }
    case "ui_status":
      return [{ type: "status.changed", sessionId, key: frame.params.key, text: frame.params.text }];
    case "ui_widget": {
      const { key, content, opts } = frame.params;
      const lines = typeof content === "string" ? content.split("\n") : content;
      return [{ type: "widget.changed", sessionId, key, lines, placement: opts?.placement ?? "above" }];
    }
    case "ui_working":
      return [{ type: "working.changed", sessionId, message: frame.params.message }];
    case "ui_set_title":
      return [{ type: "title.changed", sessionId, title: frame.params.title }];
    case "ui_set_editor_text":
      return [{ type: "editor-text.changed", sessionId, text: frame.params.text }];
    case "config_state": {
      const answer = { config: frame.config };
      return [...offerEvents(frame, sessionId), { type: "command.answered", sessionId, command: frame.type, answer }];
    }
    default: {
      const { type: command, ...answer } = frame;
      return [{ type: "command.answered", sessionId, command, answer }];
    }
  }
}

/** What the user may choose of the agent's: its commands and modes. */
function offerEvents(
  { commands, modes }: { commands?: AgentCommands | undefined; modes?: AgentModes | undefined },
  sessionId: string | null,
): SessionEvent[] {
  const events: SessionEvent[] = commands === undefined ? [] : [{ type: "commands.changed", sessionId, commands }];
  if (modes === undefined) return events;
  const setting = { key: "mode", label: "Mode", kind: "mode" as const, value: modes.current, options: modes.options };
  return [...events, { type: "settings.changed", sessionId, settings: [setting] }];
}

function eventOf(event: AgentEvent, sessionId: string | null): SessionEvent {
  switch (event.type) {
    case "agent_start":
      return { type: "prompt.started", sessionId };
    case "agent_end":
      return { type: "prompt.finished", sessionId, ...present({ usage: event.usage }) };
    case "turn_start":
      return { type: "turn.started", sessionId };
    case "turn_end":
      return { type: "turn.finished", sessionId };
    case "message_start":
      return { type: "message.started", sessionId, message: event.message };
    case "message_update":
      return { type: "message.updated", sessionId, message: event.message };
    case "message_delta":
      return { type: "message.grew", sessionId, index: event.index, kind: event.kind, delta: event.delta };
    case "message_end":
      return { type: "message.finished", sessionId, message: event.message };
    case "tool_execution_start":
      return {
        type: "tool.started",
        sessionId,
        toolCallId: event.tool_call_id,
        name: event.tool,
        args: event.arguments,
      };
    case "tool_execution_update":
      return {
        type: "tool.updated",
        sessionId,
        toolCallId: event.tool_call_id,
        name: event.tool,
        output: event.output,
      };
    case "tool_execution_end": {
      const { tool_call_id: toolCallId, tool: name, output, is_error: isError } = event;
      return { type: "tool.finished", sessionId, toolCallId, name, output, isError };
    }
    case "permission.preview":
      return previewOf(event, sessionId);
    case "permission.ready":
      return {
        type: "permission.readied",
        sessionId,
        tool: event.tool,
        ...present({ toolCallId: event.tool_call_id }),
      };
    case "error":
      return { type: "agent.failed", sessionId, message: event.message };
  }
}

function previewOf(preview: PermissionPreview, sessionId: string | null): SessionEvent {
  const { tool, truncated = false, tool_call_id: toolCallId, file_path: filePath, language, diff } = preview;
  const said = [preview.summary ?? "", ...unknownFieldLines(preview, PREVIEW_FIELDS)].filter(Boolean).join("\n");
  const shown = present({ toolCallId, filePath, language, diff, summary: said || preview.summary });
  return { type: "permission.previewed", sessionId, tool, truncated, ...shown };
}

/** Known fields of a preview; others are added to its summary. */
const PREVIEW_FIELDS = [
  "type",
  "tool",
  "tool_call_id",
  "file_path",
  "language",
  "diff",
  "summary",
  "truncated",
  "session_id",
];

function askOf(frame: UiRequest, nowMs: number): NewAsk {
  const { kind, name } = frame.origin ?? { kind: "agent" as const };
  return {
    id: frame.id,
    sessionId: frame.session_id ?? null,
    origin: { kind, ...present({ name }) },
    question: wireQuestion(frame),
    deadlineMs: frame.timeout_ms === undefined ? null : nowMs + frame.timeout_ms,
  };
}
