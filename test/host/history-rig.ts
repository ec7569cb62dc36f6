// A history with readers whose connection can be cut at any byte, and what a front end would have on its screen after it.

import { SseDecoder } from "../../src/agents/dialects/frames/sse-decoder.js";
import { StreamWords } from "../../src/agents/remote/stream-words.js";
import type { AskOutcome } from "../../src/contract/asks.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { ChangeSignal } from "../../src/host/change-signal.js";
import { HistoryReader, placeOf } from "../../src/host/history-reader.js";
import { frameOf, keptItem, type SessionItem } from "../../src/host/kept-item.js";
import { type HistoryLimits, SessionHistory } from "../../src/host/session-history.js";
import type { ReadItem, TranscriptFile } from "../../src/host/transcript-file.js";
import type { Block } from "../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript } from "../../src/session/transcript/transcript.js";
import type { Timers } from "../../src/system/timers.js";

/** Nobody waits: a reader that has nothing to say gives its heartbeat at once. */
const atOnce: Timers = {
  after(_delayMs, action) {
    let isOff = false;
    queueMicrotask(() => isOff || action());
    return () => {
      isOff = true;
    };
  },
};

export class HistoryRig {
  readonly bell = new ChangeSignal(atOnce);
  readonly history: SessionHistory;
  readonly written: { item: SessionItem; seq: number }[] = [];
  /** How much of the file is there; what was rotated away is not. */
  lostItems = 0;

  constructor(limits: Partial<HistoryLimits>, firstSeq = 1_000, file: Pick<TranscriptFile, "write"> | null = null) {
    this.history = new SessionHistory({
      firstSeq,
      before: "nothing",
      write: (item, seq, begins) => {
        this.written.push({ item, seq });
        file?.write(item, seq, begins);
      },
      bell: this.bell,
      bounds: limits,
    });
  }

  append(item: SessionItem | SessionEvent): void {
    this.history.append(
      "kind" in item && "event" in item ? item : "settled" in item ? item : { kind: "event", event: item },
    );
  }

  reader(lastId: string | null, frontEnd = "me"): HistoryReader {
    const read = this.read.bind(this);
    const { history, bell } = this;
    return new HistoryReader({
      history,
      bell,
      file: { read },
      place: placeOf(lastId),
      frontEnd,
      timers: atOnce,
      heartbeatMs: 1,
    });
  }

  private async *read(afterSeq: number, upToSeq: number): AsyncGenerator<ReadItem, void, void> {
    if (this.lostItems === 0) yield "beginning";
    for (const { item, seq } of this.written.slice(this.lostItems)) {
      if (seq > afterSeq && seq <= upToSeq) yield keptItem(seq, frameOf(item), {});
    }
  }
}

/** A front end that follows a history and can lose its connection. */
export class Viewer {
  readonly events: SessionEvent[] = [];
  readonly status = new Map<string, string | null>();
  readonly openAsks = new Set<string>();
  private readonly rig: HistoryRig;
  private readonly words: StreamWords;
  private readonly blocks = new Map<string, Block>();
  private readonly titles = new Map<string, string>();
  private transcript = emptyTranscript;
  private connection: { reader: HistoryReader; decoder: SseDecoder } | null = null;

  constructor(rig: HistoryRig) {
    this.rig = rig;
    this.words = new StreamWords({
      onEvent: (event) => this.hear(event),
      onAskSettled: (askId, outcome) => this.settled(askId, outcome),
      nowMs: () => 0,
      onEnded: () => undefined,
      onHello: () => undefined,
    });
  }

  /** Reads what there is, or only the beginning of it, after which the connection is gone. Says whether there was anything. */
  async read(bytesMax = Number.POSITIVE_INFINITY): Promise<"news" | "nothing"> {
    this.connection ??= { reader: this.rig.reader(this.words.lastId), decoder: new SseDecoder() };
    const { reader, decoder } = this.connection;
    const text = (await reader.next()) ?? "";
    const bytes = new TextEncoder().encode(text);
    for (const event of decoder.push(bytes.slice(0, bytesMax))) this.words.take(event);
    if (bytesMax < bytes.length) this.disconnect();
    return text.startsWith(":") || text === "" ? "nothing" : "news";
  }

  async readAll(): Promise<void> {
    while ((await this.read()) === "news");
  }

  disconnect(): void {
    this.connection?.reader.stop();
    this.connection = null;
  }

  /** The blocks in the order in which they appeared, without what differs by the moment of looking. */
  shown(): object[] {
    return [...this.blocks.values()].map(({ id: _, ...block }) =>
      block.kind === "tool" ? { ...block, startedAtMs: null, endedAtMs: null } : block,
    );
  }

  private hear(event: SessionEvent): void {
    this.events.push(event);
    if (event.type === "status.changed") this.status.set(event.key, event.text);
    if (event.type === "ask.raised") {
      this.openAsks.add(event.ask.id);
      this.titles.set(event.ask.id, event.ask.question.params.title);
    }
    this.reduce(event);
  }

  private settled(askId: string, outcome: AskOutcome): void {
    if (!this.openAsks.delete(askId)) return;
    this.reduce({ type: "ask.settled", title: this.titles.get(askId) ?? askId, outcome: outcome.kind });
  }

  private reduce(input: Parameters<typeof reduceTranscript>[1]): void {
    const { state, changes } = reduceTranscript(this.transcript, input, 0);
    this.transcript = state;
    for (const change of changes) if (change.type !== "grew") this.blocks.set(change.block.id, change.block);
    for (const block of state.open) this.blocks.set(block.id, block);
  }
}
