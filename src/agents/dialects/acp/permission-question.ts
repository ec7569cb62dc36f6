// A permission request as an approval, and the grants that a yes gives. Both are made from the same values, so that a yes
// covers exactly what was shown. The agent's own words are shown as such and grant nothing.

import type { PermissionParams } from "../../../contract/asks.js";
import { isRecord, objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { type InputDetail, inputDetails } from "../tool-inputs.js";
import type { TerminalHabit } from "./agent-facts.js";
import { contentText } from "./content-text.js";
import type { Grant } from "./grants.js";
import { absolutePath, isInside, shownPath, tidyPath } from "./paths.js";
import type { PermissionChoice } from "./permissions.js";
import { environmentLine, firstLine, type Variable } from "./run-line.js";
import {
  changesOf,
  commandOf,
  diffOf,
  hasVerb,
  isPathKey,
  isVerb,
  pathsOf,
  showsArguments,
  type ToolFacts,
  toolWords,
} from "./tool-view.js";

export type PermissionRequest = {
  readonly facts: ToolFacts;
  readonly choices: PermissionChoice[];
  readonly toolCallId: string;
  readonly cwd: string;
  /** What this agent is known to put around an allowed command. */
  readonly terminal: TerminalHabit | null;
};

export type Permission = { readonly params: PermissionParams; readonly grants: readonly Grant[] };

export function permissionOf(request: PermissionRequest): Permission {
  const { facts, choices, toolCallId, cwd } = request;
  const { title, tool } = subjectOf(facts, cwd);
  const run = runOf(request);
  const command = run?.command ?? "";
  const changes = changesOf(facts).map((change) => ({ ...change, path: absolutePath(change.path, cwd) }));
  const diff = changes.length === 0 ? diffOf(facts) : null;
  const paths = absolutePaths(facts, cwd);
  const danger = dangerOf(facts, paths, cwd);
  const claimed = claimedCommand(facts);
  const details = [...claimed, ...runDetails(run, cwd), ...fileDetails(paths, changes), ...otherInputs(facts, command)];
  const shown = [title, command, ...claimed.map(({ value }) => value), ...paths, ...pathsOf(facts)];
  const message = messageOf(facts, shown.join("\n"));
  const params: PermissionParams = {
    title,
    tool,
    toolCallId,
    choices,
    // The agent may do this itself, or ask us to do it with the grant.
    performedBy: "agent",
    ...(message === "" ? {} : { message: `The agent says: ${message}` }),
    ...(command === "" ? {} : { command }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(diff === null ? {} : { diff }),
    ...(paths[0] === undefined ? {} : { path: paths[0] }),
    ...(details.length === 0 ? {} : { details }),
    ...(danger === null ? {} : { danger }),
  };
  return { params, grants: grantsOf(facts.kind, { run, changes, paths }) };
}

type ShownRun = Omit<Extract<Grant, { kind: "run" }>, "kind">;
type Shown = {
  readonly run: ShownRun | null;
  readonly changes: NonNullable<PermissionParams["changes"]>;
  readonly paths: readonly string[];
};

function grantsOf(kind: string, { run, changes, paths }: Shown): Grant[] {
  if (kind === "read") return paths.map((path) => ({ kind: "read", path }));
  if (kind === "execute") return run === null ? [] : [{ kind: "run", ...run }];
  if (kind !== "edit") return [];
  const changed = [...new Set(changes.map(({ path }) => path))];
  return changed.map((path) => ({ kind: "write", path, changes: changes.filter((each) => each.path === path) }));
}

// The title is ours: a verb for what the call does, and the command or file in its input. A call with a command is a run and
// one with a change is an edit, whatever kind it claims to be. An agent cannot use our verbs as names for other calls.
function subjectOf(facts: ToolFacts, cwd: string): { title: string; tool: string } {
  const { name } = toolWords(facts, cwd);
  const command = shellCommandOf(facts) ?? "";
  const hasChange = changesOf(facts).length > 0 || diffOf(facts) !== null;
  const own = isVerb(name.toLowerCase()) && !hasVerb(facts.kind) ? "tool" : name;
  const tool = command !== "" ? "run" : hasChange ? "edit" : own;
  const [first, ...others] = absolutePaths(facts, cwd);
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const file = first === undefined ? "" : `${shownPath(first, cwd)}${more}`;
  const subject = firstLine(command || file || searchedOf(facts));
  if (!isVerb(tool)) return { title: `use ${callName(facts)} ${subject}`.trim(), tool };
  return { title: `${tool} ${subject || UNNAMED.get(tool) || ""}`.trim(), tool };
}

/** The subject of a call whose input names none. */
const UNNAMED: ReadonlyMap<string, string> = new Map([
  ["read", "a file"],
  ["edit", "a file"],
  ["delete", "a file"],
  ["move", "a file"],
  ["run", "a command"],
  ["fetch", "a page"],
]);

/** The name of the tool, unless it is a sentence. */
function callName({ name }: ToolFacts): string {
  return name !== null && /^[\w.:/-]{1,80}$/.test(name) && !isVerb(name.toLowerCase()) ? name : "a tool";
}

/** A run whose command is only in the title. It is shown as the agent's words, and checked for danger like a command. */
function claimedCommand(facts: ToolFacts): InputDetail[] {
  const value = facts.title.trim();
  const isClaimed = facts.kind === "execute" && shellCommandOf(facts) === null && value !== "";
  return isClaimed ? [{ name: "command in the agent's words", value }] : [];
}

function searchedOf({ rawInput }: ToolFacts): string {
  const input = objectOf(rawInput);
  const said = ["pattern", "query", "url"].map((key) => input[key]).find((word) => typeof word === "string");
  return typeof said === "string" ? said : "";
}

// Takes the command from the structured input only; titles and texts are the agent's words.
function runOf({ facts, cwd, terminal }: PermissionRequest): ShownRun | null {
  const command = shellCommandOf(facts);
  if (command === null) return null;
  const input = objectOf(facts.rawInput);
  const folder = absolutePath(typeof input["cwd"] === "string" ? input["cwd"] : ".", cwd);
  const env = [...(terminal?.env ?? []), ...variablesIn(input["env"])];
  return { command: `${terminal?.before(folder) ?? ""}${command}`, folder, environment: environmentLine(env) };
}

/** File tools may have an input "command" such as "create"; that is not a shell command. */
function shellCommandOf(facts: ToolFacts): string | null {
  return ["edit", "delete", "move"].includes(facts.kind) ? null : commandOf(facts);
}

function variablesIn(env: unknown): Variable[] {
  const pairs = Array.isArray(env) ? env.map((each) => [objectOf(each)["name"], objectOf(each)["value"]]) : null;
  return (pairs ?? Object.entries(objectOf(env))).flatMap(([name, value]) =>
    typeof name === "string" && typeof value === "string" ? [{ name, value }] : [],
  );
}

function runDetails(run: ShownRun | null, cwd: string): InputDetail[] {
  if (run === null) return [];
  const { folder, environment } = run;
  return [
    ...(folder === tidyPath(cwd) ? [] : [{ name: "folder", value: folder }]),
    ...(environment === "" ? [] : [{ name: "environment", value: environment }]),
  ];
}

/** The first file is shown as the path, and changed files with their change. */
function fileDetails([, ...others]: readonly string[], changes: Shown["changes"]): InputDetail[] {
  const rest = others.filter((path) => !changes.some((change) => change.path === path));
  return rest.map((value) => ({ name: "file", value }));
}

/** Every other input in full: each may change what the call does. */
function otherInputs(facts: ToolFacts, command: string): InputDetail[] {
  const { rawInput } = facts;
  const changes = changesOf(facts).flatMap(({ oldText, newText }) => [oldText, newText]);
  const shown = new Set<unknown>([command, shellCommandOf(facts), diffOf(facts), ...changes].filter(Boolean));
  const input = isRecord(rawInput) ? rawInput : rawInput === null ? {} : { input: rawInput };
  const names = Object.keys(input).filter((name) => {
    const value = input[name];
    return shown.has(value) || (isPathKey(name) && typeof value === "string") || isRunKey(name, value, facts);
  });
  return inputDetails(input, names);
}

function isRunKey(name: string, value: unknown, facts: ToolFacts): boolean {
  if (shellCommandOf(facts) === null) return false;
  if (name === "command" && Array.isArray(value)) return true;
  return name === "cwd" && typeof value === "string";
}

function absolutePaths(facts: ToolFacts, cwd: string): string[] {
  return [...new Set(pathsOf(facts).map((path) => absolutePath(path, cwd)))];
}

// The agent's words that are not shown elsewhere; the title may be the only place that gives the reason.
function messageOf(facts: ToolFacts, shown: string): string {
  const said = facts.content.flatMap((item) => {
    const content = objectOf(item["content"]);
    return item.type === "content" ? [contentText([{ ...content, type: plainWord(content["type"]) }])] : [];
  });
  const texts = showsArguments(facts) ? [facts.title] : [facts.title, ...said];
  const isNews = (text: string) => /\W/.test(text.trim()) || (text !== "" && !hasVerb(facts.kind));
  return texts.filter((text) => isNews(text) && !shown.includes(text.trim())).join("\n");
}

function dangerOf({ kind }: ToolFacts, paths: readonly string[], cwd: string): string | null {
  if (kind !== "edit" && kind !== "delete" && kind !== "move") return null;
  const outside = paths.filter((path) => !isInside(path, cwd));
  return outside.length === 0 ? null : `outside of the workspace: ${outside.join(", ")}`;
}
