// Runs a grammar over code and gives back lines of runs, each with the look of its scope, and a name for the state in
// which the grammar stands at the end. It is the only file that talks to highlight.js.

import type { CompiledMode, Emitter, HighlightResult } from "highlight.js";
import hljs from "highlight.js/lib/core";
import type { Look } from "../style/look.js";
import { embeddedIn, grammarOf, type Language } from "./languages.js";
import { lookOfScopes } from "./scope-looks.js";

export interface Run {
  text: string;
  readonly look: Look | undefined;
}

export interface GrammarRun {
  readonly lines: readonly (readonly Run[])[];
  /** "" between two statements; inside a comment, a string or a block, something that is equal for equal states. */
  readonly state: string;
}

const engine = hljs.newInstance();
const registered = new Set<Language>();
/** Modes have no names, so they are numbered as they are met. There are as many as the grammars have rules. */
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

  // The engine asks for it once per run; nobody here wants HTML.
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

/** A grammar that fails on hostile code leaves that code without colours. */
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

// The modes from the innermost outwards. Each open mode is an object of its own that inherits from the rule it follows,
// so the rule tells which mode it is; the text that opened a heredoc is part of the state, too.
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
