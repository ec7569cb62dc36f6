// `palaver mcp`: the MCP server on stdio. A client that can ask the user itself does so; otherwise calls go to the daemon of the
// project, and without one to the terminal of this process, unless another program has it.
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { enteredAsk } from "../../agents/entered-ask.js";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { McpAsks, McpDaemon, McpPorts } from "../../server/mcp/mcp-ports.js";
import { ToolRefusal } from "../../server/mcp/mcp-tool.js";
import { safeLine } from "../../text/safe.js";
import type { OpenAskView } from "../../views/mini/ask-view.js";
import { LocalAsks } from "../../views/mini/local-asks.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { addressesOf, type DaemonChoice, daemonOptions, daemonOptionsHelp, NO_DAEMON } from "../daemon-connection.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { keepAsks } from "../keep-asks.js";
import { processClock } from "../process-clock.js";
import { askViewHere } from "../prompt/here.js";

const help = `palaver mcp [options]

Runs an MCP server on stdin and stdout. Its client can ask the user with
ask_select, ask_confirm, ask_input, ask_editor, ask_form and report_status, and
inform them with notify. A client that can ask by itself (MCP elicitation) shows
the question in its own window. Otherwise, and for secrets, the question appears
in the project's daemon if one runs (palaver serve), and else in a dialog on the
terminal, unless a full-screen program has it. State, action and logs are those
of all the project's daemons. The server exits when its client disconnects.

  --daemon           ask through the daemon, even if the client can ask
  --terminal         always ask in a dialog on the terminal
${daemonOptionsHelp}

Examples
  claude mcp add palaver -- palaver mcp
  { "mcpServers": { "palaver": { "command": "palaver", "args": ["mcp"] } } }
`;

const options = {
  ...daemonOptions,
  daemon: { type: "boolean", default: false },
  terminal: { type: "boolean", default: false },
} as const;

export const command: Command = {
  help,
  async run(args) {
    const values = readFlags("mcp", args, options);
    const config = loadConfig({ environment: process.env, folder: process.cwd() });
    if (values.daemon && values.terminal) throw new UsageError("--daemon or --terminal, not both");
    const asks = new TerminalAsks(async () => {
      return values.terminal || !isTerminalTaken() ? askViewHere(config, "asked") : null;
    });
    const elicitation = values.daemon || values.terminal ? ("never" as const) : ("first" as const);
    const ports = { ...portsOf(asks, values.terminal ? null : await forwarder(values)), elicitation };
    const { openStdioServer } = await import("../../server/mcp/stdio-server.js");
    const server = openStdioServer({ input: process.stdin, output: process.stdout }, ports);
    await server.ended;
    await asks.close();
    return exitCodes.done;
  },
};

async function forwarder(choice: DaemonChoice) {
  const { createDaemonForwarder } = await import("../../server/mcp/daemon-forwarder.js");
  return createDaemonForwarder({ version: PALAVER_VERSION, find: () => addressesOf(choice) });
}

// Reports go to stderr, which clients keep as the server's log.
function portsOf(asks: McpAsks, forward: Awaited<ReturnType<typeof forwarder>> | null): McpPorts {
  return {
    version: PALAVER_VERSION,
    asks,
    daemon: noDaemon,
    onStatus: ({ status, message = "" }) => say(`${status} ${message}`),
    onNotice: ({ level, message }) => say(`${level}: ${message}`),
    onFault: (error) => say(`fault: ${error.message}`),
    nowMs: processClock.nowMs,
    ...(forward === null ? {} : { forward }),
  };
}

function say(words: string): void {
  process.stderr.write(`palaver mcp: ${safeLine(words)}\n`);
}

// The tools are always listed, so that a client can use them when a daemon starts later.
const noDaemon: McpDaemon = {
  readState: () => refuse(),
  act: async () => ({ kind: "refused", reason: NO_DAEMON }),
  readLogs: () => refuse(),
};

function refuse(): never {
  throw new ToolRefusal(NO_DAEMON);
}

// A program that reads single keys draws the screen, and a dialog over it would be painted over.
function isTerminalTaken(): boolean {
  try {
    const terminal = openSync("/dev/tty", "r");
    const { stdout } = spawnSync("stty", ["-a"], { stdio: [terminal, "pipe", "ignore"], encoding: "utf8" });
    closeSync(terminal);
    return / -icanon\b/.test(stdout);
  } catch {
    return false;
  }
}

const NO_ONE =
  "no one can be asked: the client has no elicitation, no daemon runs for this project (palaver serve), and there is no free " +
  "terminal (palaver mcp --terminal asks on it anyway)";

/** The terminal of this process, looked for when there is something to ask. */
class TerminalAsks extends LocalAsks implements McpAsks {
  private readonly find: () => Promise<OpenAskView | null>;

  constructor(find: () => Promise<OpenAskView | null>) {
    super({ clock: processClock, audit: keepAsks("mcp", () => []) });
    this.find = find;
  }

  override async ask(ask: Ask): Promise<AskOutcome> {
    const settled = super.ask(enteredAsk(ask, { folder: process.cwd(), performedBy: "agent" }));
    const open = this.isShown ? null : await this.find();
    if (open !== null && !this.isShown) this.show(open);
    if (this.isShown) return settled;
    this.withdraw(ask.id, "disconnected");
    throw new Error(NO_ONE);
  }
}
