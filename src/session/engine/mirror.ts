// The state of an engine that runs elsewhere. It follows with the same `applyChange`, and turns a snapshot into the changes that
// lead to it, so that a view sees nothing but changes, also after it was away. What concerns this view alone is reduced here.
//
//   snapshot → history, history, … → caught up → changes, changes, …
//
// Sessions have keys of their own here: an engine that was started again counts its own from 0.
import type { Block, BlockChange } from "../transcript/block.js";
import { applyChange, entryOf } from "./apply-change.js";
import { type ClockShift, changeOnClock, itemOnClock, snapshotOnClock } from "./clock-shift.js";
import type { Change, Intent } from "./engine-messages.js";
import {
  activeSession,
  type EngineOptions,
  type EngineState,
  type SessionEntry,
  type SessionState,
  startingState,
} from "./engine-state.js";
import { reduce } from "./reduce.js";
import type { HistoryItem, SessionSnapshot, Snapshot } from "./snapshot.js";

/** Blocks of this view alone count from here; those of an engine count from above 0. */
const FIRST_OWN_BLOCK = -1e15;
const OWN_BLOCK = /^b-/;

export class Mirror {
  state: EngineState;
  /** Every closed block up to this number is known. */
  private knownSeq = 0;
  private pending: Snapshot | null = null;
  private readonly keys = new Map<number, number>([[0, 0]]);
  private changes: Change[] = [];

  /** `journalUnitsMax`: how much of each session is kept, where a view keeps its own. */
  constructor(options: Pick<Partial<EngineOptions>, "journalUnitsMax"> = {}) {
    this.state = startingState({ ...options, firstBlock: FIRST_OWN_BLOCK });
  }

  /** The changes up to this number. */
  follow(changes: readonly Change[], seq: number, shift: ClockShift): readonly Change[] {
    for (const change of changes) this.apply(this.withOwnKeys(changeOnClock(change, shift)));
    this.knownSeq = seq;
    return this.taken();
  }

  /** What this view alone sees. */
  reduce(intent: Intent, by: string, atMs: number): readonly Change[] {
    const { state, changes } = reduce(this.state, { type: "intent", intent, by }, atMs);
    this.state = state;
    return changes;
  }

  /** A change that is made here, such as a field of the status line. */
  own(change: Change): readonly Change[] {
    this.apply(change);
    return this.taken();
  }

  begin(given: Snapshot, shift: ClockShift): readonly Change[] {
    const snapshot = snapshotOnClock(given, shift);
    this.pending = snapshot;
    const from = activeSession(this.state);
    const before = this.state.sessions;
    this.match(snapshot);
    const kept = new Set(this.keys.values());
    for (const [place, session] of before.entries()) {
      const isGone = !kept.has(session.key) && session !== from;
      if (isGone) this.apply({ type: "session.gone", session: session.key, entry: entryOf(session), place });
    }
    this.applySessions(snapshot);
    const to = activeSession(this.state);
    if (to.key !== from.key) this.apply({ type: "session.switched", from: from.key, to: to.key });
    return this.taken();
  }

  history(items: readonly HistoryItem[], shift: ClockShift): readonly Change[] {
    for (const item of items) {
      if (item.seq <= this.knownSeq) continue;
      const { block } = itemOnClock(item, shift);
      this.end(this.sessionOf(item), block);
      this.knownSeq = item.seq;
    }
    return this.taken();
  }

  /** The history is complete up to this number: the rest of the snapshot holds. */
  caughtUp(seq: number): readonly Change[] {
    const snapshot = this.pending;
    if (snapshot === null) return [];
    this.pending = null;
    this.knownSeq = seq;
    for (const session of snapshot.sessions) this.complete(session);
    this.applySessions(snapshot);
    this.completeAsks(snapshot);
    this.state = { ...this.state, notices: snapshot.notices };
    return this.taken();
  }

  /** The session that an item of the history belongs to, as far as it is known here. */
  sessionOf({ session }: Pick<HistoryItem, "session">): SessionState {
    return this.state.sessions.find(({ id }) => id === session) ?? activeSession(this.state);
  }

  // By their ids; the active one may have been named in the meantime.
  private match({ sessions, active }: Snapshot): void {
    this.keys.clear();
    const free = new Set(this.state.sessions);
    const pair = (entry: SessionEntry, own: SessionState | undefined) => {
      if (own === undefined || !free.delete(own)) return;
      this.keys.set(entry.key, own.key);
    };
    for (const entry of sessions)
      pair(
        entry,
        this.state.sessions.find(({ id }) => id === entry.id),
      );
    const entry = sessions.find(({ id }) => id === active);
    if (entry !== undefined && !this.keys.has(entry.key)) pair(entry, activeSession(this.state));
  }

  private applySessions({ sessions, active }: Pick<Snapshot, "sessions" | "active">): void {
    this.apply(this.withOwnKeys({ type: "sessions", sessions: sessions.map(entryOf), active }));
  }

  private complete({ key, facts, open }: SessionSnapshot): void {
    const session = this.ownKey(key);
    this.apply({ type: "facts", session, facts });
    const ids = new Set(open.map(({ id }) => id));
    const known = this.state.sessions.find((one) => one.key === session)?.transcript.open ?? [];
    for (const block of known) {
      const isOver = !ids.has(block.id) && !OWN_BLOCK.test(block.id);
      if (isOver) this.apply({ type: "block", session, change: { type: "closed", block } });
    }
    for (const block of open) {
      const before = known.find(({ id }) => id === block.id);
      for (const change of leadingTo(before, block)) this.apply({ type: "block", session, change });
    }
  }

  private completeAsks({ asks, settled }: Snapshot): void {
    const ids = new Set(asks.map(({ ask }) => ask.id));
    const known = this.state.asks.open;
    for (const { ask } of known) {
      if (ids.has(ask.id)) continue;
      const outcome = settled.find(({ askId }) => askId === ask.id)?.outcome;
      this.apply({
        type: "ask.settled",
        ask,
        outcome: outcome ?? { kind: "withdrawn", reason: "disconnected" },
      });
    }
    for (const { ask, askedAtMs } of asks) {
      const isKnown = known.some((open) => open.ask.id === ask.id);
      if (!isKnown) this.apply({ type: "ask.raised", ask, atMs: askedAtMs });
    }
  }

  // A block that was live when this view went away may be closed by now.
  private end({ key, transcript }: SessionState, block: Block): void {
    const before = transcript.open.find(({ id }) => id === block.id);
    for (const change of leadingTo(before, block)) this.apply({ type: "block", session: key, change });
    this.apply({ type: "block", session: key, change: { type: "closed", block } });
  }

  private withOwnKeys(change: Change): Change {
    if (change.type === "sessions") {
      return { ...change, sessions: change.sessions.map((entry) => ({ ...entry, key: this.ownKey(entry.key) })) };
    }
    if (change.type === "session.switched") {
      return { ...change, from: this.ownKey(change.from), to: this.ownKey(change.to) };
    }
    return "session" in change ? { ...change, session: this.ownKey(change.session) } : change;
  }

  private ownKey(key: number): number {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    const own = this.state.nextKey;
    this.state = { ...this.state, nextKey: own + 1 };
    this.keys.set(key, own);
    return own;
  }

  private apply(change: Change): void {
    this.state = applyChange(this.state, change);
    this.changes.push(change);
  }

  private taken(): readonly Change[] {
    const { changes } = this;
    this.changes = [];
    return changes;
  }
}

function leadingTo(before: Block | undefined, block: Block): readonly BlockChange[] {
  if (before === undefined) return [{ type: "opened", block }];
  const [was, is] = [JSON.stringify(before), JSON.stringify(block)];
  return was === is ? [] : [{ type: "replaced", block }];
}
