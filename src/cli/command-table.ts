// All commands, in the order of the help. Each loads only when it is called.
import type { ExitCode } from "./exit-codes.js";

export type Command = {
  /** Shown by `palaver NAME --help`. */
  help: string;
  run(args: string[]): Promise<ExitCode>;
};

export type CommandEntry = {
  name: string;
  usage: string;
  summary: string;
  load(): Promise<Command>;
};

const daemonCommands = () => import("./commands/daemon-commands.js");
const askCommands = () => import("./commands/ask-list-commands.js");

export const commandTable: readonly CommandEntry[] = [
  entry("run NAME | -- COMMAND…", "the terminal UI on any agent", () => import("./commands/run-command.js")),
  entry(
    'prompt "text" [agent]',
    "one prompt, streamed; a dialog when needed",
    () => import("./commands/prompt-command.js"),
  ),
  entry("ask KIND TITLE", "a question for a script, answered on stdout", () => import("./commands/ask-command.js")),
  entry("agents [NAME]", "agents known by name, and which are installed", () => import("./commands/agents-command.js")),
  entry(
    "conform -- COMMAND…",
    "judge an agent: does it speak the lines wire?",
    () => import("./commands/conform-command.js"),
  ),
  entry("agent", "the built-in agent: JSON lines on stdio", () => import("./commands/agent-command.js")),
  entry("replay FILE", "play a recorded session again", () => import("./commands/replay-command.js")),
  entry(
    "config [get|set|check|…]",
    "the settings, and where each came from",
    () => import("./commands/config-command.js"),
  ),
  entry("serve [AGENT]", "the daemon of this project, and agents in it", () => import("./commands/serve-command.js")),
  entry("attach [URL]", "the daemon and its sessions on the full screen", () => import("./commands/attach-command.js")),
  entry("sessions [--json]", "list or resume sessions", () => import("./commands/sessions-command.js")),
  entry("asks [--history] [--json]", "open questions", async () => ({ command: (await askCommands()).asksCommand })),
  entry("answer ID [VALUE]", "answer one of them", async () => ({ command: (await askCommands()).answerCommand })),
  entry("state [--json]", "what the daemon shows", async () => ({ command: (await daemonCommands()).stateCommand })),
  entry("action KEY [VALUE]", "change or run something of the daemon", async () => ({
    command: (await daemonCommands()).actionCommand,
  })),
  entry("logs [-f]", "show or follow the daemon's log", async () => ({
    command: (await daemonCommands()).logsCommand,
  })),
  entry("stop", "end the daemon", async () => ({ command: (await daemonCommands()).stopCommand })),
  entry("mcp", "lets any MCP client ask the person, on stdio", () => import("./commands/mcp-command.js")),
  entry("doctor [--json]", "what works here, what does not, what to do", () => import("./commands/doctor-command.js")),
  entry(
    "completion SHELL",
    "a completion script for bash, zsh or fish",
    () => import("./commands/completion-command.js"),
  ),
  entry("taste", "a short look at what Palaver does", () => import("./commands/taste-command.js")),
];

function entry(usage: string, summary: string, load: () => Promise<{ command: Command }>): CommandEntry {
  const [name = ""] = usage.split(" ");
  return { name, usage, summary, load: async () => (await load()).command };
}
