// What the MCP server needs from the program it runs in. Asking is the one thing it cannot do without; everything else is
// there or not, and a tool whose port is missing is not offered. A daemon, a single prompt and the stdio command fill these
// ports differently, and that is all that tells the three apart.
import type { McpServer } from "@modelcontextprotocol/server";
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { Timers } from "../../system/timers.js";
import type { ActionOutcome } from "../http/state-routes.js";

/** Where questions go. */
export interface AskDoor {
  /** Settles with the one outcome of the ask. Rejects, with words for the agent, when nobody can be asked at all. */
  ask(ask: Ask): Promise<AskOutcome>;
  /** The one who asked is gone or took it back: the ask is closed wherever it is shown. Unknown ids are ignored. */
  withdraw(askId: string, reason: WithdrawReason): void;
}

/** What an agent said about itself with `report_status`. */
export interface StatusReport {
  readonly status: "needs_input" | "completed" | "error";
  readonly prompt?: string;
  readonly message?: string;
  /** The name the client gave itself; words from outside, like the others here. */
  readonly client: string;
}

export interface AgentNotice {
  readonly level: NotifyLevel;
  readonly message: string;
  readonly client: string;
}

/** State, actions and the log of a daemon. */
export interface DaemonDoor {
  /** Null when nothing provides state. */
  readState(): readonly StateEntry[] | null;
  act(key: string, value: string): Promise<ActionOutcome>;
  /** The newest lines, oldest first. */
  readLogs(wishes: { linesMax: number; handler?: string }): readonly LogEntry[];
}

/** A call that somebody else answers: the arguments as they came, and the result as it goes back. */
export interface ForwardedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  onProgress(message: string): void;
}

export interface ForwardedResult {
  readonly text: string;
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export interface McpPorts {
  /** The version of the program, which the server gives as its own. */
  readonly version: string;
  readonly asks: AskDoor;
  readonly daemon?: DaemonDoor;
  onStatus?(report: StatusReport): void;
  onNotice?(notice: AgentNotice): void;
  /** Asked before every call: null means that the call is answered here. */
  forward?(call: ForwardedCall): Promise<ForwardedResult | null>;
  /** Tools, resources and prompts of the program's own. Called once for every server that is made. */
  extend?(server: McpServer): void;
  /** Something went wrong that no client was told about. */
  onFault?(error: Error): void;
  /** The session and turn that asks are filed under, where the program has one. */
  readonly owner?: { readonly sessionId: string | null; readonly turnId: string | null };
  readonly limits?: Partial<McpLimits>;
  /** The clock by which whoever runs the asks keeps their deadlines. */
  readonly nowMs?: () => number;
  readonly timers?: Timers;
}

export interface McpLimits {
  /** How many questions may be open through this server at once; the next one is refused with words. */
  readonly openAsksMax: number;
  /** How many clients of the older kind may be remembered; the one that was quiet for longest makes room. */
  readonly sessionsMax: number;
  /** How often a client that waits hears that it is not forgotten. */
  readonly keepAliveMs: number;
  /** How many array items and object members the arguments of one call may have. */
  readonly argumentPartsMax: number;
}

export const mcpLimitsDefault: McpLimits = {
  openAsksMax: 500,
  sessionsMax: 256,
  keepAliveMs: 10_000,
  argumentPartsMax: 20_000,
};
