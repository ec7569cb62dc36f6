// The tool calls of one session. A call starts with its first mention: announced, in a permission request, or in an update.
// Calls that never end are ended with the turn.

import { objectOf } from "../../../contract/json-value.js";
import type { ToolOutput } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import { filled } from "../frames/lenient-field.js";
import { keepNewest, type StepBuilder } from "../step-builder.js";
import { todoCall } from "../todo-list.js";
import type { AcpEffect } from "./acp-effect.js";
import type { AcpToolCall } from "./acp-frames.js";
import {
  blankFacts,
  changesOf,
  filledFacts,
  hasVerb,
  laterFacts,
  outputText,
  pathsOf,
  picturesOf,
  showsArguments,
  type ToolFacts,
  toolWords,
} from "./tool-view.js";

type ToolCall = {
  facts: ToolFacts;
  /** The user rejected a "rejected" one; the agent may report that too, or not. */
  phase: "new" | "running" | "rejected" | "ended";
  /** The last reported values, so that only changes are reported. */
  told: { args: string; output: string; name: string; changes: string };
  /** Output of terminals that the agent runs itself, by id. */
  readonly foreign: Map<string, string>;
};

export interface ToolSurroundings {
  readonly sessionId: string;
  readonly cwd: string;
  readonly out: StepBuilder<AcpEffect>;
  /** How often this session was loaded: its calls come again, and get ids of their own from the second time on. */
  readonly telling: number;
  /** The output of a terminal that we run; null for any other. */
  terminalText(terminalId: string): string | null;
}

/** Calls remembered within a turn; the oldest is dropped. */
const CALLS_MAX = 4_096;
const FOREIGN_OUTPUT_CHARS_MAX = 1024 * 1024;

const contentTypes: ReadonlySet<string> = new Set(["content", "diff", "terminal"]);

export class ToolCalls {
  private readonly around: ToolSurroundings;
  private readonly calls = new Map<string, ToolCall>();
  /** How often each id was used in earlier turns: some models count from one in every turn. */
  private readonly over = new Map<string, number>();

  constructor(around: ToolSurroundings) {
    this.around = around;
  }

  /** An update for a call of an earlier turn, whose end was reported. */
  isTooLate({ toolCallId, title }: AcpToolCall): boolean {
    return !this.calls.has(toolCallId) && this.over.has(toolCallId) && !title;
  }

  update(update: AcpToolCall): void {
    const call = this.callOf(update.toolCallId);
    call.facts = laterFacts(call.facts, update);
    takeForeignOutput(call, update);
    this.reportUnknown(update);
    const { status } = update;
    this.tell(update.toolCallId, call, stateOf(status));
    if (status && !statuses.has(status)) this.around.out.unknown("tool status", status, update, this.around.sessionId);
  }

  /** What is known of the call, updated by the permission request: what the user decides about. */
  askedAbout(request: AcpToolCall): ToolFacts {
    const call = this.callOf(request.toolCallId);
    call.facts = filledFacts(call.facts, request);
    this.tell(request.toolCallId, call, "running");
    const known = pathsOf(call.facts);
    const asked = laterFacts(call.facts, request);
    const kind = hasVerb(request.kind) ? asked.kind : call.facts.kind;
    const paths = pathsOf(asked).length === 0 ? known : asked.paths;
    return { ...asked, kind, paths, content: request.content?.length ? request.content : call.facts.content };
  }

  /** The id of a call for the front end. */
  nameOf(toolCallId: string): string {
    const { telling } = this.around;
    const uses = this.over.get(toolCallId) ?? 0;
    const name = telling === 1 ? toolCallId : `${toolCallId}~${telling}`;
    return uses === 0 ? name : `${name}+${uses}`;
  }

  /** The id of the only running call of this kind; null when there is none, or more than one. */
  onlyRunning(kind: string): string | null {
    const running = [...this.calls].filter(([, { phase, facts }]) => phase === "running" && facts.kind === kind);
    const [id] = running[0] ?? [];
    return id === undefined || running.length > 1 ? null : this.nameOf(id);
  }

  rejected(toolCallId: string): void {
    const call = this.calls.get(toolCallId);
    if (call?.phase === "running") call.phase = "rejected";
  }

  /** Ends rejected calls that the agent does not mention any more. */
  endRejected(): void {
    for (const [id, call] of this.calls) {
      if (call.phase !== "rejected") continue;
      call.facts = { ...call.facts, content: [], rawOutput: "not allowed" };
      this.tell(id, call, "failed");
    }
  }

  factsOf(toolCallId: string): ToolFacts | null {
    return this.calls.get(toolCallId)?.facts ?? null;
  }

  terminalGrew(terminalId: string): void {
    for (const [id, call] of this.calls) {
      if (call.phase !== "ended" && shows(call.facts, terminalId)) this.tell(id, call, "running");
    }
  }

  /** The turn is over; the front end ends open calls itself. */
  forget(): void {
    for (const id of this.calls.keys()) {
      const uses = this.over.get(id) ?? 0;
      keepNewest(this.over, id, uses + 1, CALLS_MAX);
    }
    this.calls.clear();
  }

  /** The history is complete: calls that did not end in it have failed. */
  endAll(): void {
    for (const [id, call] of this.calls) if (call.phase !== "ended") this.tell(id, call, "failed");
    this.forget();
  }

  private callOf(toolCallId: string): ToolCall {
    const known = this.calls.get(toolCallId);
    if (known !== undefined) return known;
    const told = { args: "", output: "", name: "", changes: "[]" };
    const call: ToolCall = { facts: blankFacts, phase: "new", told, foreign: new Map() };
    keepNewest(this.calls, toolCallId, call, CALLS_MAX);
    return call;
  }

  private tell(toolCallId: string, call: ToolCall, state: "running" | "completed" | "failed"): void {
    if (call.phase === "ended") return;
    const { out, sessionId, cwd } = this.around;
    const todos = todoCall(call.facts.rawInput);
    const { name, args } = todos ?? toolWords(call.facts, cwd);
    const isHeld = todos === null ? state === "running" && showsArguments(call.facts) : state !== "failed";
    const text = isHeld ? "" : outputText(call.facts, (terminalId) => this.textOf(call, terminalId));
    const changes = changesOf(call.facts);
    const told = { args: JSON.stringify(args), output: text, name, changes: JSON.stringify(changes) };
    const was = call.told;
    call.told = told;
    const head = { sessionId, toolCallId: this.nameOf(toolCallId), name };
    const withChanges = filled({ changes });
    if (call.phase === "new" || was.args !== told.args) {
      out.event({ type: "tool.started", ...head, args, ...withChanges });
    }
    const output = outputOf(text, call.facts);
    if (state !== "running") {
      call.phase = "ended";
      if (todos !== null && state === "completed") {
        out.event({ type: "plan.changed", sessionId, entries: todos.entries });
      }
      out.event({ type: "tool.finished", ...head, output, isError: state === "failed", ...withChanges });
      return;
    }
    if (call.phase === "new") call.phase = "running";
    if (was.output !== told.output || was.changes !== told.changes || (was.name !== name && was.name !== "")) {
      out.event({ type: "tool.updated", ...head, output, ...withChanges });
    }
  }

  private textOf(call: ToolCall, terminalId: string): string {
    return this.around.terminalText(terminalId) ?? call.foreign.get(terminalId) ?? "";
  }

  private reportUnknown(update: AcpToolCall): void {
    for (const item of update.content ?? []) {
      if (!contentTypes.has(item.type)) {
        this.around.out.unknown("tool content", item.type, item, this.around.sessionId);
      }
    }
  }
}

const failedStatuses: ReadonlySet<string> = new Set(["failed", "cancelled", "canceled", "rejected", "error"]);
const statuses: ReadonlySet<string> = new Set(["pending", "in_progress", "completed", ...failedStatuses]);

// Version 1 of the protocol has no status for a cancelled call; agents use several.
function stateOf(status: string | null | undefined): "running" | "completed" | "failed" {
  if (status === "completed") return status;
  return status && failedStatuses.has(status) ? "failed" : "running";
}

function outputOf(text: string, facts: ToolFacts): ToolOutput {
  const { paths } = facts;
  const details = paths.length === 0 ? {} : { details: { locations: paths } };
  const words = text === "" ? [] : [{ type: "text" as const, text }];
  return { content: [...words, ...picturesOf(facts)], ...details };
}

function shows({ content }: ToolFacts, terminalId: string): boolean {
  return content.some((item) => item.type === "terminal" && item["terminalId"] === terminalId);
}

// Agents that run their own terminals name them in the content and send the output in `_meta`, piece by piece.
function takeForeignOutput(call: ToolCall, update: AcpToolCall): void {
  const output = objectOf(objectOf(update["_meta"])["terminal_output"]);
  const { terminal_id, data } = output;
  if (typeof data !== "string") return;
  const id = plainWord(terminal_id ?? firstTerminal(call.facts) ?? "");
  const text = (call.foreign.get(id) ?? "") + data;
  call.foreign.set(id, text.slice(-FOREIGN_OUTPUT_CHARS_MAX));
  if (!shows(call.facts, id)) {
    call.facts = { ...call.facts, content: [...call.facts.content, { type: "terminal", terminalId: id }] };
  }
}

function firstTerminal({ content }: ToolFacts): unknown {
  return content.find(({ type }) => type === "terminal")?.["terminalId"];
}
