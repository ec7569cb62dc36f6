// codex's requests to the user: approvals, questions, and what an MCP server asks. Each request is answered once; one that
// another client answered is withdrawn. The title of an approval is ours, its content is what codex says it will do, and
// codex's own words are marked as such. codex performs all effects itself.
import { type Ask, type PermissionParams, permissionResultSchema } from "../../../contract/asks.js";
import { isRecord, objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { isInside, shownPath, tidyPath } from "../acp/paths.js";
import { argvLine, firstLine } from "../acp/run-line.js";
import { takeRequest } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled } from "../frames/lenient-field.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import { type AskReply, askIdOf, type PendingAsks } from "../pending-asks.js";
import { type AgentAnswer, raiseQuestions } from "../question-form.js";
import { raiseElicitation, roundsOf } from "../server-elicitation.js";
import type { StepBuilder } from "../step-builder.js";
import { type InputDetail, inputDetails } from "../tool-inputs.js";
import { type CodexPatch, type CodexRequest, type CodexRequestMethod, codexRequestSchemas } from "./codex-frames.js";
import type { CodexItems, McpCall } from "./codex-items.js";
import { changesIn, patchDetails } from "./codex-patch.js";
import { scriptIn } from "./codex-script.js";

type Takers = {
  readonly [Method in CodexRequestMethod]: (request: AgentRequest, params: CodexRequest<Method>) => void;
};

export class CodexRequests {
  /** Where codex works. */
  folder = "";
  /** Whether a "no" of the user ends this turn; the row of the call says it. */
  endsTurn = false;
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;
  private readonly items: CodexItems;
  private nowMs = 0;

  private readonly takers: Takers = {
    "item/commandExecution/requestApproval": (request, params) => {
      const decisions = this.decisions(params.availableDecisions ?? usualDecisions);
      this.approve(request, commandParams(params, decisions, this.folder), (reply) => ({
        decision: decided(decisions, reply, "cancel"),
      }));
    },
    "item/fileChange/requestApproval": (request, params) => {
      const decisions = this.decisions(usualDecisions);
      const asked = changeParams(params, decisions, this.items.patchesOf(params.itemId), this.folder);
      this.approve(request, asked, (reply) => ({ decision: decided(decisions, reply, "cancel") }));
    },
    "item/permissions/requestApproval": (request, params) =>
      this.approve(request, permissionsParams(params, this.folder), (reply) => permissionsReply(params, reply)),
    "item/tool/requestUserInput": (request, params) => {
      const deadlineMs = params.autoResolutionMs === undefined ? null : this.nowMs + params.autoResolutionMs;
      const id = this.roundsOf(request);
      const asked = { id, origin: { kind: "agent" as const }, deadlineMs, questions: params.questions };
      raiseQuestions(this.asks, asked, (answers) => request.answer(answersIn(params, answers)));
    },
    "mcpServer/elicitation/request": (request, params) => this.elicit(request, params),
  };

  constructor(out: StepBuilder, asks: PendingAsks, items: CodexItems) {
    this.out = out;
    this.asks = asks;
    this.items = items;
  }

  take(request: AgentRequest, nowMs: number): void {
    this.nowMs = nowMs;
    takeRequest(codexRequestSchemas, this.takers, this.out, request);
  }

  private decisions(listed: readonly unknown[]) {
    return decisionsIn(listed, (word) => this.out.unknown("decision", word, { decision: word }));
  }

  private approve(request: AgentRequest, params: PermissionParams, reply: (given: AskReply) => JsonObject): void {
    const origin = { kind: "tool" as const, name: params.tool };
    this.raise(request, { origin, question: { kind: "permission", params }, deadlineMs: null }, (given) => {
      const answer = reply(given);
      this.endsTurn ||= answer["decision"] === "cancel" || answer["action"] === "cancel";
      return answer;
    });
  }

  private raise(
    request: AgentRequest,
    ask: Pick<Ask, "origin" | "question" | "deadlineMs">,
    reply: (given: AskReply) => JsonObject,
  ): void {
    const id = askIdOf(request.id);
    request.whenTakenBack(() => this.asks.withdraw(id, "agent_cancelled"));
    this.asks.raise({ id, ...ask }, (given) => request.answer(reply(given)));
  }

  /** The id of its first round; all are withdrawn with it. */
  private roundsOf(request: AgentRequest): string {
    const askId = askIdOf(request.id);
    request.whenTakenBack(() => {
      for (const id of roundsOf(askId)) this.asks.withdraw(id, "agent_cancelled");
    });
    return askId;
  }

  private elicit(request: AgentRequest, params: CodexRequest<"mcpServer/elicitation/request">): void {
    if (isToolApproval(params)) {
      const call = this.items.callOf(params.serverName, params._meta?.["tool_params"]);
      this.approve(request, toolParams(params, call), (reply) => toolReply(params, reply));
      return;
    }
    const askId = this.roundsOf(request);
    const { message, mode, url, requestedSchema, serverName } = params;
    raiseElicitation(this.asks, {
      askId,
      request: { message, mode, url, requested_schema: requestedSchema, mcp_server_name: serverName },
      onProblem: (problem) => this.out.fault("invalidField", problem, request.params),
      send: (response) => request.answer({ content: null, _meta: null, ...response }),
    });
  }
}

/** Questions without an answer are left out: codex continues without them. */
function answersIn(
  { questions }: CodexRequest<"item/tool/requestUserInput">,
  given: readonly AgentAnswer[],
): JsonObject {
  const answers = given.flatMap(({ chosen, own }, place) => {
    const words = [...chosen, own].filter((word) => word.trim() !== "");
    return words.length === 0 ? [] : [[questions[place]?.id ?? "", { answers: words }]];
  });
  return { answers: Object.fromEntries(answers) };
}

type Asked = { readonly itemId: string; readonly reason?: string | undefined };

/** What an approval shows besides its title and choices; what is empty is left out. */
type Shown = {
  readonly command?: string;
  readonly path?: string | undefined;
  readonly changes?: NonNullable<PermissionParams["changes"]>;
  readonly details?: InputDetail[];
  readonly dangers?: readonly string[];
};

type Named = { readonly title: string; readonly tool: string; readonly decisions: readonly Decision[] };

function approvalOf({ itemId, reason = "" }: Asked, { decisions, ...named }: Named, shown: Shown): PermissionParams {
  const { dangers = [], ...rest } = shown;
  const message = reason === "" ? "" : `The agent says: ${reason}`;
  const about = filled({ toolCallId: itemId, message, ...rest, danger: dangers.join("; ") });
  return { ...named, choices: decisions.map(({ choice }) => choice), performedBy: "agent", ...about };
}

/** Fields of a request that are shown as what they are, or say nothing about what runs. */
const KNOWN = [
  ...["kind", "threadId", "turnId", "itemId", "startedAtMs", "approvalId", "environmentId", "reason", "command", "cwd"],
  // The actions are codex's reading of the command; the rules are among the choices.
  ...["commandActions", "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments", "availableDecisions"],
  ...["networkApprovalContext", "grantRoot"],
];

/** Every other field of a request: one that is not known may still change what runs. */
function otherFields(request: Readonly<Record<string, unknown>>): InputDetail[] {
  return inputDetails(request, [...KNOWN, ...Object.keys(request).filter((name) => request[name] === null)]);
}

function commandParams(
  request: CodexRequest<"item/commandExecution/requestApproval">,
  decisions: readonly Decision[],
  folder: string,
): PermissionParams {
  const { command: line = "", cwd, kind, networkApprovalContext: network } = request;
  const isTyped = kind === "writeStdin";
  const read = isTyped ? null : scriptIn(line);
  const command = read?.script ?? line;
  const subject = firstLine(command) || "a command";
  const title = network !== undefined ? `reach ${network.host}` : isTyped ? `type into ${subject}` : `run ${subject}`;
  const details = [
    ...(read === null ? [] : [{ name: "shell", value: read.shell }]),
    ...(network === undefined ? [] : inputDetails(network)),
    ...(cwd === undefined || cwd === folder ? [] : [{ name: "folder", value: cwd }]),
    ...otherFields(request),
  ];
  const tool = network === undefined ? "run" : "network";
  return approvalOf(request, { title, tool, decisions }, { command, details });
}

/** `patches` is null when codex asks about a change that it has not shown. */
function changeParams(
  request: CodexRequest<"item/fileChange/requestApproval">,
  decisions: readonly Decision[],
  patches: readonly CodexPatch[] | null,
  folder: string,
): PermissionParams {
  const [first, ...others] = patches ?? [];
  const { grantRoot } = request;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const title = `edit ${first === undefined ? "files" : shownPath(first.path, folder)}${more}`;
  const root = grantRoot === undefined ? [] : [{ name: "folder", value: grantRoot }];
  const dangers = [
    ...(first === undefined ? ["codex does not say what it would change"] : []),
    ...(grantRoot === undefined ? [] : [`a yes allows every write below ${grantRoot}`]),
  ];
  const details = [...patchDetails(patches ?? []), ...root, ...otherFields(request)];
  const shown = { path: first?.path, changes: changesIn(patches ?? []), details, dangers };
  return approvalOf(request, { title, tool: "edit", decisions }, shown);
}

type MorePermissions = CodexRequest<"item/permissions/requestApproval">;

const permissionDecisions: readonly Decision<"turn" | "session" | null>[] = [
  { answer: "turn", choice: { id: "turn", label: "allow for this turn", choice: "allow_once" } },
  {
    answer: "session",
    choice: { id: "session", label: "always allow", choice: "allow_always", description: "this session" },
  },
  { answer: null, choice: { id: "reject", label: "no", choice: "reject_once" } },
];

function permissionsParams(request: MorePermissions, folder: string): PermissionParams {
  const { network, fileSystem, ...others } = request.permissions;
  const { read = [], write = [], entries = [], ...rest } = fileSystem ?? {};
  const listed = new Set([...read, ...write]);
  const unlisted = entries.filter((entry) => !listed.has(String(objectOf(entry["path"])["path"])));
  const outside = write.filter((path) => !isInside(tidyPath(path), folder));
  const details = [
    ...write.map((value) => ({ name: "write", value })),
    ...read.map((value) => ({ name: "read", value })),
    ...(network === undefined ? [] : [{ name: "network", value: network.enabled === true ? "on" : "off" }]),
    ...(unlisted.length === 0 ? [] : inputDetails({ entries: unlisted })),
    ...inputDetails({ ...others, ...rest }),
  ];
  const dangers = [
    ...(outside.length === 0 ? [] : [`outside the workspace: ${outside.join(", ")}`]),
    ...(network?.enabled === true ? ["it may use the network"] : []),
    ...(unlisted.length === 0 ? [] : ["it may reach more than named files"]),
  ];
  const tool = write.length > 0 ? "write" : "permissions";
  const named = { title: "have more permissions", tool, decisions: permissionDecisions };
  return approvalOf(request, named, { path: write[0] ?? read[0], details, dangers });
}

/** What was asked for is given whole, or nothing is. */
function permissionsReply({ permissions }: MorePermissions, reply: AskReply) {
  const scope = decided(permissionDecisions, reply, null);
  return scope === null ? { permissions: {}, scope: "turn" } : { permissions, scope };
}

type ToolRequest = CodexRequest<"mcpServer/elicitation/request">;

/** codex asks to call a tool in the form of an elicitation without fields. */
function isToolApproval({ _meta: meta }: ToolRequest): boolean {
  return meta?.["codex_approval_kind"] === "mcp_tool_call";
}

/** How long codex remembers a yes, in words. */
const scopes: ReadonlyMap<unknown, string> = new Map([
  ["session", "this session; remembered by codex"],
  ["always", "every session; remembered by codex"],
]);

const accepted = { action: "accept", content: {}, _meta: null };
const declined = { action: "decline", content: null, _meta: null };

function toolDecisions({ _meta: meta = {} }: ToolRequest): Decision<Readonly<Record<string, unknown>>>[] {
  const always = [meta["persist"]].flat().flatMap((persist) => {
    const description = scopes.get(persist);
    if (typeof persist !== "string" || description === undefined) return [];
    const choice = { id: persist, label: "always allow", choice: "allow_always" as const, description };
    return [{ answer: { ...accepted, _meta: { persist } }, choice }];
  });
  return [
    { answer: accepted, choice: { id: "allow", label: "allow once", choice: "allow_once" } },
    ...always,
    { answer: declined, choice: { id: "reject", label: "no", choice: "reject_once" } },
  ];
}

function toolParams(request: ToolRequest, call: McpCall | null): PermissionParams {
  const { _meta: meta = {}, serverName, message } = request;
  const named = { title: `use ${call?.tool ?? "a tool"} of ${serverName}`, tool: call?.tool ?? "tool" };
  const asked = { itemId: call?.id ?? "", reason: message };
  const details = inputDetails(objectOf(meta["tool_params"]));
  return approvalOf(asked, { ...named, decisions: toolDecisions(request) }, { details });
}

function toolReply(request: ToolRequest, reply: AskReply) {
  return decided(toolDecisions(request), reply, { ...declined, action: "cancel" });
}

// The decisions that codex takes about a command or a change, as choices in our own words. A decision that this version does
// not know cannot be named truthfully, so it is not offered.

type Choice = PermissionParams["choices"][number];
type KnownChoice = { readonly label: string; readonly choice: Choice["choice"]; readonly description?: string };

/** A decision as it goes back to codex, with the choice that stands for it. */
type Decision<Answer = unknown> = { readonly answer: Answer; readonly choice: Choice };

/** What codex takes where it does not list its decisions. */
const usualDecisions: readonly unknown[] = ["accept", "acceptForSession", "decline", "cancel"];

const plainChoices: Readonly<Record<string, KnownChoice>> = {
  accept: { label: "allow once", choice: "allow_once" },
  acceptForSession: { label: "always allow", choice: "allow_always", description: "this session; remembered by codex" },
  decline: { label: "no", choice: "reject_once" },
  cancel: { label: "no, and stop", choice: "reject_once", description: "ends the turn" },
};

function decisionsIn(listed: readonly unknown[], onUnknown: (word: string) => void): Decision[] {
  const decisions = listed.flatMap((answer, place): Decision[] => {
    const word = isRecord(answer) ? (Object.keys(answer)[0] ?? "") : plainWord(answer);
    const choice = isRecord(answer) ? ruleChoice(answer, word) : choiceNamed(word);
    if (choice === null) onUnknown(word);
    return choice === null ? [] : [{ answer, choice: { id: isRecord(answer) ? `${word}-${place}` : word, ...choice } }];
  });
  return decisions.sort((a, b) => order.indexOf(a.choice.choice) - order.indexOf(b.choice.choice));
}

const order: readonly Choice["choice"][] = ["allow_once", "allow_always", "reject_once", "reject_always"];

/** What the user decided; anything that is not clearly a choice is the first no. `unanswered` is for when none will come. */
function decided<Answer>(decisions: readonly Decision<Answer>[], reply: AskReply, unanswered: Answer): Answer {
  if (reply.kind === "unanswered") return unanswered;
  const { data } = permissionResultSchema.safeParse(reply.value);
  const chosen = decisions.find(({ choice }) => choice.id === data?.choiceId);
  const no = decisions.find(({ choice }) => choice.choice === "reject_once");
  return (chosen ?? no ?? { answer: unanswered }).answer;
}

function choiceNamed(word: string): KnownChoice | null {
  return Object.hasOwn(plainChoices, word) ? (plainChoices[word] ?? null) : null;
}

function ruleChoice(answer: Readonly<Record<string, unknown>>, word: string): KnownChoice | null {
  if (Object.keys(answer).length !== 1) return null;
  if (word === "acceptWithExecpolicyAmendment") return commandRule(objectOf(answer[word])["execpolicy_amendment"]);
  if (word === "applyNetworkPolicyAmendment") return hostRule(objectOf(answer[word])["network_policy_amendment"]);
  return null;
}

function commandRule(words: unknown): KnownChoice | null {
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === "string")) return null;
  const description = "every command that begins with these words; codex keeps the rule";
  return { label: `always allow ${argvLine(words)}`, choice: "allow_always", description };
}

function hostRule(rule: unknown): KnownChoice | null {
  const { host, action } = objectOf(rule);
  if (typeof host !== "string" || (action !== "allow" && action !== "deny")) return null;
  const description = "codex keeps the rule";
  return action === "allow"
    ? { label: `always allow ${host}`, choice: "allow_always", description }
    : { label: `never allow ${host}`, choice: "reject_always", description };
}
