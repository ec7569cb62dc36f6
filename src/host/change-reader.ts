// One view at the changes of a session: a place in the log that moves on as the view reads. It says what to send next as the
// text of server-sent events. Close behind, that is every change; otherwise it is a snapshot with the part of the transcript
// that the view does not have, and from there on every change again.
//
//   ids     1700…42     every change is known up to here
//           1700…42~    closed blocks are known up to here, and nothing else

import type { EngineState } from "../session/engine/engine-state.js";
import { snapshotOf } from "../session/engine/snapshot.js";
import type { Timers } from "../system/timers.js";
import type { BlockLine } from "./block-line.js";
import type { ChangeLog } from "./change-log.js";
import type { ChangeSignal } from "./change-signal.js";
import type { KeptTranscript } from "./kept-transcript.js";

/** What a reader reads from. */
export interface ChangeSource {
  readonly log: ChangeLog;
  readonly transcript: KeptTranscript;
  readonly signal: ChangeSignal;
  readonly state: EngineState;
}

export interface ChangeReaderOptions {
  readonly source: ChangeSource;
  /** What the view has already, as it says itself. */
  readonly lastEventId: string | null;
  /** The name of the view, for what concerns it alone. */
  readonly view: string;
  /** About how much of the transcript a view gets that has none of it. */
  readonly tailChars: number;
  readonly timers: Timers;
  readonly heartbeatMs: number;
}

const HEARTBEAT = ": still here\n\n";
const PLACE = /^(\d{1,16})(~?)$/;

export class ChangeReader {
  private readonly options: ChangeReaderOptions;
  /** The last number that is known; null when nothing is. */
  private seq: number | null;
  private hasState: boolean;
  private sending: AsyncGenerator<string, void, void> | null = null;
  private state: "reading" | "stopped" = "reading";
  private isGreeted = false;
  private stopWaiting: () => void = () => undefined;

  constructor(options: ChangeReaderOptions) {
    this.options = options;
    const [, seq, mark] = PLACE.exec(options.lastEventId ?? "") ?? [];
    // A number that was never given is another daemon's.
    const isKnown = seq !== undefined && Number(seq) <= options.source.log.lastSeq;
    this.seq = isKnown ? Number(seq) : null;
    this.hasState = isKnown && mark === "";
  }

  /** The next events, or a heartbeat when there were none for a while; null when the session is over and all is said. */
  async next(): Promise<string | null> {
    while (this.state === "reading") {
      const text = await this.take();
      if (text !== null) return text;
      if (this.options.source.signal.isClosed) return null;
      if ((await this.newsOrPause()) === "pause") return HEARTBEAT;
    }
    return null;
  }

  /** The view left: a call of `next` that waits returns. */
  stop(): void {
    this.state = "stopped";
    this.stopWaiting();
    void this.sending?.return();
  }

  private async take(): Promise<string | null> {
    const { log } = this.options.source;
    if (this.sending === null && this.hasState && this.seq !== null && log.hasSince(this.seq))
      return this.changes(this.seq);
    this.sending ??= this.snapshot();
    const { value } = await this.sending.next();
    if (value !== undefined) return value;
    this.sending = null;
    return this.state === "reading" ? this.take() : null;
  }

  private changes(seq: number): string | null {
    const { log } = this.options.source;
    const greeting = this.isGreeted ? "" : frame("continuation", "{}");
    this.isGreeted = true;
    const { text, upTo } = log.since(seq, this.options.view);
    this.seq = upTo;
    const news = text === null ? "" : `id: ${upTo}\ndata: ${text}\n\n`;
    return greeting + news || null;
  }

  // The state is that of one moment; what happens while its history is read is in the log.
  private async *snapshot(): AsyncGenerator<string, void, void> {
    const { source, tailChars } = this.options;
    const { log, transcript } = source;
    const upTo = log.lastSeq;
    const { state } = source;
    this.isGreeted = true;
    if (this.seq === null) {
      const { lines, earlier } = await transcript.before(upTo + 1, tailChars);
      yield frame("snapshot", JSON.stringify(snapshotOf(state, earlier))) + history(lines);
    } else {
      yield frame("snapshot", JSON.stringify(snapshotOf(state, null)));
      for await (const lines of transcript.between(this.seq, upTo)) {
        yield history(lines);
        this.seq = lines.at(-1)?.seq ?? this.seq;
      }
    }
    this.seq = upTo;
    this.hasState = true;
    yield `id: ${upTo}\n${frame("caught-up", "{}")}`;
  }

  private newsOrPause(): Promise<"news" | "pause"> {
    const { timers, source, heartbeatMs } = this.options;
    return new Promise((resolve) => {
      const settle = (why: "news" | "pause") => {
        cancelPause();
        forget();
        resolve(why);
      };
      const cancelPause = timers.after(heartbeatMs, () => settle("pause"));
      let forget: () => void = () => undefined;
      forget = source.signal.onRing(() => settle("news"));
      this.stopWaiting = () => settle("news");
    });
  }
}

function history(lines: readonly BlockLine[]): string {
  const last = lines.at(-1);
  if (last === undefined) return "";
  return `id: ${last.seq}~\n${frame("history", `[${lines.map(({ text }) => text).join(",")}]`)}`;
}

function frame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}
