// Sessions as views elsewhere reach them, whether a daemon runs them or a terminal has opened its own to others.
import type { AgentEnd, HostedSessionEntry, StartSessionParams } from "../contract/hosted-sessions.js";
import type { SessionIntent } from "../contract/session-changes.js";
import type { Change } from "../session/engine/engine-messages.js";
import type { SessionSource } from "./change-reader.js";
import type { HostedResult } from "./checked-intents.js";

export interface ServedSession extends SessionSource {
  readonly id: string;
  /** The views that look at it now, by their visit. */
  readonly views: Map<symbol, string>;
  /** How the agent ended; null while it runs. */
  readonly end: AgentEnd | null;
  entry(): HostedSessionEntry;
  /** Of what settles an ask the result says whether the agent has it. */
  perform(intent: SessionIntent, by: string): Promise<HostedResult>;
}

/** Hears every step of every session. */
export type SessionFollower = (session: ServedSession, changes: readonly Change[]) => void;

export interface ServedSessions {
  /** In the order in which they began. */
  all(): readonly ServedSession[];
  find(id: string): ServedSession | null;
  /** A paired device starts named agents in the project only, whatever the owner may start. Throws a `StartRefusal`. */
  start(params: StartSessionParams, by: "owner" | "device"): Promise<ServedSession>;
  /** Ends the agent of a session; one that has ended is forgotten with its transcript. Null when there is none. */
  end(id: string): Promise<"ended" | "forgotten" | null>;
  /** Calls back when a session came, went, got another name or began or ended to run; the returned function ends it. */
  subscribe(listener: () => void): () => void;
  /** Calls back after each step of a session; the returned function ends it. */
  follow(follower: SessionFollower): () => void;
}

/** Why a session could not be started, in words, and as what it is answered. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
  readonly code: "not_allowed" | "unknown" | "malformed" | "too_many" | "running";

  constructor(code: StartRefusal["code"], message: string) {
    super(message);
    this.code = code;
  }
}
