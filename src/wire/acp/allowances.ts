// What the person has allowed in one session, as far as we carry it out ourselves: writing files and running commands.
// An agent that asked, and was told yes, may do what it showed, once, in that turn. One that did not ask is asked about.
// Outside of the workspace only the very path that was shown is allowed.
import { absolutePath } from "./paths.js";
import { commandOf, pathsOf, type ToolFacts } from "./tool-view.js";

/** Turns have few of them; a list without end would be a mistake of the agent. */
const ALLOWED_MAX = 2_048;

export class Allowances {
  private readonly cwd: string;
  private readonly paths = new Set<string>();
  private readonly shown = new Set<string>();
  private writesAlways = false;
  private commandsAlways = false;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /** The person said yes to this call. */
  allow(facts: ToolFacts, span: "once" | "always"): void {
    for (const path of pathsOf(facts)) add(this.paths, absolutePath(path, this.cwd));
    for (const text of shownTexts(facts)) add(this.shown, text);
    if (span === "once") return;
    if (facts.kind === "execute") this.commandsAlways = true;
    else if (facts.kind === "edit" || facts.kind === "delete" || facts.kind === "move") this.writesAlways = true;
  }

  allowAlways(what: "writes" | "commands"): void {
    if (what === "writes") this.writesAlways = true;
    else this.commandsAlways = true;
  }

  mayWrite(path: string, realPath: string, place: "inside" | "outside"): boolean {
    if (place === "inside" && this.writesAlways) return true;
    return this.paths.has(absolutePath(realPath, this.cwd)) || (place === "inside" && this.paths.has(path));
  }

  /** True when the person saw this very command in what they allowed. */
  mayRun(command: string, args: readonly string[]): boolean {
    if (this.commandsAlways) return true;
    const script = scriptOf(command, args);
    return [...this.shown].some((text) => text === script || text.endsWith(`: ${script}`));
  }

  /** What was allowed once was allowed for this turn. */
  endTurn(): void {
    this.paths.clear();
    this.shown.clear();
  }
}

function add(set: Set<string>, value: string): void {
  if (set.size < ALLOWED_MAX) set.add(value);
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
  const isShell = /(?:^|[/\\])(?:ba|da|z|fi|k)?sh(?:\.exe)?$/.test(command);
  const [flag, script] = args;
  const whole = isShell && script !== undefined && /^-\w*c$/.test(flag ?? "") ? script : [command, ...args].join(" ");
  return whole.replace(/^cd (?:'[^']*'|"[^"]*"|[^\s;&|]+) && /, "").trim();
}
