// Opens an agent on any wire: session events come out, commands go in. Wires other than lines are loaded on demand. A new wire
// is a folder in dialects/ that holds its schemas and exports its `wire`, and three lines: a row here, a row in
// contract/wire-names.ts, and the test in early-output.ts that recognises it.

import { resolve } from "node:path";
import type { SessionEvent } from "../contract/session-events.js";
import type { WireName } from "../contract/wire-names.js";
import type { AgentCommand, StartAgent } from "./agent-process.js";
import { AskPreviews } from "./ask-previews.js";
import { openDialectLink, type SessionLink, withoutEffects } from "./dialect-link.js";
import type { SessionHistory, Wire } from "./dialects/dialect.js";
import { present } from "./dialects/frames/lenient-field.js";
import { wire as linesWire } from "./dialects/lines/lines-dialect.js";
import { type Entering, enteredEvent } from "./entered-ask.js";
import { awaitedLink } from "./link-relay.js";

export type SessionLinkOptions = {
  onEvent(event: SessionEvent): void;
  /** The clock of all deadlines. */
  nowMs(): number;
  /** The lines wire by default. "detect" decides when the agent starts. */
  protocol?: WireName | "detect";
  /** A session of the agent to resume. */
  resume?: string;
  /** What was said in it, for an agent that does not repeat it. */
  history?: SessionHistory;
  /** MCP servers for the agent, as ACP writes them; some wires ignore them. */
  mcpServers?: readonly Readonly<Record<string, unknown>>[];
  /** Who performs what is approved. */
  performedBy?: Entering["performedBy"];
  /** Uses a running process instead of starting one. */
  start?: StartAgent;
};

export type OpenLink = (command: AgentCommand, options: SessionLinkOptions) => SessionLink;

const wires: Readonly<Record<Exclude<WireName, "lines"> | "detect", () => Promise<OpenLink>>> = {
  acp: async () => (await import("./acp/acp-link.js")).openAcpLink,
  claude: async () => opener((await import("./dialects/claude/claude-dialect.js")).wire),
  pi: async () => opener((await import("./dialects/pi/pi-dialect.js")).wire),
  codelia: async () => opener((await import("./dialects/codelia/codelia-dialect.js")).wire),
  codex: async () => opener((await import("./dialects/codex/codex-dialect.js")).wire),
  rpc: async () => opener((await import("./dialects/rpc/rpc-dialect.js")).wire),
  detect: async () => (await import("./detected-link.js")).openDetectedLink,
};

/** For a wire without effects of its own. */
function opener({ create, args }: Wire): OpenLink {
  return (command, options) => {
    const { resume, history, mcpServers } = options;
    const workspace = resolve(command.cwd ?? process.cwd());
    const dialect = create({ clientVersion: PALAVER_VERSION, workspace, ...present({ resume, history, mcpServers }) });
    const started = { ...command, args: args(command.args, present({ resume })) };
    return openDialectLink(started, dialect, withoutEffects, options);
  };
}

export function openSessionLink(command: AgentCommand, given: SessionLinkOptions): SessionLink {
  const { protocol = "lines", performedBy = "agent" } = given;
  const entering = { folder: command.cwd ?? process.cwd(), performedBy };
  const previews = new AskPreviews();
  const onEvent = (event: SessionEvent) => {
    const passed = previews.take(event);
    if (passed !== null) given.onEvent(enteredEvent(passed, entering));
  };
  const options = { ...given, onEvent };
  if (protocol === "lines") return opener(linesWire)(command, options);
  return awaitedLink(wires[protocol]().then((open) => open(command, options)));
}
