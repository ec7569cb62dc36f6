// What the MCP server needs from its program. Only asking is required; a tool whose port is missing is not offered. A daemon, a
// single prompt and the stdio command implement these ports differently.
import type { McpServer } from "@modelcontextprotocol/server";
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { Timers } from "../../system/timers.js";
import type { ActionOutcome } from "../http/state-routes.js";

export interface McpAsks {
  /** Settles with the outcome. Rejects, with a message for the agent, when no user can be asked. */
  ask(ask: Ask): Promise<AskOutcome>;
  /** Closes the ask wherever it is shown. Unknown ids are ignored. */
  withdraw(askId: string, reason: WithdrawReason): void;
}

/** A report by `report_status`. */
export interface StatusReport {
  readonly status: "needs_input" | "completed" | "error";
  readonly prompt?: string;
  readonly message?: string;
  /** The name the client gave itself; untrusted, like the other strings here. */
  readonly client: string;
}

export interface AgentNotice {
  readonly level: NotifyLevel;
  readonly message: string;
  readonly client: string;
}

/** State, actions and the log of a daemon. */
export interface McpDaemon {
  /** Null when nothing provides state. */
  readState(): readonly StateEntry[] | null;
  act(key: string, value: string): Promise<ActionOutcome>;
  /** The newest lines, oldest first. */
  readLogs(filter: { linesMax: number; handler?: string }): readonly LogEntry[];
}

/** A call that another server answers. */
export interface ForwardedCall {
  readonly tool: string;
  /** The name the client gave itself. */
  readonly client: string;
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
  readonly version: string;
  readonly asks: McpAsks;
  readonly daemon?: McpDaemon;
  onStatus?(report: StatusReport): void;
  onNotice?(notice: AgentNotice): void;
  /** "first": the client asks with its own elicitation where it has it, before anything else. */
  readonly elicitation?: "first" | "never";
  /** Called first for every call; null: the call is answered here. */
  forward?(call: ForwardedCall): Promise<ForwardedResult | null>;
  /** Adds the program's own tools, resources and prompts to each new server. */
  extend?(server: McpServer): void;
  /** An error that no client gets. */
  onFault?(error: Error): void;
  /** The session and turn of the asks. */
  readonly owner?: { readonly sessionId: string | null; readonly turnId: string | null };
  readonly limits?: Partial<McpLimits>;
  /** The clock of the asks' deadlines. */
  readonly nowMs?: () => number;
  readonly timers?: Timers;
}

export interface McpLimits {
  readonly openAsksMax: number;
  /** Sessions of the older protocol; the longest idle one makes room. */
  readonly sessionsMax: number;
  /** The interval of progress messages to a waiting client. */
  readonly keepAliveMs: number;
  /** Array items and object members in the arguments of one call. */
  readonly argumentPartsMax: number;
}

export const mcpLimitsDefault: McpLimits = {
  openAsksMax: 500,
  sessionsMax: 256,
  keepAliveMs: 10_000,
  argumentPartsMax: 20_000,
};
