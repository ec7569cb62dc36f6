// `palaver mcp`: the MCP server on stdio. Calls go to the daemon of the project when one runs; otherwise the person is asked at
// the terminal of this process.
import type { AskOutcome } from "../../contract/asks.js";
import type { McpAsks, McpDaemon, McpPorts } from "../../server/mcp/mcp-ports.js";
import { ToolRefusal } from "../../server/mcp/mcp-tool.js";
import { safeLine } from "../../text/safe.js";
import type { OpenPerson, Person } from "../../views/mini/person.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { addressOf, daemonOptions, daemonOptionsHelp } from "../daemon-connection.js";
import { exitCodes } from "../exit-codes.js";
import { processClock } from "../process-clock.js";
import { personHere } from "../prompt/here.js";

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
    const asks = new TerminalAsks(() => personHere(config, "ask"));
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

const NO_DAEMON = "no daemon runs for this project; palaver serve starts one";

// The tools are always listed, so that a client can use them when a daemon starts later.
const noDaemon: McpDaemon = {
  readState: () => refuse(),
  act: async () => ({ kind: "refused", reason: NO_DAEMON }),
  readLogs: () => refuse(),
};

function refuse(): never {
  throw new ToolRefusal(NO_DAEMON);
}

/** Asks the person at the terminal of this process, which is opened for the first ask. */
class TerminalAsks implements McpAsks {
  private readonly find: () => Promise<OpenPerson | null>;
  private readonly waiting = new Map<string, (outcome: AskOutcome) => void>();
  private person: Person | null = null;

  constructor(find: () => Promise<OpenPerson | null>) {
    this.find = find;
  }

  async ask(ask: Parameters<McpAsks["ask"]>[0]): Promise<AskOutcome> {
    const settled = new Promise<AskOutcome>((resolve) => this.waiting.set(ask.id, resolve));
    const person = await this.findPerson();
    if (person === null) {
      this.waiting.delete(ask.id);
      throw new Error("no one can be asked: there is no terminal here, and no daemon runs for this project");
    }
    // It may have been withdrawn meanwhile.
    if (this.waiting.has(ask.id)) person.ask(ask);
    return settled;
  }

  withdraw(askId: string, reason: Parameters<McpAsks["withdraw"]>[1]): void {
    this.waiting.delete(askId);
    this.person?.withdraw(askId, reason);
  }

  async close(): Promise<void> {
    await this.person?.close();
  }

  private async findPerson(): Promise<Person | null> {
    const open = this.person === null ? await this.find() : null;
    this.person ??=
      open?.({
        onOpening: () => undefined,
        onClosed: () => undefined,
        onOutcome: ({ id }, outcome) => this.settle(id, outcome),
      }) ?? null;
    return this.person;
  }

  private settle(askId: string, outcome: AskOutcome): void {
    const resolve = this.waiting.get(askId);
    this.waiting.delete(askId);
    resolve?.(outcome);
  }
}
