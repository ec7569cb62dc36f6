// What Claude wants from the user: to use a tool, to have its questions answered, to pass on what an MCP server asks. Each request
// is answered once, unless Claude cancels it. The approval of a tool shows what it would do; each rule that Claude suggests is a
// choice of its own, named by the rule, and is sent back unchanged when it is chosen.

import { type PermissionParams, permissionResultSchema } from "../../../contract/asks.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import type { AskReply, PendingAsks } from "../pending-asks.js";
import { questionAnswers, questionsForm } from "../question-form.js";
import { raiseElicitation, roundsOf } from "../server-elicitation.js";
import type { StepBuilder } from "../step-builder.js";
import { type InputDetail, inputDetails } from "../tool-inputs.js";
import {
  type ClaudeFrame,
  type ClaudeQuestion,
  type ClaudeSuggestion,
  type ClaudeToolRequest,
  claudeElicitationSchema,
  claudeQuestionsSchema,
  claudeToolRequestSchema,
} from "./claude-frames.js";
import { plannedChanges, subjectOf, toolWords } from "./claude-tools.js";
import type { ControlChannel } from "./control-channel.js";

export class ClaudeRequests {
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;
  private readonly control: ControlChannel;
  /** Asks about pages to visit, by the id with which the server reports that the visit is over. */
  private readonly visits = new Map<string, string>();

  constructor(out: StepBuilder, asks: PendingAsks, control: ControlChannel) {
    this.out = out;
    this.asks = asks;
    this.control = control;
  }

  take({ request_id, request }: ClaudeFrame<"control_request">): void {
    if (roundsOf(request_id).some((askId) => this.asks.has(askId))) {
      this.asks.refuseTwice(request_id);
      this.control.refuse(request_id, "a request with this id is already open");
      return;
    }
    const tool = request.subtype === "can_use_tool" ? claudeToolRequestSchema.safeParse(request) : null;
    if (tool?.success) this.askForTool(request_id, tool.data);
    else if (request.subtype === "elicitation") this.elicit(request_id, request);
    else {
      this.out.unknown("request", request.subtype, request);
      this.control.refuse(request_id, `Palaver does not support ${request.subtype.slice(0, 80)}`);
    }
  }

  /** Claude does not need the answer any more. */
  cancel({ request_id }: ClaudeFrame<"control_cancel_request">): void {
    for (const askId of roundsOf(request_id)) this.asks.withdraw(askId, "agent_cancelled");
  }

  /** The server noticed the visit itself: the question has its answer. */
  endVisit(elicitationId: string): void {
    const askId = this.visits.get(elicitationId);
    this.visits.delete(elicitationId);
    const isOpen = askId !== undefined && this.asks.withdraw(askId, "agent_cancelled");
    if (isOpen) this.control.answer(askId, { action: "accept" });
  }

  private askForTool(id: string, request: ClaudeToolRequest): void {
    const { tool_name, tool_use_id, display_name, mcp_server, input } = request;
    const questions =
      tool_name === "AskUserQuestion" ? claudeQuestionsSchema.safeParse(input.questions).data : undefined;
    if (questions !== undefined && questions.length > 0) {
      const form = questionsForm(withOther(questions));
      const question = { kind: "form" as const, params: { ...form, opts: present({ tool_call_id: tool_use_id }) } };
      this.asks.raise({ id, origin: { kind: "agent" }, deadlineMs: null, question }, (answer) =>
        this.control.answer(id, questionsReply(input, questions, answer)),
      );
      return;
    }
    const kind = mcp_server === undefined ? ("tool" as const) : ("mcp" as const);
    const origin = { kind, name: mcp_server?.name ?? display_name ?? tool_name };
    const question = { kind: "permission" as const, params: permissionParams(request) };
    this.asks.raise({ id, origin, deadlineMs: null, question }, (answer) =>
      this.control.answer(id, permissionReply(request, answer)),
    );
  }

  private elicit(id: string, frame: JsonObject): void {
    const request = claudeElicitationSchema.parse(frame);
    const visit = request.elicitation_id;
    if (visit !== undefined) this.visits.set(visit, id);
    raiseElicitation(this.asks, {
      askId: id,
      request,
      onProblem: (problem) => this.out.fault("invalidField", problem, frame),
      send: (response) => {
        if (visit !== undefined) this.visits.delete(visit);
        this.control.answer(id, response);
      },
    });
  }
}

// Claude's own dialog always allows a free answer.
function withOther(questions: readonly ClaudeQuestion[]) {
  return questions.map((question) => ({ ...question, isOther: true }));
}

/** Allows the tool with the answers in its input, by question, or denies it when there are none. */
function questionsReply(input: JsonObject, questions: readonly ClaudeQuestion[], reply: AskReply): JsonObject {
  const answers = questionAnswers(questions, reply).flatMap(({ chosen, own }, place) => {
    const { question = "", multiSelect } = questions[place] ?? {};
    const typed = own.trim();
    const words = multiSelect === true ? [...chosen, typed].filter(Boolean).join(", ") : typed || chosen.join(", ");
    return words === "" ? [] : [[question, words]];
  });
  if (answers.length > 0)
    return { behavior: "allow", updatedInput: { ...input, answers: Object.fromEntries(answers) } };
  const isStopped = reply.kind === "unanswered" && reply.reason === "turn_ended";
  return {
    behavior: "deny",
    message: "The user did not answer the questions.",
    ...(isStopped ? { interrupt: true } : {}),
  };
}

type Choice = PermissionParams["choices"][number];

function permissionParams(request: ClaudeToolRequest): PermissionParams {
  const { tool_name, tool_use_id, input } = request;
  const changes = plannedChanges(tool_name, input);
  const title = tool_name === "ExitPlanMode" ? "Start this plan?" : toolWords(tool_name, input);
  const shown = {
    toolCallId: tool_use_id,
    message: messageOf(request),
    command: textOf(input.command),
    changes,
    path: pathOf(request),
    details: unshownInputs(request, title, changes.length),
    danger: isUnfenced(input) ? "it runs without the sandbox" : "",
  };
  return {
    ...{ title, tool: tool_name, choices: choicesOf(request), allowReason: true, performedBy: "agent" },
    ...filled(shown),
  };
}

/** Everything that is not clearly a yes is a no. */
function permissionReply(request: ClaudeToolRequest, answer: AskReply): JsonObject {
  if (answer.kind === "unanswered") {
    const isStopped = answer.reason === "turn_ended" || answer.reason === "shutdown";
    const interrupt = isStopped ? { interrupt: true } : {};
    return { behavior: "deny", message: `No one answered (${answer.reason}).`, ...interrupt };
  }
  const { data } = permissionResultSchema.safeParse(answer.value);
  const chosen = choicesOf(request).find(({ id }) => id === data?.choiceId);
  if (chosen?.choice === "allow_once") return { behavior: "allow", updatedInput: request.input };
  if (chosen?.choice === "allow_always") {
    const suggestion = suggestionsOf(request)[Number(chosen.id.slice(ALWAYS.length))];
    return { behavior: "allow", updatedInput: request.input, updatedPermissions: [suggestion] };
  }
  const reason = data?.reason ?? "";
  return { behavior: "deny", message: reason === "" ? "Denied by the user." : reason };
}

const ALWAYS = "always-";

function choicesOf(request: ClaudeToolRequest): Choice[] {
  const always = suggestionsOf(request).map((suggestion, place): Choice => {
    const description = scopes.get(suggestion.destination ?? "");
    const label = ruleWords(suggestion) ?? "";
    return { id: `${ALWAYS}${place}`, label, choice: "allow_always", ...present({ description }) };
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
    isReason(request.decision_reason) ? `The agent says: ${request.decision_reason}` : "",
    request.blocked_path === undefined ? "" : `needs access to ${request.blocked_path}`,
  ]
    .filter(Boolean)
    .join("\n");
}

// That it asks is no reason to ask.
function isReason(words: string | undefined): boolean {
  return words !== undefined && words !== "This command requires approval";
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
