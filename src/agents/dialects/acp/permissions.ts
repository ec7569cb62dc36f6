// Permission requests of the agent: raises the approval, sends the chosen option back, and keeps what a yes grants. Approval and
// grants are made from the same values, so that a yes covers exactly what was shown; the agent's own words are shown as such and
// grant nothing. The labels of the choices are ours and follow from the kind of each option; the agent's own name is added when
// it says something else. An option of an unknown kind is not offered.

import type { PermissionParams } from "../../../contract/asks.js";
import { isRecord, objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { filled } from "../frames/lenient-field.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { AskReply } from "../pending-asks.js";
import { type InputDetail, inputDetails } from "../tool-inputs.js";
import type { FilePlace } from "./acp-effect.js";
import type { AcpRequestParams } from "./acp-frames.js";
import type { TerminalHabit } from "./agent-facts.js";
import { contentText } from "./content-text.js";
import type { AcpContext } from "./context.js";
import { choiceOf } from "./gate.js";
import type { Grant } from "./grants.js";
import { absolutePath, isInside, shownPath, tidyPath } from "./paths.js";
import { environmentLine, firstLine, type Variable } from "./run-line.js";
import type { Session } from "./session.js";
import {
  changesOf,
  commandOf,
  diffOf,
  hasVerb,
  isPathKey,
  isVerb,
  pathsOf,
  showsArguments,
  type ToolContent,
  type ToolFacts,
  toolWords,
  wholeFileOf,
} from "./tool-view.js";

type Params = AcpRequestParams<"session/request_permission">;

const cancelledOutcome = { outcome: { outcome: "cancelled" } };

export function askPermission(context: AcpContext, request: AgentRequest, params: Params, session: Session): void {
  const { effects, out } = context;
  session.messages.finish();
  const facts = session.tools.askedAbout(params.toolCall);
  if (session.turn === "stopping") {
    request.answer(cancelledOutcome);
    return;
  }
  for (const { kind } of params.options)
    if (!isKnownKind(kind)) out.unknown("kind of answer", kind ?? "none", params, session.id);
  const whole = context.facts.habits.wholeFiles === "shown-as-content" ? wholeFileOf(facts) : null;
  if (whole === null) raise(context, request, params, session, facts);
  else {
    const path = absolutePath(whole.path, session.cwd);
    effects.perform({ type: "file.inspect", path, workspace: session.cwd }, (result) => {
      const change = result.ok ? changeOf(result.value as FilePlace, whole.content) : [];
      if (session.turn === "stopping") request.answer(cancelledOutcome);
      else if (request.isOpen)
        raise(context, request, params, session, { ...facts, content: [...facts.content, ...change] });
    });
  }
}

/** The change to the file, unless it is binary. */
function changeOf({ realPath, oldText, isText }: FilePlace, newText: string): ToolContent[] {
  return isText ? [{ type: "diff", path: realPath, oldText, newText }] : [];
}

function raise(context: AcpContext, request: AgentRequest, params: Params, session: Session, facts: ToolFacts): void {
  const id = params.toolCall.toolCallId;
  const choices = choicesOf(params.options);
  const toolCallId = session.tools.nameOf(id);
  const { terminal } = context.facts.habits;
  const permission = permissionOf({ facts, choices, toolCallId, cwd: session.cwd, terminal });
  const question = { kind: "permission", params: permission.params } as const;
  context.asks.question({ sessionId: session.id, question, request }, (answer) => {
    const chosen = chosenBy(answer, choices, session);
    if (chosen?.choice.startsWith("allow")) session.grants.give(permission.grants);
    else session.tools.rejected(id);
    request.answer(chosen === null ? cancelledOutcome : { outcome: { outcome: "selected", optionId: chosen.id } });
  });
}

// Closing the dialog rejects this call and the agent continues; only a stopped turn cancels.
function chosenBy(answer: AskReply, choices: readonly PermissionChoice[], session: Session): PermissionChoice | null {
  if (session.turn === "stopping") return null;
  const chosen = choices.find(({ id }) => id === choiceOf(answer));
  return chosen ?? choices.find(({ choice }) => choice === "reject_once") ?? null;
}

type PermissionChoice = PermissionParams["choices"][number];
type Option = AcpRequestParams<"session/request_permission">["options"][number];

type Words = {
  readonly label: string;
  /** What the label does not say. */
  readonly more?: string;
  /** Names that say the same as the label. */
  readonly same: RegExp;
};

// What the agent remembers does not change what Palaver allows.
const words: Readonly<Record<PermissionChoice["choice"], Words>> = {
  allow_once: { label: "allow once", same: /^(?:yes|(?:allow|approve|accept|proceed)(?: once)?)$/i },
  allow_always: { label: "always allow", more: "remembered by the agent", same: /^(?:always allow|allow always)$/i },
  reject_once: { label: "no", same: /^(?:no|(?:reject|deny|decline|cancel)(?: once)?)$/i },
  reject_always: { label: "never", more: "remembered by the agent", same: /^(?:never|always reject|reject always)$/i },
};

const kinds = Object.keys(words) as PermissionChoice["choice"][];

function isKnownKind(kind: string | null | undefined): kind is PermissionChoice["choice"] {
  return kinds.some((known) => known === kind);
}

/** In a fixed order. Options that share an id are dropped, because an answer could mean either. */
function choicesOf(options: readonly Option[]): PermissionChoice[] {
  const choices = options.flatMap(({ optionId, name, kind }): PermissionChoice[] => {
    const isOnly = options.filter((other) => other.optionId === optionId).length === 1;
    return isKnownKind(kind) && isOnly ? [wordedChoice(optionId, name ?? "", kind)] : [];
  });
  return choices.sort((a, b) => kinds.indexOf(a.choice) - kinds.indexOf(b.choice));
}

function wordedChoice(id: string, name: string, choice: PermissionChoice["choice"]): PermissionChoice {
  const { label, more, same } = words[choice];
  const called = name === "" || same.test(name.trim()) ? [] : [`the agent calls it "${name}"`];
  const description = [...(more === undefined ? [] : [more]), ...called].join("; ");
  return { id, label, choice, ...filled({ description }) };
}

type PermissionRequest = {
  readonly facts: ToolFacts;
  readonly choices: PermissionChoice[];
  readonly toolCallId: string;
  readonly cwd: string;
  /** What this agent is known to put around an allowed command. */
  readonly terminal: TerminalHabit | null;
};

type Permission = { readonly params: PermissionParams; readonly grants: readonly Grant[] };

function permissionOf(request: PermissionRequest): Permission {
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
  const message = messageOf(facts, shown.join("\n"), cwd);
  const said = message === "" ? "" : `The agent says: ${message}`;
  // The agent may do this itself, or ask us to do it with the grant.
  const named = { title, tool, toolCallId, choices, performedBy: "agent" as const };
  const params = { ...named, ...filled({ message: said, command, changes, diff, path: paths[0], details, danger }) };
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
function messageOf(facts: ToolFacts, shown: string, cwd: string): string {
  const said = facts.content.flatMap((item) => {
    const content = objectOf(item["content"]);
    return item.type === "content" ? [contentText([{ ...content, type: plainWord(content["type"]) }])] : [];
  });
  const texts = showsArguments(facts) ? [facts.title] : [facts.title, ...said];
  // gemini writes the folder before its reason, also when it is the one of the session.
  const here = `[current working directory ${cwd}]`;
  const isNews = (text: string) => /\W/.test(text.trim()) || (text !== "" && !hasVerb(facts.kind));
  const words = texts.map((text) => (text.startsWith(here) ? text.slice(here.length).trim() : text));
  return words.filter((text) => isNews(text) && !shown.includes(text.trim())).join("\n");
}

function dangerOf({ kind }: ToolFacts, paths: readonly string[], cwd: string): string | null {
  if (kind !== "edit" && kind !== "delete" && kind !== "move") return null;
  const outside = paths.filter((path) => !isInside(path, cwd));
  return outside.length === 0 ? null : `outside the workspace: ${outside.join(", ")}`;
}
