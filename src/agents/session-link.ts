// A running agent in Palaver's own words: whatever wire it speaks, its front end hears session events and sends the same
// commands. The wires are a table; all but our own are loaded when the first agent needs them.
//
// A new wire is a folder in dialects/ that exports its `wire`, a row here, one in contract/wire-names.ts with what it can do,
// and a line in dialects/greeting.ts by which it is recognised.

import { resolve } from "node:path";
import type { SessionEvent } from "../contract/session-events.js";
import type { WireName } from "../contract/wire-names.js";
import type { AgentCommand, StartAgent } from "./agent-process.js";
import { openDialectLink, type SessionLink, withoutEffects } from "./dialect-link.js";
import type { Wire } from "./dialects/dialect.js";
import { wire as linesWire } from "./dialects/lines/lines-dialect.js";
import { type Entering, enteredEvent } from "./entered-ask.js";
import { awaitedLink } from "./link-relay.js";

export type Protocol = WireName;

export type SessionLinkOptions = {
  onEvent(event: SessionEvent): void;
  /** The front end's own clock: deadlines are moments on it. */
  nowMs(): number;
  /** How the agent speaks; our own wire when nothing is said. "detect" finds it out when the agent starts. */
  protocol?: Protocol | "detect";
  /** A session of the agent's to go on with, where it can. */
  resume?: string;
  /** Servers of tools for the agent, as the Agent Client Protocol writes them; wires without a place for them ignore it. */
  mcpServers?: readonly Readonly<Record<string, unknown>>[];
  /** Who performs what is approved: the agent, unless it is Palaver's own. */
  performedBy?: Entering["performedBy"];
  /** PendingEffects over a process that runs already, instead of starting one. */
  start?: StartAgent;
};

export type OpenLink = (command: AgentCommand, options: SessionLinkOptions) => SessionLink;

const wires: Readonly<Record<Exclude<Protocol, "lines"> | "detect", () => Promise<OpenLink>>> = {
  acp: async () => (await import("./acp/acp-link.js")).openAcpLink,
  claude: async () => opener((await import("./dialects/claude/claude-dialect.js")).wire),
  pi: async () => opener((await import("./dialects/pi/pi-dialect.js")).wire),
  codelia: async () => opener((await import("./dialects/codelia/codelia-dialect.js")).wire),
  codex: async () => opener((await import("./dialects/codex/codex-dialect.js")).wire),
  rpc: async () => opener((await import("./dialects/rpc/rpc-dialect.js")).wire),
  detect: async () => (await import("./detected-link.js")).openDetectedLink,
};

/** For a wire whose agents want nothing done but what the link does by itself. */
function opener({ create, args }: Wire): OpenLink {
  return (command, options) => {
    const session = options.resume === undefined ? {} : { resume: options.resume };
    const servers = options.mcpServers === undefined ? {} : { mcpServers: options.mcpServers };
    const workspace = resolve(command.cwd ?? process.cwd());
    const dialect = () => create({ clientVersion: PALAVER_VERSION, workspace, ...servers, ...session });
    return openDialectLink({ ...command, args: args(command.args, session) }, dialect, withoutEffects, options);
  };
}

export function openSessionLink(command: AgentCommand, given: SessionLinkOptions): SessionLink {
  const { protocol = "lines", performedBy = "agent" } = given;
  const entering = { folder: command.cwd ?? process.cwd(), performedBy };
  const options = { ...given, onEvent: (event: SessionEvent) => given.onEvent(enteredEvent(event, entering)) };
  if (protocol === "lines") return opener(linesWire)(command, options);
  return awaitedLink(wires[protocol]().then((open) => open(command, options)));
}
