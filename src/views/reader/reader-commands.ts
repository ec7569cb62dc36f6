// Commands of the screen reader only, for what others can see on the screen.

export const readerCommands = [
  { name: "open", summary: "continue reading the last long output" },
  { name: "status", summary: "agent, model, current work and usage" },
  { name: "repeat", summary: "repeat the open question" },
  { name: "edit", summary: "write the message in your editor" },
] as const;

export type ReaderCommand = (typeof readerCommands)[number]["name"];

/** Null for any other text. */
export function readReaderCommand(text: string): ReaderCommand | null {
  const name = /^\/([a-z]+)\s*$/.exec(text.trim())?.[1];
  return readerCommands.find((command) => command.name === name)?.name ?? null;
}

/** All names that begin like this, for Tab. */
export function commandsLike(typed: string, names: readonly string[]): string[] {
  if (!/^\/[\w:-]*$/.test(typed)) return [];
  const all = [...names, ...readerCommands.map(({ name }) => name)];
  return [...new Set(all)].filter((name) => name.startsWith(typed.slice(1))).sort();
}
