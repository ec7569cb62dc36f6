// Plays recorded conversations of agents that have a channel for requests beside their stream of events, which are all but those
// of the Agent Client Protocol. The recorded client's requests become commands of a front end; its answers are given again as
// they were.

import type { Dialect, DialectStep } from "../../../src/agents/dialects/dialect.js";
import { type JsonObject, readLine } from "../../../src/agents/dialects/frames/json-frame.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { type Channel, claude, codelia, codex, type Frame, lines, pi, rpc } from "./recorded-channels.js";
import { blocksOf, type Replayed } from "./replayed.js";
import type { TraceEntry } from "./trace.js";

const channels = { claude, pi, codelia, codex, lines, rpc } as const;

export function replaySideChannel(protocol: keyof typeof channels, entries: readonly TraceEntry[]): Replayed {
  return new SideChannelReplay(channels[protocol]).run(entries);
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
    this.take(this.dialect.close(this.nowMs, 0));
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
