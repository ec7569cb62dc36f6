// `palaver completion`: prints a script that teaches a shell the commands, flags, agents, settings and themes of Palaver.
import { findProgram } from "../../agents/found-program.js";
import { wireNames } from "../../contract/wire-names.js";
import { type SettingRow, settingKeys, settingTable } from "../../session/settings/setting-table.js";
import { readArguments } from "../arguments.js";
import { type Command, commandTable } from "../command-table.js";
import { readConfig } from "../config/load-config.js";
import { settingFlags } from "../config/typed-layers.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { shellQuoted } from "../printed.js";
import { listAgents, type OwnAgents } from "./agents-command.js";

const help = `palaver completion bash|zsh|fish

Prints a script that completes commands, flags, agents, settings and their
values, including your own agents. Regenerate it after you add an agent.

Examples
  palaver completion bash >> ~/.bashrc
  palaver completion zsh >> ~/.zshrc
  mkdir -p ~/.config/fish/completions
  palaver completion fish > ~/.config/fish/completions/palaver.fish
`;

export const command: Command = {
  help,
  async run(args) {
    const { positionals } = readArguments("completion", args, {});
    const shell = shells.find((each) => each === positionals[0]);
    if (shell === undefined || positionals.length > 1) {
      throw new UsageError(`completion needs one shell: ${shells.join(", ")}\n  palaver completion bash >> ~/.bashrc`);
    }
    const commands = await Promise.all(
      commandTable.map(async ({ name, summary, load }) => ({ name, summary, help: (await load()).help })),
    );
    const agents = listAgents(ownAgents(), (name) => findProgram(name, process.env));
    process.stdout.write(completionScript(shell, completionTable({ commands, agents })));
    return exitCodes.done;
  },
};

// Broken settings are ignored here: a starting shell should not print them.
function ownAgents(): OwnAgents {
  try {
    return readConfig({ environment: process.env, folder: process.cwd() }).settings.agents;
  } catch {
    return {};
  }
}

// Everything that can be completed, as data, out of the tables that the commands themselves use: commands and their helps,
// agents, settings and their values. The shells get it in their own words.
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
      ...commands
        .map(({ name, help }) => ({ after: [name], choices: bare(firstWordsIn(help)) }))
        .filter(({ choices }) => choices.length > 0),
      { after: ["run", "serve", "agents", "prompt *"], choices: named },
      { after: ["config get", "config set", "config unset"], choices: keys },
      ...settingValues().map(({ key, choices }) => ({ after: [`config set ${key}`], choices })),
      { after: ["replay"], choices: "files" },
    ],
    flags: commands.map(({ name, help }) => ({ command: name, names: flagNames(help) })),
    values: flagValues(commands.map(({ help }) => help)),
  };
}

// Where a help says that every setting is a flag, it does not list them all.
export function flagNames(help: string): string[] {
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

// Most flags take a file, or something that only the user knows; one line for all of them keeps the scripts short.
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

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const scripts: Readonly<Record<Shell, (table: CompletionTable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

// Each script is one function: it goes through the words before the cursor, leaves flags and their values out, and offers
// what may come after the rest. A word "--" ends what is ours.
export function completionScript(shell: Shell, table: CompletionTable): string {
  return scripts[shell](table);
}

// Words are made of harmless letters, but a user's own agents may be called anything.
function wordsOf(choices: readonly Choice[]): string {
  return choices.map(({ word }) => shellQuoted(word)).join(" ");
}

/** Patterns of `case`: the words in quotes, the star outside of them. */
function patternsOf(after: readonly string[]): string {
  return after
    .map((words) => (words.endsWith("*") ? `${shellQuoted(words.slice(0, -1))}*` : shellQuoted(words)))
    .join("|");
}

/** Of bash and zsh: the rest of the loop over the words, up to what the flag before the cursor takes. */
function skipFlags(values: readonly FlagValues[]): string {
  return `    case $before in
      ${values.flatMap(({ names }) => names).join("|")}) before=""; continue ;;
    esac
    before=$word
    [[ $word == -* ]] && continue
    [[ -z $command ]] && command=$word
    so_far+="\${so_far:+ }$word"
  done
  case $before in`;
}

// Where nothing is offered, bash completes names of files itself.
function bashScript({ steps, flags, values }: CompletionTable): string {
  const offer = (choices: readonly Choice[] | "files" | "free") =>
    typeof choices === "string" ? "return" : `_palaver_among "$cur" ${wordsOf(choices)}; return`;
  return `# bash completion of palaver; made by "palaver completion bash"
_palaver_among() {
  local cur=$1 word
  shift
  for word; do [[ $word == "$cur"* ]] && COMPREPLY+=("$word"); done
}

_palaver() {
  local cur=\${COMP_WORDS[COMP_CWORD]} so_far="" command="" before="" word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == -- ]]; then
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$cur")
      return
    fi
${skipFlags(values)}
${values.map(({ names, choices }) => `    ${names.join("|")}) ${offer(choices)} ;;`).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case $command in
      '') _palaver_among "$cur" --help --version ;;
${flags.map(({ command, names }) => `      ${shellQuoted(command)}) _palaver_among "$cur" ${names.join(" ")} ;;`).join("\n")}
    esac
    return
  fi
  case $so_far in
${steps.map(({ after, choices }) => `    ${patternsOf(after)}) ${offer(choices)} ;;`).join("\n")}
  esac
}
complete -o bashdefault -o default -F _palaver palaver
`;
}

function zshScript({ steps, flags, values }: CompletionTable): string {
  const described = ({ word, summary }: Choice) =>
    shellQuoted(`${word.replaceAll(":", "\\:")}${summary === "" ? "" : `:${summary}`}`);
  const offer = (choices: readonly Choice[] | "files" | "free") =>
    choices === "files" ? "_files" : choices === "free" ? ":" : `list=(${choices.map(described).join(" ")})`;
  return `#compdef palaver
# zsh completion of palaver; made by "palaver completion zsh"
_palaver() {
  local current=\${words[CURRENT]} so_far="" command="" word before=""
  local -a list
  for word in \${words[2,CURRENT-1]}; do
    if [[ $word == -- ]]; then
      _command_names -e
      _files
      return
    fi
${skipFlags(values)}
${values.map(({ names, choices }) => `    ${names.join("|")}) ${offer(choices)}; _describe value list; return ;;`).join("\n")}
  esac
  if [[ $current == -* ]]; then
    case $command in
      '') list=(--help --version) ;;
${flags.map(({ command, names }) => `      ${shellQuoted(command)}) list=(${names.join(" ")}) ;;`).join("\n")}
    esac
    compadd -a list
    return
  fi
  case $so_far in
${steps.map(({ after, choices }) => `    ${patternsOf(after)}) ${offer(choices)} ;;`).join("\n")}
  esac
  _describe palaver list
}
if [[ \${funcstack[1]} == _palaver ]]; then
  _palaver "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _palaver palaver
fi
`;
}

function fishScript({ steps, flags, values }: CompletionTable): string {
  const offer = (choices: readonly Choice[] | "files" | "free") =>
    choices === "files"
      ? "__fish_complete_path $current"
      : choices === "free"
        ? "true"
        : `printf '%s\\t%s\\n' ${choices.map(({ word, summary }) => `${fishQuoted(word)} ${fishQuoted(summary)}`).join(" ")}`;
  return `# fish completion of palaver; made by "palaver completion fish"
function __palaver_offer
    set -l given (commandline -opc)
    set -l current (commandline -ct)
    set -l so_far
    set -l before ''
    for word in $given[2..]
        if test "$word" = --
            __fish_complete_command
            __fish_complete_path $current
            return
        end
        if contains -- "$before" ${values.flatMap(({ names }) => names).join(" ")}
            set before ''
            continue
        end
        set before $word
        string match -q -- '-*' $word; or set -a so_far $word
    end
    switch "$before"
${values.map(({ names, choices }) => `        case ${names.join(" ")}\n            ${offer(choices)}\n            return`).join("\n")}
    end
    if string match -q -- '-*' "$current"
        switch "$so_far[1]"
            case ''
                printf '%s\\n' --help --version
${flags.map(({ command, names }) => `            case ${fishQuoted(command)}\n                printf '%s\\n' ${names.join(" ")}`).join("\n")}
        end
        return
    end
    switch "$so_far"
${steps.map(({ after, choices }) => `        case ${after.map(fishQuoted).join(" ")}\n            ${offer(choices)}`).join("\n")}
    end
end
complete -c palaver -f -a '(__palaver_offer)'
`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
