// Takes a command line apart into the simple commands a shell would run, for rules that speak of simple commands.
// It is not a shell: a command is plain words, or it is unclear, and nothing unclear is covered by a rule that allows,
// except by its exact text. Outside of quotes a plain word has letters, digits and a few signs; operators stand between
// blanks; a redirection is one of a few, stands between blanks, and ends the words of its command.
//
//   npm test 2>&1 | tail -5    →  [npm test] [tail -5]
//   rm&>/dev/null -rf x        →  unclear: the redirection is glued to a word, and words follow it
//   npm test $(rm x)           →  unclear: an expansion, as are {a,b}, *, ~, <, >
//   env -S "rm x"              →  unclear: it runs what stands in its arguments
//   cd lib && npm test         →  unclear: npm test means something else there
import { hiddenCommand } from "./hidden-commands.js";

export type CommandPart = {
  /** The words as the command gets them, quotes taken off. */
  readonly words: readonly string[];
  readonly text: string;
};

export type SplitCommand =
  | { readonly kind: "parts"; readonly parts: readonly CommandPart[] }
  | { readonly kind: "unclear"; readonly why: string };

/** A semicolon may follow a word at once; the others stand between blanks. */
const OPERATOR = /^(?:(?:&&|\|\||[;|])(?=[ \t\n]|$)|\n)/;
/** Redirections that neither write nor read a file. */
const HARMLESS_REDIRECT = /^(?:(?:&>|[012]?>) ?\/dev\/null|[012]?>&[012]|< ?\/dev\/null)(?=[ \t\n;]|$)/;
/** What an unquoted word may have in it. */
const PLAIN = /[\p{L}\p{M}\p{N}_./:=@%+,^~#-]/u;
/** Controls, and every blank but the two that a shell takes for one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Zs}/u;

const UNCLEAR: Readonly<Record<string, string>> = {
  $: "it inserts values or the output of other commands ($)",
  "`": "it inserts the output of other commands (`)",
  "(": "it has a subshell or a function",
  ")": "it has a subshell or a function",
  "<": "it redirects input",
  ">": "it redirects output",
  "{": "it has braces, which the shell expands",
  "}": "it has braces, which the shell expands",
  "*": "it has a pattern, which the shell expands",
  "?": "it has a pattern, which the shell expands",
  "[": "it has a pattern, which the shell expands",
  "&": "it runs in the background, or & is glued to a word",
  "|": "| is glued to a word",
  ";": "; is glued to a word",
};

/** A command whose words are all known, in parts that run nothing but themselves. */
export function splitCommand(command: string): SplitCommand {
  const split = splitWords(command);
  if (split.kind === "unclear") return split;
  const moves = split.parts.length > 1 && split.parts.some(({ words }) => /^(?:cd|pushd|popd)$/.test(words[0] ?? ""));
  if (moves) return unclear("it changes the folder for its other commands");
  for (const { words } of split.parts) {
    const hidden = hiddenCommand(words);
    if (hidden?.covered === "never") return unclear(hidden.why);
    if (words[0]?.includes("=") === true) return unclear("it sets variables");
  }
  return split;
}

/** The words alone, whatever they run: expansions, redirections and open quotes are unclear. */
export function splitWords(command: string): SplitCommand {
  return new Splitter(command).split();
}

/** Without the white space that a shell skips; any other is part of a word. */
export function shellTrim(text: string): string {
  let end = text.length;
  while (end > 0 && /[ \t\n]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(/^[ \t\n]+/, "");
}

class Splitter {
  private readonly text: string;
  private at = 0;
  private partStart = 0;
  private words: string[] = [];
  private hasRedirection = false;
  /** The word being read; undefined between words, so that an empty pair of quotes still makes a word. */
  private word: string | undefined;
  private readonly parts: CommandPart[] = [];

  constructor(command: string) {
    this.text = shellTrim(command);
  }

  split(): SplitCommand {
    if (INVISIBLE.test(this.text.replace(/[\n\t]/g, ""))) return unclear("it has invisible characters");
    while (this.at < this.text.length) {
      const why = this.step();
      if (why !== undefined) return unclear(why);
    }
    this.endWord();
    if (this.words.length > 0) this.endPart(this.text.length);
    return this.parts.length === 0 ? unclear("it is empty") : { kind: "parts", parts: this.parts };
  }

  private step(): string | undefined {
    const char = this.text.charAt(this.at);
    const rest = this.text.slice(this.at, this.at + 80);
    if (char === " " || char === "\t") return this.skip(1);
    const harmless = this.isBehindBlank() ? HARMLESS_REDIRECT.exec(rest) : null;
    if (harmless !== null) return this.redirect(harmless[0].length);
    const operator = OPERATOR.exec(rest)?.[0];
    if (operator !== undefined) return this.operator(operator);
    if (char === "#" && this.word === undefined) return "it has a comment";
    if (char === "~" && /(?:^|[=:])$/.test(this.word ?? "")) return "it has a home folder (~), which the shell expands";
    const why = UNCLEAR[char];
    if (why !== undefined) return why;
    if (this.hasRedirection) return "a word follows a redirection";
    return this.wordChar(char);
  }

  private isBehindBlank(): boolean {
    return /[ \t]/.test(this.text.charAt(this.at - 1)) && this.word === undefined;
  }

  private redirect(length: number): string | undefined {
    if (this.words.length === 0) return "a redirection precedes its command";
    this.hasRedirection = true;
    return this.skip(length);
  }

  private wordChar(char: string): string | undefined {
    if (char === "'") return this.singleQuoted();
    if (char === '"') return this.doubleQuoted();
    if (char === "\\") return this.escaped();
    const whole = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    if (!PLAIN.test(whole)) return `it has ${whole} outside quotes`;
    this.add(whole, whole.length);
    return undefined;
  }

  private singleQuoted(): string | undefined {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) return "a quote is not closed";
    this.add(this.text.slice(this.at + 1, end), end + 1 - this.at);
    return undefined;
  }

  private doubleQuoted(): string | undefined {
    let at = this.at + 1;
    let inner = "";
    for (; this.text.charAt(at) !== '"'; at++) {
      const char = this.text.charAt(at);
      const next = this.text.charAt(at + 1);
      if (char === "") return "a quote is not closed";
      if (char === "$" || char === "`") return UNCLEAR[char];
      if (char === "\\" && next === "\n") return "a line continues on the next";
      const isEscape = char === "\\" && /[$`"\\]/.test(next);
      inner += isEscape ? next : char;
      if (isEscape) at++;
    }
    this.add(inner, at + 1 - this.at);
    return undefined;
  }

  private escaped(): string | undefined {
    const next = this.text.charAt(this.at + 1);
    if (next === "" || next === "\n") return "a line continues on the next";
    this.add(next, 2);
    return undefined;
  }

  private operator(operator: string): string | undefined {
    if (this.word !== undefined && /^[&|]/.test(operator)) return `${operator} is glued to a word`;
    this.endWord();
    const isBlankLine = operator === "\n" && this.words.length === 0;
    if (this.words.length === 0 && !isBlankLine) return `nothing precedes ${operator}`;
    if (!isBlankLine) this.endPart(this.at);
    this.at += operator.length;
    this.partStart = this.at;
    return undefined;
  }

  private add(text: string, length: number): void {
    this.word = (this.word ?? "") + text;
    this.at += length;
  }

  private skip(length: number): undefined {
    this.endWord();
    this.at += length;
  }

  private endWord(): void {
    if (this.word !== undefined) this.words.push(this.word);
    this.word = undefined;
  }

  private endPart(end: number): void {
    this.parts.push({ words: this.words, text: shellTrim(this.text.slice(this.partStart, end)) });
    this.words = [];
    this.hasRedirection = false;
  }
}

function unclear(why: string): SplitCommand {
  return { kind: "unclear", why };
}
