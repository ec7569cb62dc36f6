// One thing that a hosted session remembers: an event, or the end of an ask; with its number, and as the text that is sent for
// it and the line that is written for it, each made once.
import type { SettledAsk } from "../contract/hosted-sessions.js";
import type { SessionEvent } from "../contract/session-events.js";

export type SessionItem =
  | { readonly kind: "event"; readonly event: SessionEvent }
  | { readonly kind: "settled"; readonly settled: SettledAsk };

export interface KeptItem {
  readonly seq: number;
  /** The event of the stream without its id. */
  readonly frame: string;
  readonly weight: number;
  /** "here": nothing that came before is needed to understand it and what follows. */
  readonly begins: Begins;
  /** Who gets it: everybody, one front end, or all but one. */
  readonly audience: Audience;
}

export type Audience = "all" | { readonly only: string } | { readonly except: string };

/** Whether a reader may begin with an item, or is in the middle of something. */
export type Begins = "here" | "before";

/** What an item costs besides its text. */
const ITEM_UNITS = 64;

export function keptItem(seq: number, frame: string, about: Partial<Pick<KeptItem, "audience" | "begins">>): KeptItem {
  const { audience = "all", begins = "before" } = about;
  return { seq, frame, weight: frame.length + ITEM_UNITS, audience, begins };
}

export function frameOf(item: SessionItem): string {
  if (item.kind === "event") return `${EVENT_HEAD}${JSON.stringify(item.event)}\n\n`;
  return `${SETTLED_HEAD}${JSON.stringify(item.settled)}\n\n`;
}

const EVENT_HEAD = "data: ";
const SETTLED_HEAD = "event: settled\ndata: ";

/** The same as the object that a page of the transcript has for it. */
export function objectOf({ seq, frame }: Pick<KeptItem, "seq" | "frame">): string {
  const isSettled = frame.startsWith(SETTLED_HEAD);
  const json = frame.slice((isSettled ? SETTLED_HEAD : EVENT_HEAD).length, -2);
  return `{"seq":${seq},"${isSettled ? "settled" : "event"}":${json}}`;
}

export function lineOf(item: SessionItem, seq: number, begins: Begins): string {
  const mark = begins === "here" ? { begins } : {};
  return JSON.stringify(
    item.kind === "event" ? { seq, ...mark, event: item.event } : { seq, ...mark, settled: item.settled },
  );
}

export function isFor(audience: Audience, frontEnd: string): boolean {
  if (audience === "all") return true;
  return "only" in audience ? audience.only === frontEnd : audience.except !== frontEnd;
}
