// What one hosted session remembers and tells: every event passes here on its way to the front ends and to the disk, and leaves
// its secrets behind. How an agent is run is not known here.
//
//   event → (secrets out) → history ─→ front ends, each at its place
//                              └────→ transcript on disk

import type { Redaction } from "../agents/recordings/recording.js";
import type { Ask, AskOutcome } from "../contract/asks.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { Timers } from "../system/timers.js";
import { boundedMessage } from "./bounded-text.js";
import { ChangeSignal } from "./change-signal.js";
import { EventRedaction } from "./event-redaction.js";
import { isTimed } from "./event-weight.js";
import type { Audience } from "./kept-item.js";
import { type HistoryLimits, SessionHistory } from "./session-history.js";
import { TranscriptFile } from "./transcript-file.js";

export interface SessionMemoryOptions {
  readonly sessionId: string;
  /** The last number that an earlier daemon gave; 0 for a session that is new. */
  readonly lastSeq: number;
  readonly transcriptPath: string;
  readonly redaction: Redaction;
  readonly timers: Timers;
  nowMs(): number;
  readonly limits?: Partial<HistoryLimits>;
}

export class SessionMemory {
  readonly history: SessionHistory;
  readonly file: TranscriptFile;
  readonly bell: ChangeSignal;
  private readonly redaction: Redaction;
  private readonly events: EventRedaction;
  private readonly nowMs: () => number;

  constructor({ sessionId, lastSeq, transcriptPath, redaction, timers, nowMs, limits }: SessionMemoryOptions) {
    this.redaction = redaction;
    this.nowMs = nowMs;
    this.events = new EventRedaction(redaction);
    this.bell = new ChangeSignal(timers);
    this.bell.close();
    this.file = new TranscriptFile(transcriptPath);
    this.history = new SessionHistory({
      firstSeq: Math.max(Math.floor(nowMs() * 1_000), lastSeq + 1),
      before: lastSeq > 0 ? "on-disk" : "nothing",
      write: (item, seq, begins) => this.file.write(item, seq, begins),
      bell: this.bell,
      ...(limits === undefined ? {} : { bounds: limits }),
    });
    if (lastSeq === 0) this.file.begin(sessionId);
  }

  /** The last number that was given. */
  get lastSeq(): number {
    return this.history.endSeq - 1;
  }

  /** There will be news again; the file may have been torn since. */
  open({ file }: { file: "new" | "old" }): void {
    if (file === "old") this.file.goOn();
    this.bell.reopen();
  }

  put(event: SessionEvent, audience: Audience = "all"): void {
    const bounded = withBounds(event);
    const events = event.type === "ask.raised" ? [...this.events.end(), bounded] : this.events.take(bounded);
    for (const [index, each] of events.entries()) {
      const isLast = index === events.length - 1;
      this.history.append({ kind: "event", event: this.timed(each) }, isLast ? audience : "all");
    }
  }

  putSettled(ask: Ask, outcome: AskOutcome): void {
    this.putRest();
    const settled = {
      askId: ask.id,
      ask: { ...(this.redaction.value(ask) as Ask), id: ask.id, sessionId: ask.sessionId, deadlineMs: null },
      outcome: this.redaction.value(outcome) as AskOutcome,
    };
    this.history.append({ kind: "settled", settled });
  }

  /** The question as front ends see it. */
  shownAsk(ask: Ask): Ask {
    return this.events.shownAsk(ask);
  }

  /** What is half said stays as it is: nobody goes on with it. */
  settle(): void {
    this.putRest();
    this.history.settle();
  }

  // Whoever joins later shows how long it took, and not how long it took to tell.
  private timed(event: SessionEvent): SessionEvent {
    return isTimed(event) ? { ...event, atMs: this.nowMs() } : event;
  }

  private putRest(): void {
    for (const event of this.events.end()) this.history.append({ kind: "event", event });
  }
}

// What an agent says at once is as bounded as what it says in pieces.
function withBounds(event: SessionEvent): SessionEvent {
  if (event.type !== "message.started" && event.type !== "message.updated" && event.type !== "message.finished")
    return event;
  const message = boundedMessage(event.message);
  return message === event.message ? event : { ...event, message };
}
