// The inputs and ports of one run in prompt mode: everything is passed in, so that a test can provide the agent, the user, the
// clock and both outputs.

import type { Ask, WithdrawReason } from "../../contract/asks.js";
import type { Usage } from "../../contract/messages.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { SessionEngine } from "../../session/engine/source.js";
import type { JsonSchema } from "../../session/json-schema-check.js";
import type { InputMode, Piece } from "../../session/prompt-mode.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { Notes } from "./aside-lines.js";
import type { AskOptions } from "./ask-decider.js";
import type { AskRecord } from "./ask-record.js";

export interface PromptOptions extends AskOptions {
  /** "" for a program that works by itself and takes none. */
  readonly text: string;
  readonly output: "text" | "json" | "stream-json";
  readonly notes: Notes;
  /** How a question that was answered is told on standard error. */
  readonly records: "json" | "words";
  /** Whether the agent's words go to a terminal, and everything else there too. */
  readonly outputs: "one-terminal" | "words-on-terminal" | "apart";
  /** The final answer must fit it. */
  readonly schema: JsonSchema | null;
  /** The longest time without any sign of life, and the longest time at all; null for no limit. */
  readonly idleTimeoutMs: number | null;
  readonly timeoutMs: number | null;
  /** For agents that cannot be told; null for no limit. */
  readonly turnsMax: number | null;
}

export interface PromptPorts {
  readonly clock: ScreenClock;
  connect(handlers: PromptHandlers): PromptConnection;
  write(piece: Piece): void;
  /** Makes it possible to resume later; the words that do it, or null. `waitsAs` is the id under which the ask waits elsewhere. */
  savePaused(ask: Ask, sessionId: string, waitsAs: string | null): string | null;
  onMode?(mode: InputMode): void;
}

/** The agent with the engine on its events. */
export interface PromptConnection {
  readonly source: SessionEngine;
  open(): Promise<void>;
  setFlow(flow: "flowing" | "paused"): void;
  /** Ends the agent. Asks are withdrawn for this reason when it returns. */
  end(reason: WithdrawReason): Promise<void>;
}

export interface PromptHandlers {
  /** Every event of the agent as it comes, just before it is in the state. */
  onEvent(event: SessionEvent): void;
  onEnded(end: AgentEnd): void;
}

export interface AgentEnd {
  readonly code: number | null;
  /** Why it could not be started. */
  readonly error: string | null;
  /** The line of its standard error that says most; "" when there is none. */
  readonly cause: string;
}

export type PromptEnd = "done" | "failed" | "answer-needed" | "timed-out" | "interrupted";

export interface PromptResult {
  readonly end: PromptEnd;
  /** The agent's last message. */
  readonly text: string;
  readonly value?: unknown;
  readonly error: string | null;
  readonly sessionId: string | null;
  readonly usage: Usage | null;
  readonly asks: readonly AskRecord[];
}
