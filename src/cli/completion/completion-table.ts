// Everything that can be completed, as data, out of the tables that the commands themselves use: commands and their helps,
// agents, settings and their values. The shells get it in their own words.
import { wireNames } from "../../contract/wire-names.js";
import { type SettingRow, settingKeys, settingTable } from "../../session/settings/setting-table.js";
import { settingFlags } from "../config/typed-layers.js";

export interface Choice {
  readonly word: string;
  /** A few words beside it, where a shell shows them. */
  readonly summary: string;
}

export interface Step {
  /** The words so far, without flags, as patterns of the shell: "config set", "prompt *". */
  readonly after: readonly string[];
  readonly choices: readonly Choice[] | "files";
}

export interface FlagValues {
  /** "--protocol", "-o". */
  readonly names: readonly string[];
  readonly choices: readonly Choice[] | "files" | "free";
}

export interface CompletionTable {
  readonly steps: readonly Step[];
  readonly flags: readonly { readonly command: string; readonly names: readonly string[] }[];
  /** Flags that take a value; the word after one of them is that value. */
  readonly values: readonly FlagValues[];
}

export interface CompletionSources {
  readonly commands: readonly { readonly name: string; readonly summary: string; readonly help: string }[];
  readonly agents: readonly { readonly name: string; readonly title: string }[];
}

const outputs = ["text", "json", "stream-json"];

export function completionTable({ commands, agents }: CompletionSources): CompletionTable {
  const named = agents.map(({ name, title }) => ({ word: name, summary: title }));
  const keys = settingKeys.map((key) => ({ word: key, summary: settingTable[key].words }));
  return {
    steps: [
      { after: [""], choices: commands.map(({ name, summary }) => ({ word: name, summary })) },
      ...commands.flatMap(({ name, help }) => firstStep(name, firstWordsIn(help))),
      { after: ["run", "serve", "agents", "prompt *"], choices: named },
      { after: ["config get", "config set", "config unset"], choices: keys },
      ...settingValues().map(({ key, choices }) => ({ after: [`config set ${key}`], choices })),
      { after: ["replay"], choices: "files" },
    ],
    flags: commands.map(({ name, help }) => ({ command: name, names: flagNames(help) })),
    values: flagValues(commands.map(({ help }) => help)),
  };
}

function firstStep(name: string, words: readonly string[]): Step[] {
  return words.length === 0 ? [] : [{ after: [name], choices: bare(words) }];
}

// Where a help says that every setting is a flag, it does not list them all.
function flagNames(help: string): string[] {
  const own = flagsIn(help).map(({ name }) => name);
  const settings = /every (?:other )?setting is a flag/i.test(help) ? Object.keys(settingFlags) : [];
  return [...new Set([...own, ...settings.map((name) => `--${name}`), "--help"])];
}

function flagValues(helps: readonly string[]): FlagValues[] {
  const chosen = new Map<string, readonly Choice[]>([
    ["--protocol", bare(wireNames)],
    ["--output", bare(outputs)],
    ...settingValues().map(({ key, choices }) => [`--${key.replaceAll("_", "-")}`, choices] as const),
  ]);
  const described = helps.flatMap((help) => flagsIn(help)).filter(({ value }) => value !== null);
  const settings = Object.keys(settingFlags).map((name) => ({ name: `--${name}`, short: null, value: "" }));
  const merged = new Map<string, FlagValues>();
  for (const { name, short, value } of [...described, ...settings]) {
    const names = [name, ...(short === null ? [] : [short])];
    const isFile = value === "FILE" || value === "FOLDER";
    merged.set(name, {
      names: [...new Set([...(merged.get(name)?.names ?? []), ...names])],
      choices: chosen.get(name) ?? (isFile ? "files" : (merged.get(name)?.choices ?? "free")),
    });
  }
  return grouped([...merged.values()]);
}

// Most flags take a file, or something that only the person knows; one line for all of them keeps the scripts short.
function grouped(values: readonly FlagValues[]): FlagValues[] {
  const kinds = ["files", "free"] as const;
  const together = kinds.map((kind) => ({
    names: values.filter(({ choices }) => choices === kind).flatMap(({ names }) => names),
    choices: kind,
  }));
  return [...values.filter(({ choices }) => typeof choices !== "string"), ...together];
}

function settingValues(): { key: string; choices: readonly Choice[] }[] {
  return settingKeys.flatMap((key) => {
    const { values } = (settingTable[key] as SettingRow).kind;
    return values.length === 0 ? [] : [{ key, choices: bare(values) }];
  });
}

function bare(words: readonly string[]): Choice[] {
  return words.map((word) => ({ word, summary: "" }));
}

interface HelpFlag {
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
