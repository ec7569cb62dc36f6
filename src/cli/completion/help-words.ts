// What the help of a command says about its words: which flags it has, which of them take a value, and which words may come
// first. The help is what a person reads, so that whoever keeps it true keeps the completion true as well.

export interface HelpFlag {
  readonly name: string;
  readonly short: string | null;
  /** What stands for its value, such as FILE; null when it takes none. */
  readonly value: string | null;
}

const FLAG = /(?<![\w-])(?:(-\w), )?(--[a-z][a-z-]*)(?: ([A-Z]+)\b)?/g;

/** Examples and other commands in quotes are left out: their flags are not those of this command. */
export function flagsIn(help: string): HelpFlag[] {
  const [described = ""] = help.replace(/"palaver [^"]*"/g, "").split(/^(?:Examples|Exit codes)/m);
  const found = new Map<string, HelpFlag>();
  for (const [, short, name = "", value] of described.matchAll(FLAG)) {
    const known = found.get(name);
    found.set(name, { name, short: known?.short ?? short ?? null, value: known?.value ?? value ?? null });
  }
  return [...found.values()];
}

/** `palaver ask select|confirm|… "question"` has five, `palaver config [get KEY | set KEY VALUE | …]` has seven. */
export function firstWordsIn(help: string): string[] {
  const [usage = ""] = help.split("\n");
  const list = /(?<![\w<])([a-z]+(?: [A-Z]+)*(?: ?\| ?[a-z]+(?: [A-Z]+)*)+)/.exec(usage)?.[1] ?? "";
  return list === "" ? [] : list.split("|").map((part) => part.trim().split(" ")[0] ?? "");
}
