// All commands, in the order of the help. Each loads only when it is called.
import type { CommandEntry } from "./command.js";

export const commandTable: readonly CommandEntry[] = [
  {
    name: "run",
    usage: "run -- <command…>",
    summary: "the terminal UI on any agent",
    load: async () => (await import("./commands/run-command.js")).runCommand,
  },
  {
    name: "conform",
    usage: "conform -- <command…>",
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
    name: "taste",
    usage: "taste",
    summary: "a short look at what Palaver does",
    load: async () => (await import("./commands/taste-command.js")).tasteCommand,
  },
];
