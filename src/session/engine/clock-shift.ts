// Converts times of another process's clock to our own. A past event never gets a time in our future, whatever the two clocks
// say.
import type { Ask } from "../../contract/asks.js";
import type { Block } from "../transcript/block.js";
import type { Change } from "./engine-messages.js";
import type { HistoryItem, Snapshot } from "./snapshot.js";

export interface ClockShift {
  /** What has to be added to a moment on the other clock. */
  readonly byMs: number;
  readonly nowMs: number;
}

export function changeOnClock(change: Change, shift: ClockShift): Change {
  switch (change.type) {
    case "block":
      return "block" in change.change
        ? { ...change, change: { ...change.change, block: blockOnClock(change.change.block, shift) } }
        : change;
    case "facts":
      return { ...change, facts: factsOnClock(change.facts, shift) };
    case "notice":
      return { ...change, notice: { ...change.notice, atMs: past(change.notice.atMs, shift) } };
    case "ask.raised":
      return { ...change, ask: askOnClock(change.ask, shift), atMs: past(change.atMs, shift) };
    case "ask.settled":
    case "ask.finished":
      return { ...change, ask: askOnClock(change.ask, shift) };
    default:
      return change;
  }
}

export function itemOnClock(item: HistoryItem, shift: ClockShift): HistoryItem {
  return { ...item, block: blockOnClock(item.block, shift) };
}

export function snapshotOnClock(snapshot: Snapshot, shift: ClockShift): Snapshot {
  return {
    ...snapshot,
    sessions: snapshot.sessions.map((session) => ({
      ...session,
      facts: factsOnClock(session.facts, shift),
      open: session.open.map((block) => blockOnClock(block, shift)),
    })),
    asks: snapshot.asks.map((entry) => {
      return { ...entry, ask: askOnClock(entry.ask, shift), askedAtMs: past(entry.askedAtMs, shift) };
    }),
    notices: snapshot.notices.map((notice) => ({ ...notice, atMs: past(notice.atMs, shift) })),
  };
}

export function blockOnClock(block: Block, shift: ClockShift): Block {
  if (block.kind !== "tool") return block;
  const { startedAtMs, endedAtMs } = block;
  // How long it took stays what it was.
  const startMs = startedAtMs === null ? null : past(startedAtMs, shift);
  const tookMs = startedAtMs === null || endedAtMs === null ? null : endedAtMs - startedAtMs;
  return {
    ...block,
    startedAtMs: startMs,
    endedAtMs: startMs === null || tookMs === null ? endedAtMs && past(endedAtMs, shift) : startMs + tookMs,
  };
}

type FactsTimes = { readonly workingSinceMs?: number | null; readonly stoppingSinceMs?: number | null };

function factsOnClock<Facts extends FactsTimes>(facts: Facts, shift: ClockShift): Facts {
  const { workingSinceMs, stoppingSinceMs } = facts;
  return {
    ...facts,
    ...(typeof workingSinceMs === "number" && { workingSinceMs: past(workingSinceMs, shift) }),
    ...(typeof stoppingSinceMs === "number" && { stoppingSinceMs: past(stoppingSinceMs, shift) }),
  };
}

function askOnClock(ask: Ask, { byMs }: ClockShift): Ask {
  return ask.deadlineMs === null ? ask : { ...ask, deadlineMs: Math.round(ask.deadlineMs + byMs) };
}

function past(atMs: number, { byMs, nowMs }: ClockShift): number {
  return Math.min(atMs + byMs, nowMs);
}
