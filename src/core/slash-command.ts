// What can be typed after a slash, as data: its name, what it does in words, and what it means. Unknown ones are told,
// with the nearest name.

export type SlashMeaning =
  /** Sent to the agent as it is. */
  | { readonly type: "send"; readonly command: "abort" | "reset" | "save" | "stats" | "ping" | "debug" }
  | { readonly type: "local"; readonly action: "help" | "quit" | "restart" | "queue" | "clear" | "copy" };

export interface SlashCommand {
  readonly name: string;
  readonly summary: string;
  readonly meaning: SlashMeaning;
}

export const slashCommands: readonly SlashCommand[] = [
  { name: "help", summary: "what can be typed here", meaning: { type: "local", action: "help" } },
  { name: "abort", summary: "stop the running turn", meaning: { type: "send", command: "abort" } },
  {
    name: "queue",
    summary: "the prompts that wait; /queue clear forgets them",
    meaning: { type: "local", action: "queue" },
  },
  { name: "clear", summary: "start a new page; the scrollback stays", meaning: { type: "local", action: "clear" } },
  {
    name: "copy",
    summary: "put the agent's last message on the clipboard",
    meaning: { type: "local", action: "copy" },
  },
  { name: "reset", summary: "let the agent forget the conversation", meaning: { type: "send", command: "reset" } },
  { name: "save", summary: "let the agent save the session", meaning: { type: "send", command: "save" } },
  { name: "stats", summary: "counts and costs", meaning: { type: "send", command: "stats" } },
  { name: "ping", summary: "is the agent there?", meaning: { type: "send", command: "ping" } },
  { name: "debug", summary: "the agent's inner state", meaning: { type: "send", command: "debug" } },
  { name: "restart", summary: "start the agent again", meaning: { type: "local", action: "restart" } },
  { name: "quit", summary: "leave", meaning: { type: "local", action: "quit" } },
];

export type SlashInput =
  | { readonly type: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly type: "unknown"; readonly name: string; readonly nearest: string | null }
  /** No command at all: a prompt. A path such as /etc/hosts is one, too. */
  | { readonly type: "prompt"; readonly text: string };

export function readSlash(text: string): SlashInput {
  const match = /^\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (match === null) return { type: "prompt", text };
  const [, name = "", argument = ""] = match;
  const command = slashCommands.find((candidate) => candidate.name === name);
  if (command !== undefined) return { type: "command", command, argument: argument.trim() };
  const nearest = slashCommands.find((candidate) => candidate.name.startsWith(name.slice(0, 2)))?.name ?? null;
  return { type: "unknown", name, nearest };
}
