// One view at a log of changes: a place in the log that moves on as the view reads. It says what to send next as the text of
// server-sent events. Close behind, that is every change; otherwise it is a snapshot, of a session with the part of the transcript
// that the view does not have, and from there on every change again.
//
//   ids     1700…42             every change is known up to here
//           1700…60~1700…42     closed blocks are known up to the first number; texts for the composer and replies, which are in no
//                               snapshot, up to the second. It is missing for a view that had no state before

import type { EngineState } from "../session/engine/engine-state.js";
import { snapshotOf } from "../session/engine/snapshot.js";
import type { Timers } from "../system/timers.js";
import type { BlockLine } from "./block-line.js";
import type { ChangeLog } from "./change-log.js";
import type { ChangeSignal } from "./change-signal.js";
import type { KeptTranscript } from "./kept-transcript.js";

/** What a reader reads from. */
export interface ChangeSource {
  readonly log: Pick<ChangeLog, "lastSeq" | "hasSince" | "since" | "unstatedBetween">;
  readonly signal: ChangeSignal;
}

/** A session as a source: its state and transcript are what a snapshot is made of. */
export interface SessionSource extends ChangeSource {
  readonly transcript: KeptTranscript;
  readonly state: EngineState;
}

/** The events of a snapshot up to that change. `after` is up to where the view has the closed blocks, null when it has nothing. */
type SnapshotEvents = (after: number | null, upTo: number, marks: IdMarks) => AsyncGenerator<string, void, void>;

/** What the ids of a snapshot's events end in: while its history comes, and when that is complete. */
interface IdMarks {
  readonly history: string;
  readonly end: string;
}

export interface ChangeReaderOptions {
  readonly source: ChangeSource;
  readonly snapshot: SnapshotEvents;
  /** What the view has already, as it says itself. */
  readonly lastEventId: string | null;
  /** The name of the view, for what concerns it alone. */
  readonly view: string;
  readonly timers: Timers;
  readonly heartbeatMs: number;
}

const HEARTBEAT = ": still here\n\n";
const PLACE = /^(\d{1,16})(?:(~)(\d{0,16}))?$/;

export class ChangeReader {
  private readonly options: ChangeReaderOptions;
  /** The last number that is known; null when nothing is. */
  private seq: number | null;
  /** The same for what is in no snapshot. */
  private unstatedSeq: number | null;
  private hasState: boolean;
  private sending: AsyncGenerator<string, void, void> | null = null;
  private state: "reading" | "stopped" = "reading";
  private isGreeted = false;
  private stopWaiting: () => void = () => undefined;

  constructor(options: ChangeReaderOptions) {
    this.options = options;
    const [, seq, mark = "", unstatedSeq] = PLACE.exec(options.lastEventId ?? "") ?? [];
    // A number that was never given is another daemon's.
    const isKnown = seq !== undefined && Number(seq) <= options.source.log.lastSeq;
    this.seq = isKnown ? Number(seq) : null;
    this.unstatedSeq = isKnown ? Number(unstatedSeq || seq) : null;
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
    const greeting = this.isGreeted ? "" : eventText("continuation", "{}");
    this.isGreeted = true;
    const { text, upTo } = log.since(seq, this.options.view);
    this.seq = upTo;
    this.unstatedSeq = upTo;
    const news = text === null ? "" : changesText(upTo, text);
    return greeting + news || null;
  }

  private async *snapshot(): AsyncGenerator<string, void, void> {
    const { source, view, snapshot } = this.options;
    const { seq, unstatedSeq } = this;
    const upTo = source.log.lastSeq;
    const unstated = unstatedSeq === null ? null : source.log.unstatedBetween(unstatedSeq, upTo, view);
    const mark = `~${unstatedSeq ?? ""}`;
    this.isGreeted = true;
    yield* snapshot(seq, upTo, { history: mark, end: unstated === null ? "" : mark });
    if (unstated !== null) yield changesText(upTo, unstated);
    this.seq = upTo;
    this.unstatedSeq = upTo;
    this.hasState = true;
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

/** `tailChars`: about how much of the transcript a view gets that has none of it. */
export function sessionSnapshot(source: SessionSource, tailChars: number): SnapshotEvents {
  // The state is that of one moment; what happens while its history is read is in the log.
  return async function* events(after, upTo, marks) {
    const { transcript, state } = source;
    if (after === null) {
      const { lines, earlier } = await transcript.before(upTo + 1, tailChars);
      yield eventText("snapshot", JSON.stringify(snapshotOf(state, earlier))) + history(lines, marks);
    } else {
      yield eventText("snapshot", JSON.stringify(snapshotOf(state, null)));
      for await (const lines of transcript.between(after, upTo)) yield history(lines, marks);
    }
    yield `id: ${upTo}${marks.end}\n${eventText("caught-up", "{}")}`;
  };
}

function history(lines: readonly BlockLine[], marks: IdMarks): string {
  const last = lines.at(-1);
  if (last === undefined) return "";
  return `id: ${last.seq}${marks.history}\n${eventText("history", `[${lines.map(({ text }) => text).join(",")}]`)}`;
}

function changesText(upTo: number, text: string): string {
  return `id: ${upTo}\ndata: ${text}\n\n`;
}

/** One server-sent event. */
export function eventText(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}
