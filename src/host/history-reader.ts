// One front end at the stream of a session: a place in its history, moved on as the front end reads. It says what to send next
// as the text of server-sent events. Close behind, that is every step; otherwise it is the condensed transcript, from disk
// and from memory, then the newest of what changes, and from there on every step again.
//
//   ids     1700…42        all is known up to here
//           1700…42~1700…7 the transcript is known up to 42, what changes only up to 7: the reader is catching up
import type { Timers } from "../system/timers.js";
import type { ChangeSignal } from "./change-signal.js";
import { frameOf, isFor, type KeptItem } from "./kept-item.js";
import type { SessionHistory } from "./session-history.js";
import type { ReadItem, TranscriptFile } from "./transcript-file.js";

export interface ReaderPlace {
  /** The last number that is known. */
  readonly seq: number;
  /** While catching up: the last number up to which the changing things are known. Null when all is. */
  readonly since: number | null;
}

export interface HistoryReaderOptions {
  readonly history: SessionHistory;
  readonly file: Pick<TranscriptFile, "read">;
  readonly bell: ChangeSignal;
  readonly place: ReaderPlace;
  /** The id of the front end, for what concerns it alone. */
  readonly frontEnd: string;
  readonly timers: Timers;
  readonly heartbeatMs: number;
}

const HEARTBEAT = ": still here\n\n";
const BATCH_CHARS_MAX = 256 * 1024;
const PLACE = /^(\d{1,16})(?:~(\d{1,16}))?$/;

export const BEGINNING_LOST = {
  type: "notice.shown",
  sessionId: null,
  level: "warn",
  message: "the beginning of this session is not kept any more",
} as const;

/** Where a front end that names its last id goes on; one that names none begins at the beginning. */
export function placeOf(lastEventId: string | null): ReaderPlace {
  const [, seq, since] = PLACE.exec(lastEventId ?? "") ?? [];
  if (seq === undefined) return { seq: 0, since: 0 };
  return { seq: Number(seq), since: since === undefined ? null : Number(since) };
}

export class HistoryReader {
  private readonly options: HistoryReaderOptions;
  private seq: number;
  private since: number | null;
  private skipped = 0;
  private hasBeenLive = false;
  private disk: { readonly items: AsyncGenerator<ReadItem, void, void>; readonly upTo: number } | null = null;
  private state: "reading" | "stopped" = "reading";
  private stopWaiting: () => void = () => undefined;

  constructor(options: HistoryReaderOptions) {
    this.options = options;
    ({ seq: this.seq, since: this.since } = options.place);
  }

  /** The next events, or a heartbeat when there were none for a while; null when the session is over and all is said. */
  async next(): Promise<string | null> {
    while (this.state === "reading") {
      const text = await this.take();
      if (text !== "") return text;
      if (this.since !== null) continue;
      if (this.options.bell.isClosed) return null;
      if ((await this.newsOrPause()) === "pause") return HEARTBEAT;
    }
    return null;
  }

  /** The front end left: whoever waits in `next` is let go. */
  stop(): void {
    this.state = "stopped";
    this.stopWaiting();
    void this.disk?.items.return();
  }

  private async take(): Promise<string> {
    const { history } = this.options;
    if (this.since === null && history.hasStepsSince(this.seq)) return this.steps();
    if (this.since === null) this.fallBehind();
    if (this.disk !== null || this.seq < history.givenUp) return this.fromDisk();
    const items = history.transcriptSince(this.seq);
    return items.length > 0 ? this.catchingUp(items) : this.caughtUp();
  }

  private steps(): string {
    const { history, frontEnd } = this.options;
    const { items, upTo } = history.stepsSince(this.seq);
    this.seq = upTo;
    this.hasBeenLive = true;
    return items
      .filter(({ audience }) => isFor(audience, frontEnd))
      .map(({ seq, frame }) => `id: ${seq}\n${frame}`)
      .join("");
  }

  // A number that was never given is another daemon's: the whole of this session is news then.
  private fallBehind(): void {
    const { history } = this.options;
    if (this.seq >= history.endSeq) this.seq = 0;
    this.since = this.seq;
    this.skipped = this.hasBeenLive ? history.endSeq - 1 - this.seq : 0;
  }

  private catchingUp(items: readonly Pick<KeptItem, "seq" | "frame">[]): string {
    let text = "";
    for (const { seq, frame } of items) {
      text += `id: ${seq}~${this.since}\n${frame}`;
      this.seq = seq;
    }
    return text;
  }

  private caughtUp(): string {
    const { history } = this.options;
    const changes = history.changedSince(this.since ?? 0).map(frameOf);
    this.seq = history.endSeq - 1;
    this.since = null;
    const mark = `event: caught-up\nid: ${this.seq}\ndata: ${JSON.stringify({ skipped: this.skipped })}\n\n`;
    this.skipped = 0;
    return `${changes.join("")}${mark}`;
  }

  private async fromDisk(): Promise<string> {
    const { history, file } = this.options;
    let text = "";
    let mayLackBeginning = this.disk === null && this.seq === 0;
    this.disk ??= { items: file.read(this.seq, history.givenUp), upTo: history.givenUp };
    const { items, upTo } = this.disk;
    while (text.length < BATCH_CHARS_MAX) {
      const { value: item } = await items.next();
      if (item === undefined) {
        this.disk = null;
        this.seq = Math.max(this.seq, upTo);
        break;
      }
      if (mayLackBeginning && item !== "beginning") text += frameOf({ kind: "event", event: BEGINNING_LOST });
      mayLackBeginning = false;
      if (item !== "beginning" && item.seq > this.seq) text += this.catchingUp([item]);
    }
    return text;
  }

  private newsOrPause(): Promise<"news" | "pause"> {
    const { timers, bell, heartbeatMs } = this.options;
    return new Promise((resolve) => {
      const settle = (why: "news" | "pause") => {
        cancelPause();
        forget();
        resolve(why);
      };
      const cancelPause = timers.after(heartbeatMs, () => settle("pause"));
      let forget: () => void = () => undefined;
      forget = bell.onRing(() => settle("news"));
      this.stopWaiting = () => settle("news");
    });
  }
}
