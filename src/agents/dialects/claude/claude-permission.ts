// Claude's permission requests. The approval shows what the tool would do; each rule that Claude suggests is a choice of its
// own, named by the rule, and is sent back unchanged when it is chosen.

import { type PermissionParams, permissionResultSchema } from "../../../contract/asks.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { AskReply } from "../pending-asks.js";
import { type InputDetail, inputDetails } from "../tool-inputs.js";
import type { ClaudeSuggestion, ClaudeToolRequest } from "./claude-frames.js";
import { plannedChanges, subjectOf, toolWords } from "./claude-tools.js";

type Choice = PermissionParams["choices"][number];

export function permissionParams(request: ClaudeToolRequest): PermissionParams {
  const { tool_name, tool_use_id, input } = request;
  const changes = plannedChanges(tool_name, input);
  const message = messageOf(request);
  const isPlan = tool_name === "ExitPlanMode";
  const title = isPlan ? "Go on with this plan?" : toolWords(tool_name, input);
  const details = unshownInputs(request, title, changes.length);
  const path = pathOf(request);
  return {
    title,
    tool: tool_name,
    choices: choicesOf(request),
    allowReason: true,
    performedBy: "agent",
    ...(tool_use_id === undefined ? {} : { toolCallId: tool_use_id }),
    ...(message === "" ? {} : { message }),
    ...(typeof input.command === "string" ? { command: input.command } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    ...(path === undefined ? {} : { path }),
    ...(details.length > 0 ? { details } : {}),
    ...(isUnfenced(input) ? { danger: "it runs without the sandbox" } : {}),
  };
}

/** Everything that is not clearly a yes is a no. */
export function permissionReply(request: ClaudeToolRequest, answer: AskReply): JsonObject {
  if (answer.kind === "unanswered") {
    const isStopped = answer.reason === "turn_ended" || answer.reason === "shutdown";
    return {
      behavior: "deny",
      message: `Nobody answered (${answer.reason}).`,
      ...(isStopped ? { interrupt: true } : {}),
    };
  }
  const { data } = permissionResultSchema.safeParse(answer.value);
  const chosen = choicesOf(request).find(({ id }) => id === data?.choiceId);
  if (chosen?.choice === "allow_once") return { behavior: "allow", updatedInput: request.input };
  if (chosen?.choice === "allow_always") {
    const suggestion = suggestionsOf(request)[Number(chosen.id.slice(ALWAYS.length))];
    return { behavior: "allow", updatedInput: request.input, updatedPermissions: [suggestion] };
  }
  const reason = data?.reason ?? "";
  return { behavior: "deny", message: reason === "" ? "The person said no." : reason };
}

const ALWAYS = "always-";

function choicesOf(request: ClaudeToolRequest): Choice[] {
  const always = suggestionsOf(request).map((suggestion, place): Choice => {
    const scope = scopes.get(suggestion.destination ?? "");
    const description = scope === undefined ? {} : { description: scope };
    return { id: `${ALWAYS}${place}`, label: ruleWords(suggestion) ?? "", choice: "allow_always", ...description };
  });
  return [
    { id: "allow", label: "allow once", choice: "allow_once" },
    ...always,
    { id: "reject", label: "no", choice: "reject_once" },
  ];
}

// Only rules that allow, that Claude wants offered, and that can be put into words.
function suggestionsOf(request: ClaudeToolRequest): ClaudeSuggestion[] {
  return (request.permission_suggestions ?? []).filter(
    (suggestion) =>
      ADDING.has(suggestion.type ?? "") &&
      (suggestion.behavior === undefined || suggestion.behavior === "allow") &&
      !(suggestion.type === "addRules" && request.suppress_always_allow_rule === true) &&
      ruleWords(suggestion) !== null,
  );
}

/** Other types remove or replace rules, which "always allow" does not say. */
const ADDING: ReadonlySet<string> = new Set(["addRules", "addDirectories", "setMode"]);

const scopes: ReadonlyMap<string, string> = new Map([
  ["session", "this session"],
  ["localSettings", "this project, for you"],
  ["projectSettings", "this project, for everyone"],
  ["userSettings", "every project"],
]);

const modeWords: ReadonlyMap<string, string> = new Map([
  ["acceptEdits", "accept all edits from now on"],
  ["plan", "only plan from now on"],
  ["default", "ask as usual from now on"],
  ["bypassPermissions", "never ask again, for anything"],
]);

/** All that this answer sends back, in words; null when a part of it has no words. */
function ruleWords(suggestion: ClaudeSuggestion): string | null {
  const { rules = [], mode = "", directories = [], destination = "" } = suggestion;
  const isKnown = Object.keys(suggestion).every((name) => RULE_FIELDS.has(name));
  const areRulesPlain = rules.every((rule) =>
    Object.keys(rule).every((name) => ["toolName", "ruleContent"].includes(name)),
  );
  if (!isKnown || !areRulesPlain || (destination !== "" && !scopes.has(destination))) return null;
  if (mode !== "" && !modeWords.has(mode)) return null;
  const named = rules.map(({ toolName, ruleContent }) =>
    ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
  );
  const words = [
    ...(named.length === 0 ? [] : [`always allow ${named.join(", ")}`]),
    ...(mode === "" ? [] : [modeWords.get(mode)]),
    ...(directories.length === 0 ? [] : [`always allow work in ${directories.join(", ")}`]),
  ];
  return words.length === 0 ? null : words.join("; ");
}

const RULE_FIELDS: ReadonlySet<string> = new Set(["type", "rules", "behavior", "destination", "mode", "directories"]);

function messageOf({ tool_name, input, ...request }: ClaudeToolRequest): string {
  const plan = tool_name === "ExitPlanMode" && typeof input.plan === "string" ? input.plan : "";
  const description = request.description ?? textOf(input.description);
  const isNews = description !== "" && !toolWords("", input).includes(description);
  const said = [request.title, request.display_name].filter((words) => !isSaid(words ?? "", { tool_name, input }));
  return [
    plan,
    ...said.map((words) => `The agent says: ${words}`),
    isNews ? `The agent says: ${description}` : "",
    request.decision_reason === undefined ? "" : `The agent says: ${request.decision_reason}`,
    request.blocked_path === undefined ? "" : `it needs ${request.blocked_path}`,
  ]
    .filter(Boolean)
    .join("\n");
}

// Whether our own title says this already.
function isSaid(words: string, { tool_name, input }: Pick<ClaudeToolRequest, "tool_name" | "input">): boolean {
  return ["", tool_name, toolWords(tool_name, input)].includes(words.trim());
}

// Inputs that neither title, message, command nor changes show.
function unshownInputs(request: ClaudeToolRequest, title: string, changesShown: number): InputDetail[] {
  const { tool_name, input } = request;
  const about = subjectOf(input);
  const isInTitle = about !== null && title === `${tool_name} ${textOf(input[about])}`;
  const shown = [
    ...(typeof input.command === "string" ? ["command"] : []),
    ...(isInTitle ? [about] : []),
    ...(typeof input.description === "string" && messageOf(request).includes(input.description) ? ["description"] : []),
    ...(tool_name === "ExitPlanMode" && typeof input.plan === "string" ? ["plan"] : []),
    ...(changesShown > 0 ? shownByChanges(tool_name, input, changesShown) : []),
    ...Object.keys(input).filter((name) => OFF_FLAGS.has(name) && input[name] === false),
  ];
  return inputDetails(input, shown).map((detail) =>
    detail.name === "replace_all" && input.replace_all === true ? { ...detail, value: EVERY } : detail,
  );
}

/** Flags that have no effect while they are false. */
const OFF_FLAGS: ReadonlySet<string> = new Set(["replace_all", "run_in_background", "dangerouslyDisableSandbox"]);
const EVERY = "true: every occurrence in the file is replaced, not only the one shown";
const PIECE = ["old_string", "new_string"];

// The inputs that the changes show. `edits` counts as shown only when each edit became a change and has no other field.
function shownByChanges(tool: string, input: JsonObject, changesShown: number): string[] {
  const { edits, file_path } = input;
  const path = typeof file_path === "string" ? "file_path" : "notebook_path";
  const isPlain = (edit: unknown) =>
    typeof edit === "object" && edit !== null && Object.keys(edit).every((name) => PIECE.includes(name));
  const areEditsShown = Array.isArray(edits) && edits.length === changesShown && edits.every(isPlain);
  switch (tool) {
    case "Edit":
      return [path, ...PIECE];
    case "Write":
      return [path, "content"];
    case "NotebookEdit":
      return [path, "new_source"];
    default:
      return [path, ...(areEditsShown ? ["edits"] : [])];
  }
}

function pathOf({ input, blocked_path }: ClaudeToolRequest): string | undefined {
  const named = [input.file_path, input.notebook_path, input.path].find((path) => typeof path === "string");
  return named ?? blocked_path;
}

function isUnfenced({ dangerouslyDisableSandbox: flag }: JsonObject): boolean {
  return flag !== undefined && flag !== false && flag !== null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
