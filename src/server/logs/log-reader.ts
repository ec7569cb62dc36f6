// One client of the log stream: a position in the shared history. It returns the next server-sent events; without news it
// returns a comment now and then, so that both ends notice a dead connection.
//
//   id: 1700000000000000042          event: refresh               event: lost
//   data: {"id":"…","content":…}     data: {"handler_type":0}     data: {…,"lost":17}
import type { LogEntry } from "../../contract/daemon.js";
import { realTimers, type Timers } from "../../system/timers.js";
import type { Announcement, LogHub } from "./log-hub.js";

export interface LogReaderOptions {
  /** The first line to send; lines no longer kept count as lost. */
  readonly fromSeq: number;
  readonly wants?: (entry: LogEntry) => boolean;
  readonly heartbeatMs?: number;
  readonly timers?: Timers;
}

const HEARTBEAT_MS_DEFAULT = 15_000;

/** One write: large enough for a flood, small enough to wait for a slow client. */
const BATCH_CHARS_MAX = 128 * 1024;

const HEARTBEAT = ": still here\n\n";

export class LogReader {
  private readonly hub: LogHub;
  private readonly wants: ((entry: LogEntry) => boolean) | null;
  private readonly heartbeatMs: number;
  private readonly timers: Timers;
  private readonly heard: Map<Announcement, number>;
  private seq: number;
  private stopped = false;
  private stopWaiting: () => void = () => undefined;

  constructor(hub: LogHub, options: LogReaderOptions) {
    this.hub = hub;
    this.wants = options.wants ?? null;
    this.heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS_DEFAULT;
    this.timers = options.timers ?? realTimers;
    this.heard = new Map(hub.announcements());
    this.seq = options.fromSeq;
  }

  /** The next events, or a heartbeat after a pause; null when the log was closed and everything was sent. */
  async next(): Promise<string | null> {
    const ready = this.take();
    if (ready !== "") return ready;
    if (this.hub.isClosed || this.stopped) return null;
    return (await this.newsOrPause()) === "pause" ? HEARTBEAT : this.next();
  }

  /** Ends a pending `next`. */
  stop(): void {
    this.stopped = true;
    this.stopWaiting();
  }

  private take(): string {
    return this.lossNotice() + this.announcements() + this.lines();
  }

  private lossNotice(): string {
    const lost = this.hub.firstSeq - this.seq;
    if (lost <= 0) return "";
    this.seq = this.hub.firstSeq;
    return `event: lost\ndata: ${JSON.stringify(this.hub.noticeOfLoss(lost))}\n\n`;
  }

  private announcements(): string {
    let text = "";
    for (const [name, count] of this.hub.announcements()) {
      if (this.heard.get(name) === count) continue;
      this.heard.set(name, count);
      text += `event: ${name}\ndata: {"handler_type":0}\n\n`;
    }
    return text;
  }

  private lines(): string {
    if (this.wants === null) {
      const { text, nextSeq } = this.hub.batchFrom(this.seq, BATCH_CHARS_MAX);
      this.seq = nextSeq;
      return text;
    }
    let text = "";
    while (this.seq < this.hub.endSeq && text.length < BATCH_CHARS_MAX) {
      const line = this.hub.lineAt(this.seq);
      this.seq += 1;
      if (line !== undefined && this.wants(line.entry)) text += line.frame;
    }
    return text;
  }

  private newsOrPause(): Promise<"news" | "pause"> {
    return new Promise((resolve) => {
      const settle = (why: "news" | "pause") => {
        cancelPause();
        forget();
        resolve(why);
      };
      const cancelPause = this.timers.after(this.heartbeatMs, () => settle("pause"));
      let forget: () => void = () => undefined;
      forget = this.hub.onNews(() => settle("news"));
      this.stopWaiting = () => settle("news");
    });
  }
}
