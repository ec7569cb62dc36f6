// What is dangerous about an approval, said in words whichever agent asks. An ask is read once, where it enters Palaver, so
// that every view, API and record shows the same words. Our words come first, the agent's own are kept behind them.
//
// Nothing dangerous is allowed for good: the choices that would do so are taken off the ask, and the checks of answers
// refuse them.
import type { Ask, PermissionParams } from "../../contract/asks.js";
import { dialogOptionNames } from "../../contract/dialog-option-names.js";
import type { DialogParams } from "../../contract/dialogs.js";
import { parsedJson } from "../../contract/json-value.js";
import { dangerOfCommand, dangerOfPath, isOutside } from "./danger.js";
import { holdsSecret } from "./policy.js";

type ConfirmOptions = NonNullable<DialogParams<"confirm">["opts"]>;

type Approved = {
  readonly tool: string;
  readonly commands: readonly string[];
  readonly paths: readonly string[];
  /** Folders that a command runs in. */
  readonly folders: readonly string[];
  /** Names of variables that a command gets. */
  readonly variables: readonly string[];
  readonly hasChanges: boolean;
};

export type Workspace = { readonly folder: string };

/** Whose words a danger is that a confirmation brings with it. */
export type DangerWords = "ours" | "the agent's";

/** The ask with the danger in words, and without choices that allow something dangerous for good. */
export function withDanger(ask: Ask, workspace: Workspace, words: DangerWords = "the agent's"): Ask {
  const { question } = ask;
  if (question.kind === "permission") {
    return { ...ask, question: { ...question, params: permissionWithDanger(question.params, workspace) } };
  }
  if (question.kind !== "confirm" || question.params.opts === undefined) return ask;
  const opts = confirmWithDanger(question.params.opts, workspace, words);
  return { ...ask, question: { ...question, params: { ...question.params, opts } } };
}

// Palaver's dialects build these, danger included.
function permissionWithDanger(params: PermissionParams, workspace: Workspace): PermissionParams {
  const { path, changes = [], details = [], command, tool, diff = "" } = params;
  const danger = joined(dangersOf(approved(), workspace), params.danger ?? "", "ours");
  if (danger === "") return params;
  const { rule: _rule, scope: _scope, ...rest } = params;
  return { ...rest, danger, choices: params.choices.filter(({ choice }) => choice !== "allow_always") };

  function approved(): Approved {
    const inputs = inputsIn(details);
    return {
      tool,
      commands: [command ?? "", ...inputs.commands],
      paths: [path ?? "", ...changes.map((change) => change.path), ...pathsInDiff(diff), ...inputs.paths],
      variables: variablesIn(details),
      folders: inputs.folders,
      hasChanges: changes.length > 0 || diff !== "",
    };
  }
}

// The words of the two answers stay an object for an agent that offered "always", so `allow_remember` itself is kept.
function confirmWithDanger(opts: ConfirmOptions, workspace: Workspace, words: DangerWords): ConfirmOptions {
  const { command = "", path = "", diff = "", tool = "" } = opts;
  const unknown = Object.entries(opts).filter(([name]) => !dialogOptionNames.has(name));
  const { commands, paths, folders } = inputsIn([
    ...(opts.details ?? []),
    ...unknown.map(([name, value]) => ({ name, value: JSON.stringify(value) ?? "" })),
  ]);
  const approved = {
    tool,
    commands: [command, ...commands],
    paths: [path, ...pathsInDiff(diff), ...paths],
    folders,
    variables: variablesIn(opts.details ?? []),
    hasChanges: diff !== "",
  };
  const danger = joined(dangersOf(approved, workspace), opts.danger ?? "", words);
  return danger === "" ? opts : { ...opts, danger, danger_level: "danger" };
}

// Variables by which a program is made to load or run something else.
const LOADING =
  /^(?:LD_|DYLD_|GIT_|NODE_|PYTHON|PERL5?|RUBY|JAVA_|JDK_|MAVEN_|GRADLE_|npm_|PIP_|CARGO_|RUSTC?_?|GO(?:FLAGS|PATH|ROOT)|BASH_|ENV$|PATH$|SHELL$|IFS$|PS4$|PROMPT_COMMAND$|MAKE|EDITOR$|VISUAL$|PAGER$|MANPAGER$|BROWSER$|SSH_ASKPASS|LESS(?:OPEN|CLOSE)$|CC$|CXX$|HOME$|XDG_|ZDOTDIR$|TMPDIR$|[A-Z_]*_(?:WRAPPER|COMMAND|PRELOAD|OPTIONS)$)/i;

function variablesIn(details: readonly { readonly name: string; readonly value: string }[]): string[] {
  const lines = details.filter(({ name }) => /^env(?:ironment)?$/i.test(name)).map(({ value }) => value);
  return lines.flatMap((line) =>
    [...line.matchAll(/(?:^|[\s{,"'])([A-Za-z_]\w*)["']?\s*[=:]/g)].map(([, name = ""]) => name),
  );
}

function dangersOf(approved: Approved, { folder }: Workspace): string[] {
  const { tool, commands, paths, folders, variables, hasChanges } = approved;
  const access = hasChanges || WRITES.test(tool) ? "write" : READS.test(tool) ? "read" : "unknown";
  return [
    ...commands.flatMap((command) => sentences(command === "" ? null : dangerOfCommand(command, { folder }))),
    ...paths.flatMap((path) => (path === "" ? [] : pathDangers(path, access, folder))),
    ...(commands.some(holdsSecret) ? ["it has a key or a password in it"] : []),
    ...(folders.some((path) => isOutside(path, folder)) ? ["it works outside the workspace"] : []),
    ...(variables.some((name) => LOADING.test(name)) ? ["it sets variables that change what runs"] : []),
  ];
}

const WRITES = /write|edit|create|delete|remove|move|rename|patch|replace|save/i;
/** Whether a tool of this name only looks at things. */
export function isReading(tool: string): boolean {
  return READS.test(tool) && !WRITES.test(tool);
}

const READS = /read|view|open|list|^ls$|glob|grep|search|find/i;

// A tool of unknown kind may write, so that it is told of whatever a writing tool would be.
function pathDangers(path: string, access: "read" | "write" | "unknown", folder: string): string[] {
  const isOut = isOutside(path, folder);
  if (access !== "unknown") return sentences(dangerOfPath({ access, path, reach: isOut ? "outside" : "inside" }));
  const dangers = sentences(dangerOfPath({ access: "write", path, reach: "inside" }));
  return isOut ? ["it reaches outside the workspace", ...dangers] : dangers;
}

function sentences(danger: string | null): string[] {
  return danger === null ? [] : danger.split("; ");
}

// The agent's words come after ours and say whose they are, except where they are the very same.
function joined(ours: readonly string[], said: string, words: DangerWords): string {
  const more = sentences(said === "" ? null : said).filter((one) => !ours.includes(one));
  const marked = words === "ours" || more.length === 0 ? more : [saidByAgent("the agent says:", more.join("; "))];
  return [...new Set([...ours, ...marked])].join("; ");
}

/** The agent's words behind the mark, which they cannot repeat. */
export function saidByAgent(mark: string, words: string): string {
  return `${mark} ${words.replace(/^(?:\s*the agent says:)+\s*/i, "")}`;
}

/** Every file that a unified diff names, as it was and as it will be. */
function pathsInDiff(diff: string): string[] {
  const named = diff.matchAll(/^(?:--- |\+\+\+ |rename (?:from|to) |copy (?:from|to) )(?:[ab]\/)?([^\t\r\n]+)/gm);
  const headers = diff.matchAll(/^diff --git (?:a\/)?(\S+) (?:b\/)?(\S+)/gm);
  const paths = [...named, ...headers].flatMap(([, ...names]) => names.filter((name) => name !== undefined));
  return [...new Set(paths)].filter((path) => path !== "/dev/null");
}

// What in the inputs of a tool call may be a command, a file or a folder, in whatever shape it is given: a line, the words of
// a command in a list, an object in an object. No one knows every tool, so each text counts as a command unless its name
// says that it is prose; a warning too many is better than one too few.
type Input = { readonly name: string; readonly value: string };

const PATHS =
  /^(?:(?:abs(?:olute)?|old|new|source|target|file|notebook)?[ _-]?(?:path|file|filename|name)s?|files?|to|from|src|source|dest|destination|target|reached through)$/i;
const FOLDERS = /^(?:cwd|folder|directory|dir|work(?:ing)?[ _-]?(?:dir(?:ectory)?|folder))$/i;
const PROSE =
  /^(?:description|prompt|message|text|content|contents|title|reason|plan|query|pattern|regex|glob|summary|explanation|question|todos?|body|old_?(?:string|text|str)|new_?(?:string|text|str|source)|edits|replace_all|allowedPrompts)$/i;

/** Deeper than this nothing is looked for; nor is in more texts than this. */
const DEPTH_MAX = 8;
const TEXTS_MAX = 2_000;

/** The values are as an approval shows them: a text as it is, anything else as JSON. */
function inputsIn(details: readonly Input[]): Found {
  const found: Found = { commands: [], paths: [], folders: [] };
  for (const { name, value } of details)
    collect(name, (/^\s*["[{]/.test(value) ? parsedJson(value) : undefined) ?? value, found, 0);
  return found;
}

type Found = { readonly commands: string[]; readonly paths: string[]; readonly folders: string[] };

function collect(name: string, value: unknown, found: Found, depth: number): void {
  if (depth > DEPTH_MAX || found.commands.length + found.paths.length > TEXTS_MAX || PROSE.test(name)) return;
  if (typeof value === "string") {
    if (FOLDERS.test(name)) found.folders.push(value);
    else if (PATHS.test(name)) found.paths.push(value);
    else found.commands.push(value);
  } else if (Array.isArray(value)) {
    // The words of a command are one, and each of them may be one: the script of a shell.
    const words = value.filter((each) => typeof each === "string");
    if (words.length > 1 && !PATHS.test(name) && !FOLDERS.test(name)) found.commands.push(words.join(" "));
    for (const each of value) collect(name, each, found, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    const { command, args } = value as { command?: unknown; args?: unknown };
    if (typeof command === "string" && Array.isArray(args)) found.commands.push([command, ...args].join(" "));
    for (const [key, each] of Object.entries(value)) collect(key, each, found, depth + 1);
  }
}
