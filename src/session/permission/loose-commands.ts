// Finds the commands in a command line the way an eye looks for trouble: everywhere, also inside of quotes, substitutions
// and wrappers. It may find too much, and a shell has ways to hide a command from it. So it serves warnings and denials,
// which are a help; an allowance never rests on it.
import { WRAPPERS } from "./hidden-commands.js";

export type LooseCommand = {
  /** Without its folder: rm for /bin/rm. */
  readonly name: string;
  readonly args: readonly string[];
  /** Files that redirections write to and read from. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** What stands before it. */
  readonly joint: "start" | "pipe";
};

/** How often a command may sit inside another one, as in `bash -c "bash -c …"`; deeper ones count as an eval. */
const DEPTH_MAX = 4;

const INTERPRETERS = new Set(["sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "su"]);
/** How many arguments of a wrapper may be where its command begins. */
const STARTS_MAX = 12;

export function commandsIn(command: string): LooseCommand[] {
  return commandsAt(command, 0);
}

function commandsAt(text: string, depth: number): LooseCommand[] {
  const found: LooseCommand[] = [];
  let joint: LooseCommand["joint"] = "start";
  for (const piece of pieces(text)) {
    if (piece === "|" || piece === "|&") joint = "pipe";
    else if (OPERATORS.has(piece)) joint = "start";
    else {
      found.push(...commandsOf(wordsOf(piece), joint, depth));
      joint = "start";
    }
  }
  return found;
}

const OPERATORS = new Set(["&&", "||", ";", "&", "\n", "(", ")", "`", "$("]);

// Quotes protect operators, except in a substitution, which works inside of double quotes too.
function pieces(text: string): string[] {
  const tokens =
    text.match(
      /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\$\(|&>|>&|<&|>\||\|\||&&|\|&|[|;&\n()`]|[^\\'"$&<>|;\n()`]+|[\s\S]/g,
    ) ?? [];
  const found: string[] = [];
  let open = "";
  const flush = () => {
    if (open.trim() !== "") found.push(open);
    open = "";
  };
  for (const token of tokens) {
    if (token === "|" || token === "|&" || OPERATORS.has(token)) {
      flush();
      found.push(token);
    } else {
      open += token;
      if (token.length > 2 && token.startsWith('"') && /\$\(|`/.test(token))
        found.push(...inner(token).flatMap(pieces));
    }
  }
  flush();
  return found;
}

function inner(quoted: string): string[] {
  return [...quoted.matchAll(/\$\(([^)]*)|`([^`]*)/g)].map((match) => match[1] ?? match[2] ?? "");
}

type Words = { readonly words: string[]; readonly writes: string[]; readonly reads: string[] };

function wordsOf(piece: string): Words {
  const tokens =
    piece.match(/(?:&>>?|\d*>>?[|&]?|\d*<[<&>]?<?)|(?:\\[\s\S]|'[^']*'?|"(?:\\[\s\S]|[^"\\])*"?|[^\s&<>\\'"])+/g) ?? [];
  const result: Words = { words: [], writes: [], reads: [] };
  let target: string[] = result.words;
  for (const token of tokens) {
    const isOperator = /^(?:&>>?|\d*>>?[|&]?|\d*<[<&>]?<?)$/.test(token) && /[<>]/.test(token);
    if (isOperator) target = token.includes(">") ? result.writes : result.reads;
    else {
      target.push(unquoted(token));
      target = result.words;
    }
  }
  return result;
}

function unquoted(token: string): string {
  return token.replace(/\\([\s\S])|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?/g, (_, escaped, single, double) =>
    String(escaped ?? single ?? String(double ?? "").replace(/\\([$`"\\])/g, "$1")),
  );
}

function commandsOf({ words, writes, reads }: Words, joint: LooseCommand["joint"], depth: number): LooseCommand[] {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word));
  const [first, ...args] =
    start < 0 ? [] : words.slice(start).flatMap((word, at) => (at === 0 ? unfolded(word) : [word]));
  if (first === undefined)
    return writes.length + reads.length === 0 ? [] : [{ name: "", args: [], writes, reads, joint }];
  const name = first.split("/").at(-1) ?? first;
  const self: LooseCommand = { name, args, writes, reads, joint };
  return [self, ...wrapped(self, depth + 1)];
}

/** {rm,-rf,x} is rm -rf x; a function's name stands before its brace. */
function unfolded(word: string): string[] {
  return /^\{[^{}]*,[^{}]*\}$/.test(word) ? word.slice(1, -1).split(",") : [word];
}

function wrapped(command: LooseCommand, depth: number): LooseCommand[] {
  const { name, args, joint } = command;
  const isInterpreter = INTERPRETERS.has(name);
  const mayWrap = isInterpreter || WRAPPERS.has(name) || name === "eval";
  if (mayWrap && depth > DEPTH_MAX) return [{ ...command, name: "eval" }];
  if (name === "eval") return commandsAt(args.join(" "), depth);
  if (isInterpreter && args.some((arg) => /^-\w*c/.test(arg))) {
    return args
      .filter((arg) => !arg.startsWith("-"))
      .slice(0, 3)
      .flatMap((script) => commandsAt(script, depth));
  }
  if (!WRAPPERS.has(name)) return [];
  // Which flags of a wrapper take a value is not known here, so every argument may be where the command begins, and
  // one with a blank in it may be a command by itself.
  const scripts = args.filter((arg) => /\s/.test(arg)).map((arg) => arg.replace(/^-+[\w-]*=?/, ""));
  const starts = args.flatMap((arg, index) => (/^-|^\d+[smhd]?$|=/.test(arg) ? [] : [index])).slice(0, STARTS_MAX);
  return [
    ...starts.flatMap((index) => commandsOf({ words: args.slice(index), writes: [], reads: [] }, joint, depth)),
    ...scripts.slice(0, STARTS_MAX).flatMap((script) => commandsAt(script, depth)),
  ];
}
