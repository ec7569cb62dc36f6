// What one run in prompt mode is told and what it needs from the world: everything arrives here, so that a test can play
// the agent, the person, the clock and both outputs.

import type { DialectLinkHandlers, SessionLink } from "../../agents/dialect-link.js";
import type { Ask } from "../../contract/asks.js";
import type { Usage } from "../../contract/messages.js";
import type { JsonSchema } from "../../session/json-schema-check.js";
import type { InputMode, Piece } from "../../session/prompt-mode.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { Notes } from "./aside-lines.js";
import type { AskRecord } from "./ask-record.js";
import type { AskCounterOptions } from "./ask-resolver.js";

export interface PromptOptions extends AskCounterOptions {
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
  openLink(handlers: DialectLinkHandlers): SessionLink;
  write(piece: Piece): void;
  /** Makes it possible to go on later; the words that do it, or null. */
  savePaused(ask: Ask, sessionId: string): string | null;
  onMode?(mode: InputMode): void;
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
