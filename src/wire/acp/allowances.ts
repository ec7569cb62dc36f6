// What the person has allowed in one session, as far as we carry it out ourselves: writing files and running commands.
// An agent that asked, and was told yes, may do what it showed, once, in that turn: that command and no second one, those
// changes and no others. One that did not ask is asked about. Outside of the workspace only the very path that was shown.
import type { FileChange } from "../../contract/file-change.js";
import { absolutePath, isInside } from "./paths.js";
import { changesOf, commandOf, pathsOf, type ToolFacts } from "./tool-view.js";

/** Turns have few of them; a list without end would be a mistake of the agent. */
const ALLOWED_MAX = 2_048;

/** A command as the agent wants it run; what stands around it decides what it does, too. */
export type RunWish = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly Variable[];
  readonly cwd: string;
};

export type WriteWish = {
  readonly path: string;
  readonly realPath: string;
  readonly place: "inside" | "outside";
  /** What the file holds now; null when there is none. */
  readonly oldText: string | null;
  readonly content: string;
};

type Variable = { readonly name: string; readonly value: string };

export class Allowances {
  private readonly cwd: string;
  /** For each path the changes that were shown with it, in their order; none when only the path was. */
  private readonly paths = new Map<string, FileChange[]>();
  /** One list for each yes: every form in which its command was shown. */
  private readonly shown: string[][] = [];
  private writesAlways = false;
  private commandsAlways = false;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /** The person said yes to this call. */
  allow(facts: ToolFacts, span: "once" | "always"): void {
    for (const path of pathsOf(facts)) this.allowPath(absolutePath(path, this.cwd), facts);
    const texts = shownTexts(facts);
    if (texts.length > 0 && this.shown.length < ALLOWED_MAX) this.shown.push(texts);
    if (span === "once") return;
    if (facts.kind === "execute") this.commandsAlways = true;
    else if (facts.kind === "edit" || facts.kind === "delete" || facts.kind === "move") this.writesAlways = true;
  }

  allowAlways(what: "writes" | "commands"): void {
    if (what === "writes") this.writesAlways = true;
    else this.commandsAlways = true;
  }

  mayWrite({ path, realPath, place, oldText, content }: WriteWish): boolean {
    if (place === "inside" && this.writesAlways) return true;
    const real = this.paths.get(absolutePath(realPath, this.cwd));
    const changes = real ?? (place === "inside" ? this.paths.get(path) : undefined);
    return changes !== undefined && isWhatWasShown(changes, oldText, content);
  }

  /** True when the person saw this very command in what they allowed, for this workspace; that yes is used up then. */
  takeRun({ command, args, env, cwd }: RunWish): boolean {
    if (this.commandsAlways) return true;
    const { folder, script } = steppedInto(lineOf(command, args));
    if (!env.every(isHarmless) || !isInside(absolutePath(folder ?? ".", cwd), this.cwd)) return false;
    const found = this.shown.findIndex((texts) =>
      texts.some((text) => text === script || text.endsWith(`: ${script}`)),
    );
    if (found < 0) return false;
    this.shown.splice(found, 1);
    return true;
  }

  /** What was allowed once was allowed for this turn. */
  endTurn(): void {
    this.paths.clear();
    this.shown.length = 0;
  }

  private allowPath(path: string, facts: ToolFacts): void {
    if (this.paths.size >= ALLOWED_MAX) return;
    const changes = changesOf(facts).filter((change) => absolutePath(change.path, this.cwd) === path);
    this.paths.set(path, [...(this.paths.get(path) ?? []), ...changes]);
  }
}

// Agents show the whole file, or only the part of it that changes. What is written has to be what comes out of one of these;
// where an agent showed no change at all, the person allowed the file as such.
function isWhatWasShown(changes: readonly FileChange[], oldText: string | null, content: string): boolean {
  if (changes.length === 0) return true;
  const wanted = bare(content);
  if (changes.some(({ newText }) => bare(newText) === wanted)) return true;
  const now = bare(oldText ?? "");
  const once = changes.reduce((text, change) => applied(text, change, "first"), now);
  const everywhere = changes.reduce((text, change) => applied(text, change, "all"), now);
  // The changes of several calls on one file are written one after the other.
  const singly = changes.flatMap((change) => [applied(now, change, "first"), applied(now, change, "all")]);
  return [once, everywhere, ...singly].some((text) => bare(text) === wanted && text !== now);
}

function applied(text: string, { oldText, newText }: FileChange, how: "first" | "all"): string {
  const before = bare(oldText ?? "");
  if (before === "") return text;
  const after = bare(newText);
  return how === "first" ? text.replace(before, () => after) : text.replaceAll(before, () => after);
}

/** Line ends and the end of the file are written as the file wants them. */
function bare(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/\n+$/, "");
}

/** Names that choose which code runs, whatever the command says. */
const TELLING_NAME =
  /^(?:LD_|DYLD_|BASH_|GIT_CONFIG|NPM_CONFIG|PYTHON|PERL|RUBY|NODE_OPTIONS$|JAVA_TOOL|PATH$|HOME$|ENV$|IFS$|PS4$|SHELLOPTS$|PROMPT_COMMAND$)/i;

/** `CI=1` and `PAGER=cat` change no more than how something is printed; a path or a line of shell is another program. */
function isHarmless({ name, value }: Variable): boolean {
  return !TELLING_NAME.test(name) && /^[\w.,:@%+=-]*$/.test(value);
}

function shownTexts(facts: ToolFacts): string[] {
  const contents = facts.content.map((item) => {
    const { content } = item as { content?: { text?: unknown } };
    return typeof content?.text === "string" ? content.text : "";
  });
  return [commandOf(facts) ?? "", facts.title, ...contents].map((text) => text.trim()).filter(Boolean);
}

/** What a shell is told to run, without the step into a folder that agents put in front; other programs as they are. */
export function scriptOf(command: string, args: readonly string[]): string {
  return steppedInto(lineOf(command, args)).script;
}

function lineOf(command: string, args: readonly string[]): string {
  const [flag, script] = args;
  const isScript = SHELL.test(command) && script !== undefined && /^-\w*c$/.test(flag ?? "");
  return (isScript ? script : [command, ...args].join(" ")).trim();
}

/** A shell of the system. Anybody can call a program of his own "bash". */
const SHELL =
  /^(?:(?:\/usr(?:\/local)?|\/opt\/homebrew|\/run\/current-system\/sw|\/nix\/store\/[\w.-]+)?\/bin\/|[A-Za-z]:\\(?:Windows|Program Files)\\[^/"]{0,200}\\)?(?:ba|da|z|fi|k)?sh(?:\.exe)?$/;

// Only a folder that is nothing but a name: one with a `$(…)` in it would be a command of its own.
const STEP = /^cd (?:'([\w@%+=:,./ -]+)'|"([\w@%+=:,./ -]+)"|([\w@%+=:,./-]+)) && /;

/** `cd FOLDER && script`, taken apart; the folder is null where there is no such step. */
function steppedInto(line: string): { readonly folder: string | null; readonly script: string } {
  const step = STEP.exec(line);
  if (step === null) return { folder: null, script: line };
  return { folder: step[1] ?? step[2] ?? step[3] ?? null, script: line.slice(step[0].length).trim() };
}
