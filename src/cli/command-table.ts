// All commands, in the order of the help. Each loads only when it is called.

export type Command = {
  /** Shown by `palaver NAME --help`. */
  help: string;
  /** An exit code: one of ours, or that of a command it runs. */
  run(args: string[]): Promise<number>;
};

export type CommandEntry = {
  name: string;
  usage: string;
  summary: string;
  load(): Promise<Command>;
};

const daemonCommands = () => import("./commands/daemon-commands.js");
const pairCommands = () => import("./commands/pair-commands.js");
const askCommands = () => import("./commands/ask-list-commands.js");

export const commandTable: readonly CommandEntry[] = [
  entry("run NAME | -- COMMAND…", "open the terminal UI on any agent", () => import("./commands/run-command.js")),
  entry('prompt "text" [agent]', "send one prompt and stream the answer", () => import("./commands/prompt-command.js")),
  entry("ask KIND TITLE", "ask a question from a script", () => import("./commands/ask-command.js")),
  entry("agents [NAME]", "list known agents and which are installed", () => import("./commands/agents-command.js")),
  entry(
    "conform -- COMMAND…",
    "check an agent against the lines protocol",
    () => import("./commands/conform-command.js"),
  ),
  entry("agent", "run the built-in agent: JSON lines on stdio", () => import("./commands/agent-command.js")),
  entry("replay FILE", "replay a recorded session", () => import("./commands/replay-command.js")),
  entry("config [get|set|check|…]", "show or change settings", () => import("./commands/config-command.js")),
  entry("serve [AGENT]", "run this project's daemon, and agents in it", () => import("./commands/serve-command.js")),
  entry("attach [URL]", "show the daemon and its sessions full-screen", () => import("./commands/attach-command.js")),
  entry("pair", "pair a browser with the daemon's page", async () => ({
    command: (await pairCommands()).pairCommand,
  })),
  entry("devices [revoke ID]", "list or revoke paired browsers", async () => ({
    command: (await pairCommands()).devicesCommand,
  })),
  entry("sessions [--json]", "list or resume sessions", () => import("./commands/sessions-command.js")),
  entry("asks [--history] [--json]", "list open questions", async () => ({
    command: (await askCommands()).asksCommand,
  })),
  entry("answer ID [VALUE]", "answer an open question", async () => ({ command: (await askCommands()).answerCommand })),
  entry("hub init|check|reload|users", "set up a hub for many machines", () => import("./commands/hub-command.js")),
  entry("state [--json]", "show the daemon's state", async () => ({ command: (await daemonCommands()).stateCommand })),
  entry("action KEY [VALUE]", "run a daemon action", async () => ({
    command: (await daemonCommands()).actionCommand,
  })),
  entry("logs [-f]", "show or follow the daemon's log", async () => ({
    command: (await daemonCommands()).logsCommand,
  })),
  entry("stop", "stop the daemon", async () => ({ command: (await daemonCommands()).stopCommand })),
  entry("mcp", "run an MCP server on stdio that can ask you", () => import("./commands/mcp-command.js")),
  entry("doctor [--json]", "check this terminal and machine", () => import("./commands/doctor-command.js")),
  entry(
    "completion SHELL",
    "print completions for bash, zsh or fish",
    () => import("./commands/completion-command.js"),
  ),
  entry("demo", "take a two-minute tour", () => import("./commands/demo-command.js")),
];

function entry(usage: string, summary: string, load: () => Promise<{ command: Command }>): CommandEntry {
  const [name = ""] = usage.split(" ");
  return { name, usage, summary, load: async () => (await load()).command };
}
