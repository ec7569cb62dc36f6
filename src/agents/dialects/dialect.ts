// What every dialect is, whatever wire it came from: a machine without hands. It is fed the agent's frames, the front end's
// commands and the results of what it wanted done, and says what that means (events), what to send the agent (frames) and
// what somebody with hands must do for the agent (effects). The link performs; nothing here does.
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { Decoded } from "./frames/frame-decoder.js";
import type { JsonObject } from "./frames/json-frame.js";

/** What every link does by itself, so that each dialect has a clock to wait by and a way to give an agent up. */
export type LinkEffect =
  /** Comes back as `performed` when the time is over; nobody takes it back, so a machine forgets what it no longer needs. */
  | { readonly type: "wait"; readonly id: string; readonly delayMs: number }
  /** There is nothing more to say to this agent: stop it. `error` says why it could not be started, and is its exit's error. */
  | { readonly type: "hang-up"; readonly error?: string };

/** How long an agent has to start: to say that it is ready, or to answer our greeting. Then its start has failed. */
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
  /** What the front end wants, in the commands of the lines wire; one it cannot do is answered with `command.failed`. */
  command(command: LinesCommand, nowMs: number): DialectStep<Effect>;
  /** An effect that takes long has something to show before it is done. */
  progressed(id: string, value: unknown, nowMs: number): DialectStep<Effect>;
  /** An effect was performed, or failed. */
  performed(id: string, result: EffectResult, nowMs: number): DialectStep<Effect>;
  /** We are about to leave: what the agent should hear before its input is closed. */
  leave(nowMs: number): DialectStep<Effect>;
  /** The agent is gone, with this exit code: every open question is withdrawn and every turn ended. */
  close(nowMs: number, code: number | null): DialectStep<Effect>;
}

export type DialectOptions = {
  readonly clientVersion: string;
  /** The folder the agent was started in, absolute. */
  readonly workspace?: string;
  /** Servers of tools, as the Agent Client Protocol writes them; for wires whose facts say that they take them in a frame. */
  readonly mcpServers?: readonly JsonObject[];
  /** A session of the agent to resume. */
  readonly resume?: string;
};

/** What the folder of a wire exports. An agent that wants more done than the link does by itself has an opener of its own. */
export type Wire = {
  create(options: DialectOptions): Dialect;
  /** The given arguments and those without which the agent does not speak this wire, or does not resume the session. */
  args(given: readonly string[], options: Pick<DialectOptions, "resume">): readonly string[];
};

export type EffectResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly code?: string };
