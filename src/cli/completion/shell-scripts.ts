// The completion table in the words of three shells. Each script is one function: it goes through the words before the
// cursor, leaves flags and their values out, and offers what may come after the rest. A word "--" ends what is ours.
import type { Choice, CompletionTable, FlagValues } from "./completion-table.js";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function completionScript(shell: Shell, table: CompletionTable): string {
  switch (shell) {
    case "bash":
      return bashScript(table);
    case "zsh":
      return zshScript(table);
    case "fish":
      return fishScript(table);
  }
}

// Words are made of harmless letters, but agents of a person's own may be called anything.
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function wordsOf(choices: readonly Choice[]): string {
  return choices.map(({ word }) => quoted(word)).join(" ");
}

/** Patterns of `case`: the words in quotes, the star outside of them. */
function patternsOf(after: readonly string[]): string {
  return after.map((words) => (words.endsWith("*") ? `${quoted(words.slice(0, -1))}*` : quoted(words))).join("|");
}

function allNames(values: readonly FlagValues[]): string {
  return values.flatMap(({ names }) => names).join("|");
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
    case $before in
      ${allNames(values)}) before=""; continue ;;
    esac
    before=$word
    [[ $word == -* ]] && continue
    [[ -z $command ]] && command=$word
    so_far+="\${so_far:+ }$word"
  done
  case $before in
${values.map(({ names, choices }) => `    ${names.join("|")}) ${offer(choices)} ;;`).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case $command in
      '') _palaver_among "$cur" --help --version ;;
${flags.map(({ command, names }) => `      ${quoted(command)}) _palaver_among "$cur" ${names.join(" ")} ;;`).join("\n")}
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
    quoted(`${word.replaceAll(":", "\\:")}${summary === "" ? "" : `:${summary}`}`);
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
    case $before in
      ${allNames(values)}) before=""; continue ;;
    esac
    before=$word
    [[ $word == -* ]] && continue
    [[ -z $command ]] && command=$word
    so_far+="\${so_far:+ }$word"
  done
  case $before in
${values.map(({ names, choices }) => `    ${names.join("|")}) ${offer(choices)}; _describe value list; return ;;`).join("\n")}
  esac
  if [[ $current == -* ]]; then
    case $command in
      '') list=(--help --version) ;;
${flags.map(({ command, names }) => `      ${quoted(command)}) list=(${names.join(" ")}) ;;`).join("\n")}
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
