// What the parts of the machine share: the way out, the agent at the other end, the person's questions, the link's hands,
// and what is known of the agent. Each part gets this and nothing else.

import type { JsonRpcPeer } from "../json-rpc-peer.js";
import type { StepBuilder } from "../step-builder.js";
import type { AcpAsks } from "./acp-asks.js";
import type { AcpEffect } from "./acp-effect.js";
import type { AgentFacts } from "./agent-facts.js";
import type { PendingEffects } from "./pending-effects.js";

export interface AcpOptions {
  /** Absolute: where the agent works, and what counts as inside. */
  readonly workspace: string;
  readonly clientVersion: string;
  /** How the agent was started, for those whose sign-in is a command of theirs. */
  readonly command: { readonly command: string; readonly args: readonly string[]; readonly place?: "sandbox" };
  /** Which names of the environment are set; one that was typed in and refused counts as not set. */
  hasVariable(name: string): boolean;
  /** Servers of tools for the agent, as the protocol writes them; those it cannot reach are left out. */
  readonly mcpServers?: readonly Readonly<Record<string, unknown>>[];
  /** A session to go on with instead of a new one. */
  readonly resume?: string;
  /** The agent was started again for this way of signing in; what its session told before is on the screen already. */
  readonly startedAgain?: { readonly methodId: string };
  readonly limits?: Partial<AcpLimits>;
}

export interface AcpLimits {
  /** Agents took up to nine seconds on a busy machine; this is for those that never answer. */
  readonly greetingMs: number;
  /** How long an agent may take to stop a turn before we go on without it. */
  readonly stopMs: number;
  /** After how much silence in a turn the person is told. */
  readonly silenceMs: number;
  /** How long a message outside of a turn stays open for more. */
  readonly strayMessageMs: number;
  /** A story that comes late is over when nothing came for so long. */
  readonly lateStoryMs: number;
}

export const acpLimits: AcpLimits = {
  greetingMs: 30_000,
  stopMs: 10_000,
  silenceMs: 30_000,
  strayMessageMs: 400,
  lateStoryMs: 150,
};

export interface AcpContext {
  readonly out: StepBuilder<AcpEffect>;
  readonly peer: JsonRpcPeer;
  readonly asks: AcpAsks;
  readonly hands: PendingEffects;
  readonly options: AcpOptions;
  readonly limits: AcpLimits;
  facts: AgentFacts;
  nowMs(): number;
  /** The session that the person is in; null before there is one. */
  activeSession(): string | null;
}
