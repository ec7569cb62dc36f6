// The last changes of a session or of the overview, each under its number, as the text that is sent. A view that is close behind gets
// every one of them; a view that is further behind gets a snapshot instead.
import type { Change } from "../session/engine/engine-messages.js";
import { BoundedHistory, type HistoryBounds } from "./bounded-history.js";

interface LoggedChange {
  readonly text: string;
  readonly weight: number;
  /** The only view that gets it; null for all of them. */
  readonly by: string | null;
}

export interface ChangeBatch {
  /** A JSON list of changes; null when none of them is for this view. */
  readonly text: string | null;
  /** The number of the last change that was looked at. */
  readonly upTo: number;
}

export const CHANGE_BOUNDS: HistoryBounds = { itemsMax: 8_192, weightMax: 4 * 1024 * 1024 };

/** Texts for the composer and replies are in no snapshot, so they are kept longer than other changes. */
const UNSTATED_BOUNDS: HistoryBounds = { itemsMax: 256, weightMax: 1024 * 1024 };

/** What a change costs besides its text. */
const CHANGE_UNITS = 64;

/** One write to a client: large enough for a flood, small enough to be no burden while it waits. */
const BATCH_CHARS_MAX = 256 * 1024;

export class ChangeLog<Logged extends object = Change> {
  private readonly firstSeq: number;
  private readonly changes: BoundedHistory<LoggedChange>;
  private readonly unstated = new BoundedHistory<LoggedChange & { readonly seq: number }>(UNSTATED_BOUNDS);

  /** `firstSeq` is greater than every number that was given before. */
  constructor(firstSeq: number, bounds: HistoryBounds) {
    this.firstSeq = firstSeq;
    this.changes = new BoundedHistory(bounds);
  }

  /** The number of the last change. */
  get lastSeq(): number {
    return this.firstSeq + this.changes.endSeq - 1;
  }

  /** Gives the change its number. */
  append(change: Logged): number {
    const text = JSON.stringify(change);
    const by = "by" in change && typeof change.by === "string" ? change.by : null;
    const logged = { text, weight: text.length + CHANGE_UNITS, by };
    this.changes.push(logged);
    if ("by" in change) this.unstated.push({ ...logged, seq: this.lastSeq });
    return this.lastSeq;
  }

  /** Whether every change after this number is still there. */
  hasSince(seq: number): boolean {
    return seq + 1 >= this.firstSeq + this.changes.firstSeq && seq <= this.lastSeq;
  }

  /** The next changes after this number, for one view. */
  since(seq: number, view: string): ChangeBatch {
    const texts: string[] = [];
    let chars = 0;
    let upTo = seq;
    while (upTo < this.lastSeq && chars < BATCH_CHARS_MAX) {
      upTo += 1;
      const change = this.changes.at(upTo - this.firstSeq);
      if (change === undefined || !isFor(change, view)) continue;
      texts.push(change.text);
      chars += change.weight;
    }
    return { text: listText(texts), upTo };
  }

  /** What a snapshot up to that number leaves out: the changes after the first number, for one view, that no state has. */
  unstatedBetween(after: number, upTo: number, view: string): string | null {
    const texts: string[] = [];
    for (let at = this.unstated.firstSeq; at < this.unstated.endSeq; at += 1) {
      const change = this.unstated.at(at);
      if (change !== undefined && change.seq > after && change.seq <= upTo && isFor(change, view))
        texts.push(change.text);
    }
    return listText(texts);
  }
}

function isFor({ by }: LoggedChange, view: string): boolean {
  return by === null || by === view;
}

function listText(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : `[${texts.join(",")}]`;
}
