// What a hosted session remembers, for any number of front ends at their own pace: every step for those who are close, and
// the condensed transcript for those who come late or fall behind. Memory is bounded on both; the whole transcript is on
// disk, and whoever needs what memory has given up gets it from there.
//
//   on disk ───────────────────────────────┐
//   transcript:  given up │ kept in memory  │ + the newest of what changes
//   steps:                given up │ kept    │ still to come
//                                            endSeq
import { BoundedHistory, type HistoryBounds } from "./bounded-history.js";
import type { ChangeSignal } from "./change-signal.js";
import { Condensing } from "./condensing.js";
import { type Audience, type Begins, frameOf, type KeptItem, keptItem, type SessionItem } from "./kept-item.js";
import { StandingEvents } from "./standing-events.js";
import type { TranscriptPage } from "./transcript-page.js";

export interface HistoryOptions {
  /** The first number; greater than every one that was given before. */
  readonly firstSeq: number;
  /** Whether an earlier part of the transcript is on disk. */
  readonly before: "nothing" | "on-disk";
  /** Writes what stays for good. */
  write(item: SessionItem, seq: number, begins: Begins): void;
  readonly bell: ChangeSignal;
  readonly bounds?: Partial<HistoryLimits>;
}

export interface HistoryLimits {
  readonly steps: HistoryBounds;
  readonly transcript: HistoryBounds;
}

const LIMITS: HistoryLimits = {
  steps: { itemsMax: 8_192, weightMax: 4 * 1024 * 1024 },
  transcript: { itemsMax: 200_000, weightMax: 16 * 1024 * 1024 },
};

/** One write to a client: large enough for a flood, small enough to be no burden while it waits. */
const BATCH_CHARS_MAX = 256 * 1024;

export interface Batch {
  readonly items: readonly KeptItem[];
  /** Everything up to this number was looked at. */
  readonly upTo: number;
}

export class SessionHistory {
  private readonly firstSeq: number;
  private readonly steps: BoundedHistory<KeptItem>;
  private readonly transcript: BoundedHistory<KeptItem>;
  private readonly condensing: Condensing;
  private readonly standing = new StandingEvents();
  private readonly write: HistoryOptions["write"];
  private readonly bell: ChangeSignal;
  private gaveUp: number;
  /** The event at hand and its text, which is made once for both places. */
  private current: { readonly item: SessionItem; readonly frame: string } | null = null;
  /** Whether whatever is kept next is the first of something. */
  private begins: Begins = "here";

  constructor({ firstSeq, before, write, bell, bounds = {} }: HistoryOptions) {
    const limits = { ...LIMITS, ...bounds };
    this.firstSeq = firstSeq;
    this.steps = new BoundedHistory(limits.steps);
    this.transcript = new BoundedHistory(limits.transcript);
    this.gaveUp = before === "on-disk" ? firstSeq - 1 : 0;
    this.write = write;
    this.bell = bell;
    this.condensing = new Condensing({
      keep: (item, seq) => this.keep(item, seq),
      derive: (item) => this.keep(item, this.step("", "all")),
    });
  }

  /** The number that the next event will have. */
  get endSeq(): number {
    return this.firstSeq + this.steps.endSeq;
  }

  /** The last number of the transcript that is not in memory any more; what came before is on disk. */
  get givenUp(): number {
    return this.gaveUp;
  }

  append(item: SessionItem, audience: Audience = "all"): void {
    const frame = frameOf(item);
    this.current = { item, frame };
    this.begins = this.condensing.isAtRest ? "here" : "before";
    let seq: number | null = null;
    const number = () => {
      seq ??= this.step(frame, audience);
      return seq;
    };
    if (audience === "all" || "except" in audience) {
      this.condensing.take(item, number);
      if (item.kind === "event") this.standing.take(item.event, number());
    }
    number();
    this.bell.ring();
  }

  /** What is half done is written down as it is. */
  settle(): void {
    this.begins = "before";
    this.condensing.end();
    this.standing.endPrompts(null);
  }

  /** Whether every step after this number is still there. */
  hasStepsSince(seq: number): boolean {
    return seq + 1 >= this.firstSeq + this.steps.firstSeq && seq < this.endSeq;
  }

  stepsSince(seq: number): Batch {
    const items: KeptItem[] = [];
    let chars = 0;
    let upTo = seq;
    while (upTo + 1 < this.endSeq && chars < BATCH_CHARS_MAX) {
      upTo += 1;
      const step = this.steps.at(upTo - this.firstSeq);
      if (step !== undefined && step.frame !== "") items.push(step);
      chars += step?.weight ?? 0;
    }
    return { items, upTo };
  }

  /** The part of the transcript that is in memory. */
  transcriptSince(seq: number): readonly KeptItem[] {
    const items: KeptItem[] = [];
    let chars = 0;
    for (let at = this.placeAfter(seq); at < this.transcript.endSeq && chars < BATCH_CHARS_MAX; at += 1) {
      const item = this.transcript.at(at);
      if (item !== undefined) items.push(item);
      chars += item?.weight ?? 0;
    }
    return items;
  }

  changedSince(seq: number): SessionItem[] {
    return this.condensing.changedSince(seq);
  }

  /** What was told before this number and still stands. */
  standingBefore(seq: number): SessionItem[] {
    return this.standing.before(seq).map((event) => ({ kind: "event", event }));
  }

  /** The piece of the transcript that ends before this number; null when it is not in memory as a whole. */
  pageBefore(seq: number, weightMin: number): TranscriptPage | null {
    const end = this.placeAfter(seq - 1);
    const start = this.pageStart(end, weightMin);
    if (start === null && this.gaveUp > 0) return null;
    const items: KeptItem[] = [];
    for (let at = start ?? this.transcript.firstSeq; at < end; at += 1) {
      const item = this.transcript.at(at);
      if (item !== undefined) items.push(item);
    }
    const isAll = this.gaveUp === 0 && (start ?? 0) <= this.transcript.firstSeq;
    return { items, earlier: isAll ? null : (items[0]?.seq ?? null), beginning: "kept" };
  }

  /** The last place before this one that has so much behind it and where one can begin; null when there is none. */
  private pageStart(end: number, weightMin: number): number | null {
    let weight = 0;
    for (let at = end - 1; at >= this.transcript.firstSeq; at -= 1) {
      const item = this.transcript.at(at);
      weight += item?.weight ?? 0;
      if (weight >= weightMin && item?.begins === "here") return at;
    }
    return null;
  }

  private step(frame: string, audience: Audience): number {
    const seq = this.endSeq;
    this.steps.push(keptItem(seq, frame, { audience }));
    return seq;
  }

  private keep(item: SessionItem, seq: number): void {
    const frame = this.current?.item === item ? this.current.frame : frameOf(item);
    const { begins } = this;
    this.begins = "before";
    this.transcript.push(keptItem(seq, frame, { begins }));
    const first = this.transcript.at(this.transcript.firstSeq);
    if (this.transcript.firstSeq > 0 && first !== undefined) this.gaveUp = Math.max(this.gaveUp, first.seq - 1);
    this.write(item, seq, begins);
  }

  // The numbers in the transcript grow, with gaps.
  private placeAfter(seq: number): number {
    let [low, high] = [this.transcript.firstSeq, this.transcript.endSeq];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.transcript.at(middle)?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
