// The daemon as the attached view reaches it: a port, so that nothing here knows of sockets, files or processes. Whatever
// goes wrong is an error whose message is a sentence for the person.

import type { FrontHandlers, SessionLink } from "../../agents/dialect-link.js";
import type { EarlierPage } from "../../agents/remote/earlier-page.js";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import type { HostedSession } from "../../session/attach/attach-state.js";

export type AttachNews =
  | { readonly type: "line"; readonly entry: LogEntry }
  | { readonly type: "lost"; readonly entry: LogEntry }
  | { readonly type: "refresh" }
  | { readonly type: "asks" }
  | { readonly type: "connected" }
  | { readonly type: "disconnected"; readonly retryInMs: number };

export interface SessionHandlers extends FrontHandlers {
  /** All that the stream begins with has come; from now on it is live. */
  onCaughtUp(): void;
  /** There is more, before this number. */
  onEarlier(before: number): void;
}

export interface AttachDaemon {
  /** What this front end is called where others see it. */
  readonly name: string;
  /** Null when nothing provides state there. */
  state(): Promise<readonly StateEntry[] | null>;
  act(key: string, value: string): Promise<void>;
  /** Esc in a handler's field; one that does not listen for it is no trouble. */
  cancel(key: string): Promise<void>;
  /** This tab is in front of the person now; a daemon that does not care is no trouble. */
  showTab(title: string): Promise<void>;
  /** Questions that belong to no session; deadlines are moments on the clock of the view. */
  asks(): Promise<readonly Ask[]>;
  answer(askId: string, outcome: AskOutcome): Promise<void>;
  sessions(): Promise<readonly HostedSession[]>;
  /** Joins a session at its end; what was said before comes with `earlier`. */
  openSession(id: string, handlers: SessionHandlers): SessionLink | Promise<SessionLink>;
  /** About so much of what was said before this number. */
  earlier(id: string, before: number, chars: number): Promise<EarlierPage>;
  /** News until the signal, over every interruption; rejects when the daemon refuses us for good. */
  follow(onNews: (news: AttachNews) => void, signal: AbortSignal): Promise<void>;
}
