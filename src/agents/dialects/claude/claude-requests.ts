// Claude's requests to the user: to use a tool, to answer questions, to pass on what an MCP server asks. Each request is
// answered once, unless Claude cancels it. The approval of a tool shows its effect; each rule that Claude suggests is a choice
// of its own, with its name and with what Palaver adds to it.

import { type PermissionParams, permissionResultSchema } from "../../../contract/asks.js";
import { notice } from "../agent-notices.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import type { AskReply, PendingAsks } from "../pending-asks.js";
import { type AgentAnswer, raiseQuestions } from "../question-form.js";
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

const AGENT = { kind: "agent" } as const;
const PLAN_TOOL = "ExitPlanMode";

export class ClaudeRequests {
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;
  private readonly control: ControlChannel;
  private readonly workspace: string;
  /** Asks about pages to visit, by the id with which the server reports that the visit is over. */
  private readonly visits = new Map<string, string>();

  /** `workspace`: the folder in which the agent works; "" when unknown. */
  constructor(out: StepBuilder, asks: PendingAsks, control: ControlChannel, workspace = "") {
    this.workspace = workspace;
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

  private askForTool(id: string, given: ClaudeToolRequest): void {
    const request = withWriteRule(given, this.workspace);
    const { tool_name, tool_use_id, display_name, mcp_server, input } = request;
    const questions =
      tool_name === "AskUserQuestion" ? claudeQuestionsSchema.safeParse(input.questions).data : undefined;
    if (questions !== undefined && questions.length > 0) {
      const opts = present({ tool_call_id: tool_use_id });
      const asked = { id, origin: AGENT, deadlineMs: null, questions: withOther(questions), opts };
      raiseQuestions(this.asks, asked, (answers, reply) =>
        this.control.answer(id, questionsReply(input, { questions, answers }, reply)),
      );
      return;
    }
    const kind = mcp_server === undefined ? ("tool" as const) : ("mcp" as const);
    const isPlan = tool_name === PLAN_TOOL;
    const origin = isPlan ? AGENT : { kind, name: mcp_server?.name ?? display_name ?? tool_name };
    const params = isPlan ? planParams(request) : permissionParams(request, this.workspace);
    const question = { kind: "permission" as const, params };
    this.asks.raise({ id, origin, deadlineMs: null, question }, (answer) => {
      const reply = permissionReply(request, answer);
      this.control.answer(id, reply);
      if (isPlan && reply.behavior === "allow") this.out.tell(notice("info", `mode: ${modeAfter(answer)?.words}`));
    });
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
function questionsReply(
  input: JsonObject,
  { questions, answers: given }: { questions: readonly ClaudeQuestion[]; answers: readonly AgentAnswer[] },
  reply: AskReply,
): JsonObject {
  const answers = given.flatMap(({ chosen, own }, place) => {
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

// A yes to a plan leaves the plan mode, so each yes names the mode that follows.
const planModes: ReadonlyMap<string, Choice & { readonly mode: string; readonly words: string }> = new Map(
  [
    {
      id: "plan-ask",
      label: "yes, and ask before changes",
      choice: "allow_once" as const,
      mode: "default",
      words: "ask before changes",
    },
    {
      ...{ id: "plan-accept", label: "yes, and accept all edits", choice: "allow_always" as const },
      ...{ description: "this session", mode: "acceptEdits", words: "accept edits" },
    },
  ].map((choice) => [choice.id, choice]),
);

function planParams({ tool_name, tool_use_id, input }: ClaudeToolRequest): PermissionParams {
  const plan = textOf(input.plan);
  const yes = [...planModes.values()].map(({ mode: _mode, words: _words, ...choice }): Choice => choice);
  const choices: Choice[] = [...yes, { id: "reject", label: "no, keep planning", choice: "reject_once" }];
  const shown = plan === "" ? ["planFilePath"] : ["plan", "planFilePath"];
  return {
    ...{ title: "Start this plan?", tool: tool_name, choices, allowReason: true, performedBy: "agent" },
    ...filled({ toolCallId: tool_use_id, message: plan, details: inputDetails(input, shown) }),
    ...(plan === "" ? {} : { markdown: true }),
  };
}

function permissionParams(request: ClaudeToolRequest, workspace: string): PermissionParams {
  const { tool_name, tool_use_id, input } = request;
  const changes = plannedChanges(tool_name, input);
  const title = toolWords(tool_name, input);
  const shown = {
    toolCallId: tool_use_id,
    message: messageOf(request, workspace),
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

/** What the user chose for the time after the plan; undefined for a no. */
function modeAfter(answer: AskReply) {
  const { data } = permissionResultSchema.safeParse(answer.kind === "answered" ? answer.value : null);
  return planModes.get(data?.choiceId ?? "");
}

/** Everything that is not clearly a yes is a no. */
function permissionReply(request: ClaudeToolRequest, answer: AskReply): JsonObject {
  if (answer.kind === "unanswered") {
    const isStopped = answer.reason === "turn_ended" || answer.reason === "shutdown";
    const interrupt = isStopped ? { interrupt: true } : {};
    return { behavior: "deny", message: `No one answered (${answer.reason}).`, ...interrupt };
  }
  const { data } = permissionResultSchema.safeParse(answer.value);
  const mode = request.tool_name === PLAN_TOOL ? modeAfter(answer)?.mode : undefined;
  if (mode !== undefined) {
    const updatedPermissions = [{ type: "setMode", mode, destination: "session" }];
    return { behavior: "allow", updatedInput: request.input, updatedPermissions };
  }
  const chosen = choicesOf(request).find(({ id }) => id === data?.choiceId);
  if (chosen?.choice === "allow_once") return { behavior: "allow", updatedInput: request.input };
  if (chosen?.choice === "allow_always") {
    const suggestions = suggestionsOf(request);
    const one = suggestions[Number(chosen.id.slice(ALWAYS.length))];
    return {
      behavior: "allow",
      updatedInput: request.input,
      updatedPermissions: chosen.id === ALWAYS_ALL ? suggestions : [one],
    };
  }
  const reason = data?.reason ?? "";
  // With a reason, Claude continues and takes it into account; a plain no ends the turn, as in Claude's own terminal.
  if (reason !== "") return { behavior: "deny", message: reason };
  return { behavior: "deny", message: "Denied by the user.", interrupt: true };
}

const ALWAYS = "always-";
const ALWAYS_ALL = `${ALWAYS}all`;

function choicesOf(request: ClaudeToolRequest): Choice[] {
  const suggestions = suggestionsOf(request);
  const single = suggestions.map((suggestion, place): Choice => {
    const description = scopes.get(suggestion.destination ?? "");
    const label = ruleWords(suggestion) ?? "";
    return { id: `${ALWAYS}${place}`, label, choice: "allow_always", ...present({ description }) };
  });
  // A command that also needs a folder is asked about again while one of the two is missing.
  const label = single.map((choice) => [choice.label, choice.description].filter(Boolean).join(" for ")).join("; ");
  const all: Choice = { id: ALWAYS_ALL, label, choice: "allow_always" };
  const always = single.length > 1 ? [all, ...single] : single;
  return [
    { id: "allow", label: "allow once", choice: "allow_once" },
    ...always,
    { id: "reject", label: "no", choice: "reject_once" },
  ];
}

/** Letters with a meaning in a rule. */
const RULE_LETTERS = /[*?[\]{}()!,\\]/;

// For a command that writes a file in its own folder, Claude suggests the command and that folder, and asks again all the same:
// what it looks for is a rule for the file.
function withWriteRule(request: ClaudeToolRequest, workspace: string): ClaudeToolRequest {
  const { permission_suggestions: suggestions = [], blocked_path: path = "", input } = request;
  const isOwnFolder = ({ directories = [] }: ClaudeSuggestion) =>
    directories.length > 0 && directories.every((directory) => directory === workspace);
  const mayWrite = textOf(input.command) !== "" && isInside(path, workspace);
  if (!mayWrite || RULE_LETTERS.test(path) || !suggestions.some(isOwnFolder)) return request;
  const file = { toolName: "Edit", ruleContent: `/${path}` };
  const permission_suggestions = suggestions
    .filter((suggestion) => !isOwnFolder(suggestion))
    .map((suggestion) => ({ ...suggestion, ...filled({ rules: suggestion.rules && [...suggestion.rules, file] }) }));
  return { ...request, permission_suggestions };
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

function messageOf({ tool_name, input, ...request }: ClaudeToolRequest, workspace: string): string {
  const description = request.description ?? textOf(input.description);
  // Where the model describes nothing, Claude repeats the command.
  const isNews = ![toolWords("", input), textOf(input.command)].some((known) => known.includes(description.trim()));
  const said = [request.title, request.display_name].filter((words) => !isSaid(words ?? "", { tool_name, input }));
  const { blocked_path: blocked } = request;
  return [
    ...said.map((words) => `The agent says: ${words}`),
    isNews ? `The agent says: ${description}` : "",
    isReason(request.decision_reason) ? `Why Claude asks: ${request.decision_reason}` : "",
    // In the folder of the agent, the path alone says it.
    blocked === undefined || isInside(blocked, workspace) ? "" : `needs access to ${blocked}`,
  ]
    .filter(Boolean)
    .join("\n");
}

function isInside(path: string, folder: string): boolean {
  return folder !== "" && path.startsWith(`${folder}/`) && !path.split("/").includes("..");
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
    ...(typeof input.description === "string" && messageOf(request, "").includes(input.description)
      ? ["description"]
      : []),
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
