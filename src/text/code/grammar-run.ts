// Runs a grammar of highlight.js and returns lines of runs, each with the look of its scope, and the grammar's state at
// the end.
import type { CompiledMode, Emitter, HighlightResult, LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { Look } from "../look.js";
import type { Language } from "./languages.js";

export interface Run {
  text: string;
  readonly look: Look | undefined;
}

interface GrammarRun {
  readonly lines: readonly (readonly Run[])[];
  /** "" between statements; equal inside the same comment, string or block. */
  readonly state: string;
}

const engine = hljs.newInstance();
const registered = new Set<Language>();
/** Modes have no names, so they are numbered. */
const modeNumbers = new WeakMap<object, number>();
let modesMet = 0;

class LineEmitter implements Emitter {
  readonly lines: Run[][] = [[]];
  private readonly scopes: string[] = [];

  startScope(name: string): void {
    this.scopes.push(name);
  }

  endScope(): void {
    this.scopes.pop();
  }

  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    const look = lookOfScopes(this.scopes);
    text.split("\n").forEach((part, index) => {
      if (index > 0) this.lines.push([]);
      this.addRun(part, look);
    });
  }

  __addSublanguage(emitter: LineEmitter): void {
    const outer = lookOfScopes(this.scopes);
    emitter.lines.forEach((line, index) => {
      if (index > 0) this.lines.push([]);
      for (const { text, look } of line) this.addRun(text, look ?? outer);
    });
  }

  finalize(): void {}

  // Required by the engine; not used.
  toHTML(): string {
    return "";
  }

  private addRun(text: string, look: Look | undefined): void {
    if (text === "") return;
    const line = this.lines.at(-1);
    const last = line?.at(-1);
    if (last !== undefined && last.look === look) last.text += text;
    else line?.push({ text, look });
  }
}

engine.configure({ __emitter: LineEmitter });

/** Undefined when the grammar fails; then the code has no colours. */
export function runGrammar(code: string, language: Language): GrammarRun | undefined {
  register(language);
  const result = engine.highlight(code, { language, ignoreIllegals: true });
  if (result.errorRaised !== undefined || !(result._emitter instanceof LineEmitter)) return undefined;
  return { lines: result._emitter.lines, state: stateOf(result) };
}

function register(language: Language): void {
  if (registered.has(language)) return;
  registered.add(language);
  engine.registerLanguage(language, grammarOf(language));
  for (const inner of embeddedIn(language)) register(inner);
}

// The open modes from the innermost outwards. A mode inherits from its rule, which identifies it; the text that opened
// a heredoc is part of the state.
function stateOf(result: HighlightResult): string {
  const numbers: string[] = [];
  let mode = result._top as (Partial<CompiledMode> & { parent?: object; data?: { _beginMatch?: string } }) | undefined;
  while (mode?.parent !== undefined) {
    numbers.push(`${modeNumber(Object.getPrototypeOf(mode))}${mode.data?._beginMatch ?? ""}`);
    mode = mode.parent;
  }
  return numbers.join("<");
}

function modeNumber(rule: object): number {
  const known = modeNumbers.get(rule);
  if (known !== undefined) return known;
  modesMet += 1;
  modeNumbers.set(rule, modesMet);
  return modesMet;
}

/** Scopes by look. The grammars name some fifty; they share the roles that everything else on the screen uses. */
const LOOKS: ReadonlyMap<string, Look> = new Map(
  (
    [
      ["accent", "keyword tag name selector-tag template-tag bullet"],
      ["info", "built_in type literal number symbol link code"],
      [
        "user",
        "variable property attr attribute title selector-id selector-class selector-attr selector-pseudo template-variable",
      ],
      ["text", "params operator punctuation subst"],
      [["accent", "bold"], "section"],
      ["ok", "string char"],
      ["warn", "regexp"],
      ["dim", "comment doctag quote meta prompt"],
      ["italic", "emphasis"],
      ["bold", "strong"],
      ["add", "addition"],
      ["remove", "deletion"],
    ] as const satisfies readonly (readonly [Look, string])[]
  ).flatMap(([look, scopes]) => scopes.split(" ").map((scope) => [scope, look] as const)),
);

/** The look of the innermost scope that has one; `title.function` is a `title`. Plain code has none. */
function lookOfScopes(scopes: readonly string[]): Look | undefined {
  for (let i = scopes.length - 1; i >= 0; i--) {
    const look = LOOKS.get((scopes[i] ?? "").split(".")[0] ?? "");
    if (look !== undefined) return look === "text" ? undefined : look;
  }
  return undefined;
}

// The grammars of highlight.js by language. One is compiled on first use.

const GRAMMARS: Readonly<Record<Language, LanguageFn>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  elixir,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

/** Languages inside others. */
const EMBEDDED: Partial<Readonly<Record<Language, readonly Language[]>>> = {
  markdown: ["xml"],
  php: ["xml"],
  shell: ["bash"],
  xml: ["javascript", "css"],
};

function embeddedIn(language: Language): readonly Language[] {
  return EMBEDDED[language] ?? [];
}

function grammarOf(language: Language): LanguageFn {
  return GRAMMARS[language];
}
