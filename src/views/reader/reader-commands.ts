// Commands that only the reader has, because others see at a glance what these say.

export const readerCommands = [
  { name: "open", summary: "read on in the last long output" },
  { name: "status", summary: "who is at work, on what, and what it has used" },
  { name: "repeat", summary: "say the open question again" },
  { name: "edit", summary: "write the message in your editor" },
] as const;

export type ReaderCommand = (typeof readerCommands)[number]["name"];

/** null for whatever is none of them. */
export function readReaderCommand(text: string): ReaderCommand | null {
  const name = /^\/([a-z]+)\s*$/.exec(text.trim())?.[1];
  return readerCommands.find((command) => command.name === name)?.name ?? null;
}

/** All names that begin like this, for whoever presses Tab. */
export function commandsLike(typed: string, names: readonly string[]): string[] {
  if (!/^\/[\w:-]*$/.test(typed)) return [];
  const all = [...names, ...readerCommands.map(({ name }) => name)];
  return [...new Set(all)].filter((name) => name.startsWith(typed.slice(1))).sort();
}
