// The slash commands, as data: name, summary and meaning. Unknown ones are reported with the nearest name.
import { nearestName } from "../contract/nearest-name.js";
import type { AgentCommands, SessionFacts } from "./session-facts.js";

export type SlashMeaning =
  /** Sent to the agent as it is, for the session at hand. */
  | { readonly type: "send"; readonly command: "abort" | "reset" | "save" | "stats" | "ping" | "debug" }
  | { readonly type: "local"; readonly action: SlashAction };

export type SlashAction =
  | "clear"
  | "close"
  | "copy"
  | "export"
  | "help"
  | "keys"
  | "mode"
  | "model"
  | "new"
  | "notifications"
  | "pair"
  | "queue"
  | "quit"
  | "restart"
  | "resume"
  | "screen"
  | "search"
  | "sessions"
  | "settings"
  | "switch"
  | "theme"
  | "thinking";

export interface SlashCommand {
  readonly name: string;
  /** What may follow the name. */
  readonly argument?: string;
  readonly summary: string;
  readonly meaning: SlashMeaning;
}

export const slashCommands: readonly SlashCommand[] = [
  local("help", "", "list commands"),
  sent("abort", "stop the running turn"),
  local("queue", "[edit | remove | clear]", "edit or remove queued messages"),
  local("new", "[folder]", "start a new session"),
  local("switch", "[number | name]", "go to another session"),
  local("close", "[number | name]", "close a session"),
  local("sessions", "", "list open sessions"),
  local("resume", "[name]", "resume a saved session"),
  local("model", "[name]", "choose the model"),
  local("mode", "[name]", "choose the agent's mode"),
  local("theme", "[name]", "choose the colours"),
  local("settings", "", "view and change settings"),
  local("screen", "[inline | full]", "inline or full-screen"),
  local("thinking", "[shown | hidden]", "show or hide thinking"),
  local("search", "[words]", "search the transcript"),
  local("copy", "[code | all]", "copy the last reply"),
  local("export", "[md | json | html] [file]", "write the transcript to a file"),
  local("notifications", "", "past notifications"),
  local("pair", "", "open this session in a browser"),
  local("clear", "[screen]", "clear the conversation and the screen"),
  sent("reset", "clear the conversation"),
  sent("save", "save the session"),
  sent("stats", "usage and costs"),
  local("keys", "", "list keys"),
  sent("ping", "check that the agent responds"),
  sent("debug", "agent debug info"),
  local("restart", "", "restart the agent"),
  local("quit", "", "quit"),
];

/** What commands of ours are called elsewhere. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["exit", "quit"],
  ["cost", "stats"],
]);

/** What the agent has to support for a command of ours. */
const needed: Readonly<Record<string, string>> = {
  ...{ abort: "abort", reset: "reset", save: "save", stats: "stats", debug: "debug" },
  ...{ new: "start_session", switch: "start_session", sessions: "start_session", close: "close_session" },
};

/** The commands that do something with this agent. */
export function availableCommands({
  supports,
  settings,
}: Pick<SessionFacts, "supports" | "settings">): readonly SlashCommand[] {
  return slashCommands.filter(({ name }) => {
    if (name === "mode") return settings.some(({ kind }) => kind === "mode");
    const need = needed[name];
    return need === undefined || !supports || supports.includes(need);
  });
}

/** The agent's commands that can be reached: those without a namesake among ours. */
export function ownCommands(commands: AgentCommands, ours: readonly SlashCommand[]): AgentCommands {
  return commands.filter(({ name }) => !ours.some((command) => command.name === name));
}

function local(action: SlashAction, argument: string, summary: string): SlashCommand {
  return { name: action, ...(argument === "" ? {} : { argument }), summary, meaning: { type: "local", action } };
}

function sent(command: Extract<SlashMeaning, { type: "send" }>["command"], summary: string): SlashCommand {
  return { name: command, summary, meaning: { type: "send", command } };
}

export type SlashInput =
  | { readonly type: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly type: "unknown"; readonly name: string; readonly nearest: string | null }
  /** The user wants this run in a shell. */
  | { readonly type: "shell"; readonly command: string }
  /** No command at all: a prompt. A path such as /etc/hosts is one, too. */
  | { readonly type: "prompt"; readonly text: string };

/** `others` are the agent's own commands: they go to it as they were typed, unless `ours` has one of that name. */
export function readSlash(
  text: string,
  others: readonly string[] = [],
  ours: readonly SlashCommand[] = slashCommands,
): SlashInput {
  const shell = /^!\s*(\S[\s\S]*)$/.exec(text.trim());
  if (shell !== null) return { type: "shell", command: shell[1] ?? "" };
  const match = /^\/([a-z][\w:-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (match === null) return { type: "prompt", text };
  const [, name = "", argument = ""] = match;
  const ourName = otherNames.get(name) ?? name;
  const command = slashCommands.find((candidate) => candidate.name === ourName);
  const isTheirs = others.includes(name) && !ours.some((candidate) => candidate.name === name);
  if (command !== undefined && !isTheirs) return { type: "command", command, argument: argument.trim() };
  if (isTheirs) return { type: "prompt", text };
  const names = [...slashCommands.map((known) => known.name), ...others];
  const nearest = names.find((known) => known.startsWith(name)) ?? nearestName(name, names);
  return { type: "unknown", name, nearest };
}

/** Whether a command of ours has this name, for any agent. */
export function isCommandName(name: string): boolean {
  return slashCommands.some((command) => command.name === name);
}

/** Whether it would be read as something else than a prompt. */
export function isCommand(text: string): boolean {
  return readSlash(text).type !== "prompt";
}
