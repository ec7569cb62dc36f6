// Claude asks before it uses a tool. The question shows what the tool would do; each rule that Claude offers to remember is
// a choice of its own, named by the rule, and goes back to it unchanged when it is taken.
import { type PermissionParams, permissionResultSchema } from "../../contract/asks.js";
import type { ClaudeSuggestion, ClaudeToolRequest } from "../../contract/claude.js";
import type { JsonObject } from "../json-frame.js";
import type { Answer } from "../open-asks.js";
import { plannedChanges } from "./tool-changes.js";
import { toolWords } from "./tool-words.js";

type Choice = PermissionParams["choices"][number];

export function permissionParams(request: ClaudeToolRequest): PermissionParams {
  const { tool_name, display_name, tool_use_id, input, blocked_path } = request;
  const changes = plannedChanges(tool_name, input);
  const message = messageOf(request, changes.length > 0 ? "shown" : "not shown");
  const isPlan = tool_name === "ExitPlanMode";
  const words = isPlan ? "Go on with this plan?" : toolWords(display_name ?? tool_name, input);
  return {
    title: request.title ?? words,
    tool: tool_name,
    choices: choicesOf(request),
    allowReason: true,
    ...(tool_use_id === undefined ? {} : { toolCallId: tool_use_id }),
    ...(message === "" ? {} : { message }),
    ...(typeof input.command === "string" ? { command: input.command } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    ...(blocked_path === undefined ? {} : { path: blocked_path }),
  };
}

/** The answer in Claude's words. Whatever is not clearly a yes is a no. */
export function permissionReply(request: ClaudeToolRequest, answer: Answer): JsonObject {
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

// A tool nobody knows is shown with all of its input: an approval shows what it approves.
function messageOf({ tool_name, input, ...request }: ClaudeToolRequest, changes: "shown" | "not shown"): string {
  const plan = tool_name === "ExitPlanMode" && typeof input.plan === "string" ? input.plan : "";
  const isShown = changes === "shown" || plan !== "" || typeof input.command === "string";
  const description = request.description ?? (typeof input.description === "string" ? input.description : "");
  const isNews = description !== "" && !toolWords("", input).includes(description);
  return [
    plan,
    isNews ? description : "",
    isShown || Object.keys(input).length === 0 ? "" : JSON.stringify(input, null, 2),
    request.decision_reason ?? "",
    request.blocked_path === undefined ? "" : `it needs ${request.blocked_path}`,
  ]
    .filter(Boolean)
    .join("\n");
}
