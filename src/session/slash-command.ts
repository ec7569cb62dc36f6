// What can be typed after a slash, as data: its name, what it does in words, and what it means. Unknown ones are told,
// with the nearest name.
import { nearestName } from "../contract/nearest-name.js";

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
  local("help", "", "what can be typed here"),
  sent("abort", "stop the running turn"),
  local("queue", "[clear | edit]", "the prompts that wait; edit takes the last one back"),
  local("new", "[folder]", "open one more session"),
  local("switch", "[number | name]", "go to another session"),
  local("close", "[number | name]", "close a session"),
  local("sessions", "", "the open sessions"),
  local("resume", "[name]", "resume a saved session"),
  local("model", "[name]", "choose the model"),
  local("mode", "[name]", "choose the agent's mode: when it asks"),
  local("theme", "[name]", "choose the colours"),
  local("settings", "", "look at the settings and change them"),
  local("screen", "[inline | full]", "the terminal's own scrollback, or the whole screen"),
  local("thinking", "[shown | hidden]", "show what the model thinks"),
  local("search", "[words]", "search the transcript"),
  local("copy", "[code | all]", "put the last message on the clipboard"),
  local("export", "[md | json | html] [file]", "write the transcript to a file"),
  local("notifications", "", "what the agent has reported"),
  local("clear", "", "start a new page; the scrollback stays"),
  sent("reset", "let the agent forget the conversation"),
  sent("save", "let the agent save the session"),
  sent("stats", "counts and costs"),
  local("keys", "", "which key does what"),
  sent("ping", "is the agent there?"),
  sent("debug", "the agent's inner state"),
  local("restart", "", "start the agent again"),
  local("quit", "", "leave"),
];

function local(action: SlashAction, argument: string, summary: string): SlashCommand {
  return { name: action, ...(argument === "" ? {} : { argument }), summary, meaning: { type: "local", action } };
}

function sent(command: Extract<SlashMeaning, { type: "send" }>["command"], summary: string): SlashCommand {
  return { name: command, summary, meaning: { type: "send", command } };
}

export type SlashInput =
  | { readonly type: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly type: "unknown"; readonly name: string; readonly nearest: string | null }
  /** The person wants this run in a shell. */
  | { readonly type: "shell"; readonly command: string }
  /** No command at all: a prompt. A path such as /etc/hosts is one, too. */
  | { readonly type: "prompt"; readonly text: string };

/** `others` are the agent's own commands: they go to it as they were typed. */
export function readSlash(text: string, others: readonly string[] = []): SlashInput {
  const shell = /^!\s*(\S[\s\S]*)$/.exec(text.trim());
  if (shell !== null) return { type: "shell", command: shell[1] ?? "" };
  const match = /^\/([a-z][\w:-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (match === null) return { type: "prompt", text };
  const [, name = "", argument = ""] = match;
  const command = slashCommands.find((candidate) => candidate.name === name);
  if (command !== undefined) return { type: "command", command, argument: argument.trim() };
  if (others.includes(name)) return { type: "prompt", text };
  const names = [...slashCommands.map((known) => known.name), ...others];
  const nearest = names.find((known) => known.startsWith(name)) ?? nearestName(name, names);
  return { type: "unknown", name, nearest };
}

/** Whether it would be read as something else than a prompt. */
export function isCommand(text: string): boolean {
  return readSlash(text).type !== "prompt";
}
