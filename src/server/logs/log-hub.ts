// The log of a daemon: lines with ids, the newest kept. A reader is a position in the shared history, so a slow one costs no
// memory and blocks no other reader; when the history moves past its position, it gets the number of lost lines.
import type { LogEntry, StreamEventName } from "../../contract/daemon.js";
import { type MessageKind, messageTypes } from "../../contract/handler-types.js";
import { BoundedHistory } from "../../host/bounded-history.js";
import { realTimers, type Timers } from "../../system/timers.js";

export interface LogLine {
  readonly content: string;
  readonly kind: MessageKind;
  readonly tabTitle: string;
  readonly handlerName: string;
  readonly handlerColor?: string;
  readonly progress?: "none" | "opens" | "closes";
  readonly isStreaming?: boolean;
}

export interface LogHubOptions {
  readonly linesMax?: number;
  readonly bytesMax?: number;
  readonly nowMs?: () => number;
  readonly timers?: Timers;
}

/** An event without content: something changed. Readers may merge several into one. */
export type Announcement = Exclude<StreamEventName, "lost">;

/** A line with its server-sent event, which is built once for all readers. */
export interface KeptLine {
  readonly entry: LogEntry;
  readonly frame: string;
  readonly weight: number;
}

/** Some lines in a row as one text. */
export interface LogBatch {
  readonly text: string;
  readonly nextSeq: number;
}

const LINES_KEPT_MAX = 10_000;
const BYTES_KEPT_MAX = 16 * 1024 * 1024;
const CONTENT_CHARS_MAX = 64 * 1024;

/** Readers wake together, so that a flood of lines becomes a few large writes. */
const WAKE_DELAY_MS = 4;

export class LogHub {
  readonly numbers: LineNumbers;
  private readonly history: BoundedHistory<KeptLine>;
  private readonly announced = new Map<Announcement, number>();
  private readonly waiting = new Set<() => void>();
  private readonly taps = new Set<(entry: LogEntry) => void>();
  private redact: (text: string) => string = (text) => text;
  private readonly nowMs: () => number;
  private readonly timers: Timers;
  private lastBatch: (LogBatch & { readonly fromSeq: number; readonly endSeq: number }) | null = null;
  private wakeIsComing = false;
  private closed = false;

  constructor(options: LogHubOptions = {}) {
    const { linesMax = LINES_KEPT_MAX, bytesMax = BYTES_KEPT_MAX } = options;
    this.history = new BoundedHistory({ itemsMax: linesMax, weightMax: bytesMax });
    this.nowMs = options.nowMs ?? Date.now;
    this.timers = options.timers ?? realTimers;
    this.numbers = createLineNumbers(this.nowMs());
  }

  get firstSeq(): number {
    return this.history.firstSeq;
  }

  get endSeq(): number {
    return this.history.endSeq;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Removes secrets from every line before it is kept, written or sent, and from the lines already kept. */
  redactWith(redact: (text: string) => string): void {
    this.redact = redact;
    this.history.rewrite(({ entry }) => keptLine({ ...entry, content: redact(entry.content) }));
    this.lastBatch = null;
  }

  publish(line: LogLine): LogEntry {
    const entry = this.entryOf(line, this.numbers.idOf(this.history.endSeq));
    this.history.push(keptLine(entry));
    for (const tap of this.taps) tap(entry);
    this.wakeSoon();
    return entry;
  }

  announce(name: Announcement): void {
    this.announced.set(name, (this.announced.get(name) ?? 0) + 1);
    this.wakeSoon();
  }

  /** How often each event was announced. */
  announcements(): ReadonlyMap<Announcement, number> {
    return this.announced;
  }

  lineAt(seq: number): KeptLine | undefined {
    return this.history.at(seq);
  }

  /** The newest lines, oldest first. */
  newest(linesMax: number, wants: (entry: LogEntry) => boolean): LogEntry[] {
    const found: LogEntry[] = [];
    for (let seq = this.endSeq - 1; seq >= this.firstSeq && found.length < linesMax; seq -= 1) {
      const entry = this.history.at(seq)?.entry;
      if (entry !== undefined && wants(entry)) found.push(entry);
    }
    return found.reverse();
  }

  // Readers that keep up ask for the same lines at the same time, so the last batch is cached.
  batchFrom(seq: number, charsMax: number): LogBatch {
    const { lastBatch } = this;
    if (lastBatch !== null && lastBatch.fromSeq === seq && lastBatch.endSeq === this.endSeq) return lastBatch;
    let [text, nextSeq] = ["", seq];
    for (; nextSeq < this.endSeq && text.length < charsMax; nextSeq += 1) text += this.history.at(nextSeq)?.frame ?? "";
    this.lastBatch = { fromSeq: seq, endSeq: this.endSeq, text, nextSeq };
    return this.lastBatch;
  }

  /** Calls `listener` with every new line, and with "from-start" also with the kept ones. */
  tap(from: "from-start" | "from-now", listener: (entry: LogEntry) => void): () => void {
    for (let seq = this.firstSeq; from === "from-start" && seq < this.endSeq; seq += 1) {
      const kept = this.history.at(seq);
      if (kept !== undefined) listener(kept.entry);
    }
    this.taps.add(listener);
    return () => this.taps.delete(listener);
  }

  /** Calls back once, when there is something new or the log was closed. */
  onNews(wake: () => void): () => void {
    if (this.closed) wake();
    else this.waiting.add(wake);
    return () => this.waiting.delete(wake);
  }

  /** Ends every reader. Lines may still be published, for the file. */
  close(): void {
    this.closed = true;
    this.wake();
  }

  noticeOfLoss(count: number): LogEntry {
    const content = `${count} ${count === 1 ? "line was" : "lines were"} lost: this client reads too slowly`;
    const line: LogLine = { content, kind: "warning", tabTitle: "DAEMON", handlerName: "logs" };
    return { ...this.entryOf(line, ""), lost: count };
  }

  private entryOf(line: LogLine, id: string): LogEntry {
    const atMs = this.nowMs();
    return {
      id,
      timestamp: clockTime(new Date(atMs)),
      content: cut(this.redact(line.content)),
      type: messageTypes[line.kind],
      tab_title: line.tabTitle,
      handler_name: line.handlerName,
      handler_color: line.handlerColor ?? "",
      handler_type: 4,
      at_ms: atMs,
      ...(line.progress === "opens" ? { is_progress: true } : {}),
      ...(line.progress === "closes" ? { is_complete: true } : {}),
      ...(line.isStreaming === true ? { streaming: true } : {}),
    };
  }

  private wakeSoon(): void {
    if (this.wakeIsComing || this.waiting.size === 0) return;
    this.wakeIsComing = true;
    this.timers.after(WAKE_DELAY_MS, () => this.wake());
  }

  private wake(): void {
    this.wakeIsComing = false;
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }
}

function keptLine(entry: LogEntry): KeptLine {
  const frame = `id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`;
  return { entry, frame, weight: frame.length };
}

function cut(content: string): string {
  if (content.length <= CONTENT_CHARS_MAX) return content;
  return `${content.slice(0, CONTENT_CHARS_MAX)} … ${content.length - CONTENT_CHARS_MAX} more characters`;
}

function clockTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const NANOS_PER_MS = 1_000_000n;
const ID_LIKE = /^\d{1,30}$/;

interface LineNumbers {
  idOf(seq: number): string;
  /** The position of a line in this log; null for any other id. */
  seqOf(id: string): number | null;
}

export function createLineNumbers(startedAtMs: number): LineNumbers {
  const base = BigInt(Math.floor(startedAtMs)) * NANOS_PER_MS;
  return {
    idOf: (seq) => String(base + BigInt(seq)),
    seqOf(id) {
      if (!ID_LIKE.test(id)) return null;
      const seq = BigInt(id) - base;
      return seq >= 0n && seq <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seq) : null;
    },
  };
}
