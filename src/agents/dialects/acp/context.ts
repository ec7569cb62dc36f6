// What the parts of the ACP dialect share: the step being built, the JSON-RPC peer, asks, pending effects, and facts about
// the agent.

import type { Ask } from "../../../contract/asks.js";
import type { AgentRequest, JsonRpcPeer } from "../json-rpc-peer.js";
import { PendingAsks, type Reply } from "../pending-asks.js";
import type { PendingEffects } from "../pending-effects.js";
import type { StepBuilder } from "../step-builder.js";
import type { AcpEffect } from "./acp-effect.js";
import type { AgentFacts } from "./agent-facts.js";

export interface AcpOptions {
  /** The absolute path of the folder the agent works in. */
  readonly workspace: string;
  readonly clientVersion: string;
  /** How the agent was started; some agents sign in by a command of their own. */
  readonly command: { readonly command: string; readonly args: readonly string[]; readonly place?: "sandbox" };
  /** Whether an environment variable is set; one that the user typed in does not count. */
  hasVariable(name: string): boolean;
  /** MCP servers for the agent; transports it does not support are left out. */
  readonly mcpServers?: readonly Readonly<Record<string, unknown>>[];
  /** A session to resume. */
  readonly resume?: string;
  /** The agent was restarted to sign in this way; the history of its session is on the screen already. */
  readonly startedAgain?: { readonly methodId: string };
  readonly limits?: Partial<AcpLimits>;
}

export interface AcpLimits {
  /** Measured: up to 9 s on a busy machine. */
  readonly greetingMs: number;
  /** How long an agent may take to stop a turn before Palaver ends it. */
  readonly stopMs: number;
  /** After how much silence in a turn a message is shown. */
  readonly silenceMs: number;
  /** How long a message outside a turn stays open. */
  readonly strayMessageMs: number;
  /** A late history is complete when nothing came for so long. */
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
  readonly effects: PendingEffects<AcpEffect>;
  readonly options: AcpOptions;
  readonly limits: AcpLimits;
  facts: AgentFacts;
  nowMs(): number;
  activeSession(): string | null;
}

export type AcpQuestion = {
  readonly sessionId: string | null;
  readonly question: Ask["question"];
  readonly origin?: Ask["origin"];
  /** The ask is withdrawn when the agent cancels this request. */
  readonly request?: AgentRequest;
};

/** Asks with ids of our own, because the protocol has none. A cancel counts as no answer: it has no other outcome. */
export class AcpAsks extends PendingAsks {
  private nextNumber = 1;

  question({ sessionId, question, origin = { kind: "agent" }, request }: AcpQuestion, reply: Reply): void {
    const id = `acp-${this.nextNumber++}`;
    request?.whenTakenBack(() => this.withdraw(id, "agent_cancelled"));
    this.raise({ id, sessionId, origin, question, deadlineMs: null }, (answer) => {
      const isCancel = answer.kind === "answered" && answer.value === null;
      reply(isCancel ? { kind: "unanswered", reason: "cancelled" } : answer);
    });
  }
}
