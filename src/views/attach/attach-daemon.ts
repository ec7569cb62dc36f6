// The daemon as the attached view reaches it: a port, so that nothing here knows of sockets, files or processes. Whatever
// goes wrong is an error whose message is a sentence for the user.

import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { RemoteConnection } from "../../session/engine/source.js";

export type AttachNews =
  | { readonly type: "line"; readonly entry: LogEntry }
  | { readonly type: "lost"; readonly entry: LogEntry }
  | { readonly type: "refresh" }
  | { readonly type: "asks" }
  | { readonly type: "connected" }
  | { readonly type: "disconnected"; readonly retryInMs: number };

export interface AttachDaemon {
  /** Null when nothing provides state there. */
  state(): Promise<readonly StateEntry[] | null>;
  act(key: string, value: string): Promise<void>;
  /** Esc in a handler's field; one that does not listen for it is no trouble. */
  cancel(key: string): Promise<void>;
  /** This tab is in front of the user now; a daemon that does not care is no trouble. */
  showTab(title: string): Promise<void>;
  /** Questions that belong to no session; deadlines are moments on the clock of the view. */
  asks(): Promise<readonly Ask[]>;
  answer(askId: string, outcome: AskOutcome): Promise<void>;
  /** The question is in front of the user; a daemon that does not care is no trouble. */
  shown(askId: string): Promise<void>;
  sessions(): Promise<readonly HostedSession[]>;
  /** Joins a session at its end. */
  openSession(id: string): RemoteConnection;
  /** News until the signal, over every interruption; rejects when the daemon refuses us for good. */
  follow(onNews: (news: AttachNews) => void, signal: AbortSignal): Promise<void>;
}
