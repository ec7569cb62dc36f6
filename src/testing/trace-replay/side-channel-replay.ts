// Plays recorded conversations of agents that have a channel for requests beside their stream of events: Claude Code and pi.
// The recorded client's requests become commands of a front end; its answers are given again as they were.
import type { Ask } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { createClaudeDialect } from "../../wire/claude/claude-dialect.js";
import type { Dialect, DialectStep } from "../../wire/dialect.js";
import { type JsonObject, readLine } from "../../wire/json-frame.js";
import { createPiDialect } from "../../wire/pi/pi-dialect.js";
import { blocksOf, fieldsOf, type Replayed } from "./replayed.js";
import type { TraceEntry } from "./trace.js";

type Frame = Readonly<Record<string, unknown>>;

/** What differs between the two. */
type Channel = {
  create(): Dialect;
  /** What a client asks for, as a word that its own requests and ours have in common; null when it asks nothing. */
  wish(frame: Frame): string | null;
  requestId(frame: Frame): unknown;
  /** The same response, to another request. */
  answering(frame: Frame, id: (theirs: unknown) => unknown): Frame;
  command(frame: Frame): LinesCommand | null;
  /** The question that the agent puts to the person, and the answer of the recorded client. */
  question(frame: Frame): string | null;
  answer(frame: Frame): { readonly id: string; readonly result: (ask: Ask) => unknown } | null;
};

const claude: Channel = {
  create: createClaudeDialect,
  wish: ({ type, request }) => (type === "control_request" ? String(fieldsOf(request)["subtype"]) : null),
  requestId: ({ request_id }) => request_id,
  answering(frame, id) {
    if (frame["type"] !== "control_response") return frame;
    const response = fieldsOf(frame["response"]);
    return { ...frame, response: { ...response, request_id: id(response["request_id"]) } };
  },
  command({ type, message, request }) {
    const { subtype, model, mode } = fieldsOf(request);
    if (type === "user") return { type: "prompt", text: promptText(fieldsOf(message)["content"]) };
    if (subtype === "interrupt") return { type: "abort" };
    if (subtype === "set_model") return { type: "set_config", key: "model", value: model };
    return subtype === "set_permission_mode" ? { type: "set_config", key: "mode", value: mode } : null;
  },
  question({ type, request_id, request }) {
    const asks = ["can_use_tool", "elicitation"].includes(String(fieldsOf(request)["subtype"]));
    return type === "control_request" && asks ? String(request_id) : null;
  },
  answer({ type, response }) {
    if (type !== "control_response") return null;
    const { request_id, response: inner } = fieldsOf(response);
    const { behavior, action, content } = fieldsOf(inner);
    const isYes = behavior === "allow" || action === "accept";
    return { id: String(request_id), result: (ask) => answerTo(ask, isYes, content) };
  },
};

const blockingDialogs: readonly unknown[] = ["select", "confirm", "input", "editor"];

const pi: Channel = {
  create: createPiDialect,
  wish: ({ type }) => (type === "extension_ui_response" ? null : String(type)),
  requestId: ({ id }) => id,
  answering: (frame, id) => (frame["type"] === "response" ? { ...frame, id: id(frame["id"]) } : frame),
  command({ type, message }) {
    if (type === "prompt" || type === "steer" || type === "follow_up") return { type: "prompt", text: String(message) };
    if (type === "abort") return { type: "abort" };
    return type === "get_session_stats" ? { type: "stats" } : null;
  },
  question: ({ type, id, method }) =>
    type === "extension_ui_request" && blockingDialogs.includes(method) ? String(id) : null,
  answer({ type, id, value, confirmed }) {
    return type === "extension_ui_response" ? { id: String(id), result: () => value ?? confirmed ?? null } : null;
  },
};

export function replayClaudeTrace(entries: readonly TraceEntry[]): Replayed {
  return new SideChannelReplay(claude).run(entries);
}

export function replayPiTrace(entries: readonly TraceEntry[]): Replayed {
  return new SideChannelReplay(pi).run(entries);
}

class SideChannelReplay {
  private readonly channel: Channel;
  private readonly dialect: Dialect;
  private readonly events: SessionEvent[] = [];
  private readonly openAsks = new Map<string, Ask>();
  private readonly asks: Ask[] = [];
  private readonly sent: JsonObject[] = [];
  private readonly answerCounts = new Map<string, number>();
  /** Our requests that no request of the recording stands for yet, and those that one does. */
  private readonly unpaired: JsonObject[] = [];
  private readonly ourIds = new Map<unknown, unknown>();
  private nowMs = 0;

  constructor(channel: Channel) {
    this.channel = channel;
    this.dialect = channel.create();
  }

  run(entries: readonly TraceEntry[]): Replayed {
    this.take(this.dialect.open(this.nowMs));
    for (const entry of entries) {
      this.nowMs += 1;
      if (entry.from === "agent") this.agent(entry);
      else if (entry.frame !== null) this.client(entry.frame);
    }
    this.take(this.dialect.close(this.nowMs));
    const { events, asks, answerCounts, sent } = this;
    return { events, asks, answerCounts, sent, ...blocksOf(events) };
  }

  private client(frame: Frame): void {
    const { channel } = this;
    const answer = channel.answer(frame);
    const ask = this.openAsks.get(answer?.id ?? "");
    if (answer !== null && ask !== undefined) {
      this.openAsks.delete(ask.id);
      this.command({ type: "ui_response", id: ask.id, result: answer.result(ask), error: null });
    }
    const wish = channel.wish(frame);
    const isAskedAlready = this.unpaired.some((ours) => channel.wish(ours) === wish);
    const command = isAskedAlready ? null : channel.command(frame);
    if (command !== null) this.command(command);
    const index = this.unpaired.findIndex((ours) => channel.wish(ours) === wish);
    const [ours] = index < 0 ? [] : this.unpaired.splice(index, 1);
    if (ours !== undefined) this.ourIds.set(channel.requestId(frame), channel.requestId(ours));
  }

  private agent({ frame, raw }: TraceEntry): void {
    if (frame === null) {
      const content = readLine({ kind: "line", text: raw });
      if (content.kind === "text" || content.kind === "fault") this.take(this.dialect.read(content, this.nowMs));
      return;
    }
    const question = this.channel.question(frame);
    if (question !== null && !this.answerCounts.has(question)) this.answerCounts.set(question, 0);
    const ours = this.channel.answering(frame, (id) => this.ourIds.get(id) ?? id);
    this.take(this.dialect.read({ kind: "frame", frame: { ...ours } }, this.nowMs));
  }

  private command(command: LinesCommand): void {
    this.take(this.dialect.command(command, this.nowMs));
  }

  private take({ events, frames }: DialectStep): void {
    for (const frame of frames) this.heardByAgent(frame);
    for (const event of events) this.heardByPerson(event);
  }

  private heardByAgent(frame: JsonObject): void {
    this.sent.push(frame);
    if (this.channel.wish(frame) !== null) this.unpaired.push(frame);
    const id = this.channel.answer(frame)?.id;
    if (id !== undefined) this.answerCounts.set(id, (this.answerCounts.get(id) ?? 0) + 1);
  }

  // A question that is taken back has found its end without an answer.
  private heardByPerson(event: SessionEvent): void {
    this.events.push(event);
    if (event.type === "ask.raised") {
      this.asks.push(event.ask);
      this.openAsks.set(event.ask.id, event.ask);
    } else if (event.type === "ask.withdrawn") {
      this.openAsks.delete(event.askId);
      if (this.answerCounts.get(event.askId) === 0) this.answerCounts.set(event.askId, 1);
    }
  }
}

function promptText(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => String(fieldsOf(part)["text"] ?? "")).join("\n") : "";
}

function answerTo({ question }: Ask, isYes: boolean, content: unknown): unknown {
  if (question.kind === "permission") return { choiceId: isYes ? "allow" : "reject" };
  if (question.kind === "form") return isYes ? (content ?? {}) : null;
  return isYes;
}
