// All commands, in the order of the help. Each loads only when it is called.
import type { CommandEntry } from "./command.js";

export const commandTable: readonly CommandEntry[] = [
  {
    name: "run",
    usage: "run NAME | -- COMMAND…",
    summary: "the terminal UI on any agent",
    load: async () => (await import("./commands/run-command.js")).runCommand,
  },
  {
    name: "prompt",
    usage: 'prompt "text" [agent]',
    summary: "one prompt, streamed; a dialog when needed",
    load: async () => (await import("./commands/prompt-command.js")).promptCommand,
  },
  {
    name: "ask",
    usage: "ask KIND TITLE",
    summary: "a question for a script, answered on stdout",
    load: async () => (await import("./commands/ask-command.js")).askCommand,
  },
  {
    name: "agents",
    usage: "agents [NAME]",
    summary: "agents known by name, and which are here",
    load: async () => (await import("./commands/agents-command.js")).agentsCommand,
  },
  {
    name: "conform",
    usage: "conform -- COMMAND…",
    summary: "judge an agent: does it speak the lines wire?",
    load: async () => (await import("./commands/conform-command.js")).conformCommand,
  },
  {
    name: "agent",
    usage: "agent",
    summary: "the built-in agent: JSON lines on stdio",
    load: async () => (await import("./commands/agent-command.js")).agentCommand,
  },
  {
    name: "replay",
    usage: "replay FILE",
    summary: "play a recorded session again",
    load: async () => (await import("./commands/replay-command.js")).replayCommand,
  },
  {
    name: "config",
    usage: "config [get|set|check|…]",
    summary: "the settings, and where each came from",
    load: async () => (await import("./commands/config-command.js")).configCommand,
  },
  {
    name: "serve",
    usage: "serve [AGENT]",
    summary: "the daemon of this project, and agents in it",
    load: async () => (await import("./commands/serve-command.js")).serveCommand,
  },
  {
    name: "attach",
    usage: "attach [URL]",
    summary: "the daemon and its sessions on the full screen",
    load: async () => (await import("./commands/attach-command.js")).attachCommand,
  },
  {
    name: "sessions",
    usage: "sessions [--json]",
    summary: "sessions that can be gone on with",
    load: async () => (await import("./commands/sessions-command.js")).sessionsCommand,
  },
  {
    name: "asks",
    usage: "asks [--history] [--json]",
    summary: "questions that wait for an answer",
    load: async () => (await import("./commands/asks-command.js")).asksCommand,
  },
  {
    name: "answer",
    usage: "answer ID [VALUE]",
    summary: "answer one of them",
    load: async () => (await import("./commands/answer-command.js")).answerCommand,
  },
  {
    name: "state",
    usage: "state [--json]",
    summary: "what the daemon has to show",
    load: async () => (await import("./commands/state-command.js")).stateCommand,
  },
  {
    name: "action",
    usage: "action KEY [VALUE]",
    summary: "change or run something of the daemon",
    load: async () => (await import("./commands/action-command.js")).actionCommand,
  },
  {
    name: "logs",
    usage: "logs [-f]",
    summary: "what the daemon logged, and logs",
    load: async () => (await import("./commands/logs-command.js")).logsCommand,
  },
  {
    name: "stop",
    usage: "stop",
    summary: "end the daemon",
    load: async () => (await import("./commands/stop-command.js")).stopCommand,
  },
  {
    name: "mcp",
    usage: "mcp",
    summary: "lets any MCP client ask the person, on stdio",
    load: async () => (await import("./commands/mcp-command.js")).mcpCommand,
  },
  {
    name: "doctor",
    usage: "doctor [--json]",
    summary: "what works here, what does not, what to do",
    load: async () => (await import("./commands/doctor-command.js")).doctorCommand,
  },
  {
    name: "completion",
    usage: "completion SHELL",
    summary: "a completion script for bash, zsh or fish",
    load: async () => (await import("./commands/completion-command.js")).completionCommand,
  },
  {
    name: "taste",
    usage: "taste",
    summary: "a short look at what Palaver does",
    load: async () => (await import("./commands/taste-command.js")).tasteCommand,
  },
];
