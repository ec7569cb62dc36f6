// Claude asks before it uses a tool. The question shows what the tool would do; each rule that Claude offers to remember is
// a choice of its own, named by the rule, and goes back to it unchanged when it is taken.
import { type PermissionParams, permissionResultSchema } from "../../../contract/asks.js";
import type { ClaudeSuggestion, ClaudeToolRequest } from "../../../contract/claude.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { AskReply } from "../pending-asks.js";
import { type InputDetail, inputDetails } from "../tool-inputs.js";
import { plannedChanges } from "./tool-changes.js";
import { subjectOf, toolWords } from "./tool-words.js";

type Choice = PermissionParams["choices"][number];

export function permissionParams(request: ClaudeToolRequest): PermissionParams {
  const { tool_name, display_name, tool_use_id, input } = request;
  const changes = plannedChanges(tool_name, input);
  const message = messageOf(request);
  const isPlan = tool_name === "ExitPlanMode";
  const words = isPlan ? "Go on with this plan?" : toolWords(display_name ?? tool_name, input);
  const title = request.title ?? words;
  const details = unshownInputs(request, title, changes.length > 0 ? "shown" : "not shown");
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

/** The answer in Claude's words. Whatever is not clearly a yes is a no. */
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
    return { id: `${ALWAYS}${place}`, label: ruleWords(suggestion), choice: "allow_always", ...description };
  });
  return [
    { id: "allow", label: "allow once", choice: "allow_once" },
    ...always,
    { id: "reject", label: "no", choice: "reject_once" },
  ];
}

// A rule that forbids cannot be taken along with a no, and one that is not to be offered is not.
function suggestionsOf(request: ClaudeToolRequest): ClaudeSuggestion[] {
  return (request.permission_suggestions ?? []).filter(
    ({ type, behavior }) =>
      (behavior === undefined || behavior === "allow") &&
      !(type === "addRules" && request.suppress_always_allow_rule === true),
  );
}

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

function ruleWords({ type, rules = [], mode = "", directories = [] }: ClaudeSuggestion): string {
  if (rules.length > 0) {
    const words = rules.map(({ toolName, ruleContent }) =>
      ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
    );
    return `always allow ${words.join(", ")}`;
  }
  if (mode !== "") return modeWords.get(mode) ?? `always work in the mode ${mode}`;
  if (directories.length > 0) return `always allow work in ${directories.join(", ")}`;
  return `always: ${type}`;
}

function messageOf({ tool_name, input, ...request }: ClaudeToolRequest): string {
  const plan = tool_name === "ExitPlanMode" && typeof input.plan === "string" ? input.plan : "";
  const description = request.description ?? textOf(input.description);
  const isNews = description !== "" && !toolWords("", input).includes(description);
  return [
    plan,
    isNews ? description : "",
    request.decision_reason ?? "",
    request.blocked_path === undefined ? "" : `it needs ${request.blocked_path}`,
  ]
    .filter(Boolean)
    .join("\n");
}

// An approval shows all that it approves: whatever the title, the message, the command and the changes leave out.
function unshownInputs(request: ClaudeToolRequest, title: string, changes: "shown" | "not shown"): InputDetail[] {
  const { tool_name, input } = request;
  const about = subjectOf(input);
  const isInTitle = about !== null && title.endsWith(textOf(input[about]));
  const shown = [
    ...(typeof input.command === "string" ? ["command"] : []),
    ...(isInTitle ? [about] : []),
    ...(typeof input.description === "string" && messageOf(request).includes(input.description) ? ["description"] : []),
    ...(tool_name === "ExitPlanMode" && typeof input.plan === "string" ? ["plan"] : []),
    ...(changes === "shown" ? shownByChanges(input) : []),
    ...Object.keys(input).filter((name) => OFF_FLAGS.has(name) && input[name] === false),
  ];
  return inputDetails(input, shown).map((detail) =>
    detail.name === "replace_all" && input.replace_all === true ? { ...detail, value: EVERY } : detail,
  );
}

/** Flags of known tools that change nothing while they are off. */
const OFF_FLAGS: ReadonlySet<string> = new Set(["replace_all", "run_in_background", "dangerouslyDisableSandbox"]);
const EVERY = "true: every occurrence in the file is replaced, not only the one shown";
const PIECE = ["old_string", "new_string"];

// Several edits are shown as changes only when each of them is nothing but a piece and what replaces it.
function shownByChanges({ edits }: JsonObject): string[] {
  const isPlain = (edit: unknown) =>
    typeof edit === "object" && edit !== null && Object.keys(edit).every((name) => PIECE.includes(name));
  const areEditsShown = Array.isArray(edits) && edits.every(isPlain);
  return ["file_path", "notebook_path", "content", "new_source", ...PIECE, ...(areEditsShown ? ["edits"] : [])];
}

function pathOf({ input, blocked_path }: ClaudeToolRequest): string | undefined {
  if (blocked_path !== undefined) return blocked_path;
  return [input.file_path, input.notebook_path, input.path].find((path) => typeof path === "string");
}

function isUnfenced({ dangerouslyDisableSandbox: flag }: JsonObject): boolean {
  return flag !== undefined && flag !== false && flag !== null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
