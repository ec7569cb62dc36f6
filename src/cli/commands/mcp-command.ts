// `palaver mcp`: the MCP server on stdio. Calls go to the daemon of the project when one runs; otherwise the person is asked at
// the terminal of this process.
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { McpAsks, McpDaemon, McpPorts } from "../../server/mcp/mcp-ports.js";
import { ToolRefusal } from "../../server/mcp/mcp-tool.js";
import { safeLine } from "../../text/safe.js";
import type { OpenAskView } from "../../views/mini/ask-view.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { addressOf, daemonOptions, daemonOptionsHelp, NO_DAEMON } from "../daemon-connection.js";
import { exitCodes } from "../exit-codes.js";
import { processClock } from "../process-clock.js";
import { askViewHere } from "../prompt/here.js";
import { LocalAsks } from "../prompt/local-asks.js";

const help = `palaver mcp [options]

The MCP server on stdin and stdout: an MCP client that starts it can ask the
person with ask_select, ask_confirm, ask_input, ask_editor, ask_form and
report_status, and tell them things with notify. Where a daemon of the project
runs, questions appear there (palaver serve), and state, action and logs are its
own; otherwise a dialog opens on the terminal. It ends when the client closes
its end.

  --terminal         never ask through a daemon
${daemonOptionsHelp}

Examples
  claude mcp add palaver -- palaver mcp
  { "mcpServers": { "palaver": { "command": "palaver", "args": ["mcp"] } } }
`;

const options = { ...daemonOptions, terminal: { type: "boolean", default: false } } as const;

export const command: Command = {
  help,
  async run(args) {
    const values = readFlags("mcp", args, options);
    const config = loadConfig({ environment: process.env, folder: process.cwd() });
    const asks = new TerminalAsks(() => askViewHere(config, "asked"));
    const ports = portsOf(asks, values.terminal ? null : await forwarder(values));
    const { openStdioServer } = await import("../../server/mcp/stdio-server.js");
    const server = openStdioServer({ input: process.stdin, output: process.stdout }, ports);
    await server.ended;
    await asks.close();
    return exitCodes.done;
  },
};

async function forwarder(choice: { project?: string | undefined; url?: string | undefined }) {
  const { createDaemonForwarder } = await import("../../server/mcp/daemon-forwarder.js");
  return createDaemonForwarder({ version: PALAVER_VERSION, find: () => addressOf(choice) });
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

/** The terminal of this process, looked for when there is something to ask. */
class TerminalAsks extends LocalAsks implements McpAsks {
  private readonly find: () => Promise<OpenAskView | null>;

  constructor(find: () => Promise<OpenAskView | null>) {
    super("mcp");
    this.find = find;
  }

  override async ask(ask: Ask): Promise<AskOutcome> {
    const settled = super.ask(ask);
    const open = this.isShown ? null : await this.find();
    if (open !== null && !this.isShown) this.show(open);
    if (this.isShown) return settled;
    this.withdraw(ask.id, "disconnected");
    throw new Error("no one can be asked: there is no terminal here, and no daemon runs for this project");
  }
}
