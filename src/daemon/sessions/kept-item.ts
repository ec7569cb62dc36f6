// One thing that a hosted session remembers: an event, or the end of an ask; with its number, and as the text that is sent for
// it and the line that is written for it, each made once.
import type { SettledAsk } from "../../contract/hosted-sessions.js";
import type { SessionEvent } from "../../contract/session-events.js";

export type SessionItem =
  | { readonly kind: "event"; readonly event: SessionEvent }
  | { readonly kind: "settled"; readonly settled: SettledAsk };

export interface KeptItem {
  readonly seq: number;
  /** The event of the stream without its id. */
  readonly frame: string;
  readonly weight: number;
  /** Who gets it: everybody, one front end, or all but one. */
  readonly audience: Audience;
}

export type Audience = "all" | { readonly only: string } | { readonly except: string };

/** What an item costs besides its text. */
const ITEM_UNITS = 64;

export function keptItem(seq: number, frame: string, audience: Audience = "all"): KeptItem {
  return { seq, frame, weight: frame.length + ITEM_UNITS, audience };
}

export function frameOf(item: SessionItem): string {
  if (item.kind === "event") return `data: ${JSON.stringify(item.event)}\n\n`;
  return `event: settled\ndata: ${JSON.stringify(item.settled)}\n\n`;
}

export function lineOf(item: SessionItem, seq: number): string {
  return JSON.stringify(item.kind === "event" ? { seq, event: item.event } : { seq, settled: item.settled });
}

export function isFor(audience: Audience, frontEnd: string): boolean {
  if (audience === "all") return true;
  return "only" in audience ? audience.only === frontEnd : audience.except !== frontEnd;
}
