// A dialect is a pure state machine; it does no I/O. Inputs are frames of the agent, commands of the front end and results of
// effects; outputs are session events, frames for the agent, and effects that the link performs.
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { Decoded } from "./frames/frame-decoder.js";
import type { JsonObject } from "./frames/json-frame.js";

/** Effects that every link performs. */
export type LinkEffect =
  /** Calls `performed` after the delay. It cannot be cancelled; a dialect ignores one it no longer needs. */
  | { readonly type: "wait"; readonly id: string; readonly delayMs: number }
  /** Stops the agent. `error` makes it a failed start, with this reason. */
  | { readonly type: "hang-up"; readonly error?: string };

/** How long an agent may take to be ready or to answer our greeting. */
export const START_WAIT_MS = 30_000;

export type DialectStep<Effect = never> = {
  readonly events: readonly SessionEvent[];
  readonly frames: readonly JsonObject[];
  readonly effects: readonly (Effect | LinkEffect)[];
};

export interface Dialect<Effect extends { readonly id: string } = never> {
  /** The agent was started. */
  open(nowMs: number): DialectStep<Effect>;
  read(decoded: Decoded<JsonObject>, nowMs: number): DialectStep<Effect>;
  /** An unsupported command is answered with `command.failed`. */
  command(command: LinesCommand, nowMs: number): DialectStep<Effect>;
  /** A running effect reports progress. */
  progressed(id: string, value: unknown, nowMs: number): DialectStep<Effect>;
  /** An effect was performed, or failed. */
  performed(id: string, result: EffectResult, nowMs: number): DialectStep<Effect>;
  /** Palaver stops the agent: the last frames before its input is closed. */
  leave(nowMs: number): DialectStep<Effect>;
  /** The agent has exited: every open ask is withdrawn and every turn ended. */
  close(nowMs: number, code: number | null): DialectStep<Effect>;
}

export type DialectOptions = {
  readonly clientVersion: string;
  /** The folder the agent was started in, absolute. */
  readonly workspace?: string;
  /** Servers of tools, as the Agent Client Protocol writes them; for wires whose facts say that they take them in a frame. */
  readonly mcpServers?: readonly JsonObject[];
  /** What the agent is started with. */
  readonly args?: readonly string[];
  /** A session of the agent to resume. */
  readonly resume?: string;
  /** The lines of its file, for an agent that does not repeat what was said. */
  readonly history?: SessionHistory;
};

export type SessionHistory = { readonly lines: readonly JsonObject[]; readonly isCut: boolean };

/** What the folder of a wire exports. A dialect with effects of its own has its own opener. */
export type Wire = {
  create(options: DialectOptions): Dialect;
  /** Adds the arguments that the agent needs to speak this wire and to resume the session. */
  args(given: readonly string[], options: Pick<DialectOptions, "resume">): readonly string[];
};

export type EffectResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly code?: string };
