// The numbered events of a codelia run. Texts come whole; the last one is repeated as `final` and shown once.

import { isRecord } from "../../../contract/json-value.js";
import type { ContentBlock, ToolOutput } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import { COMPACTING, compactedWords, notice, retryNotices } from "../agent-notices.js";
import { takeByType } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import { present } from "../frames/lenient-field.js";
import { type Happening, keepNewest, type StepBuilder } from "../step-builder.js";
import { unknownFieldLines } from "../tool-inputs.js";
import { type CodeliaEvent, type CodeliaNotice, codeliaEventSchemas } from "./codelia-frames.js";
import type { AnnouncedTool } from "./codelia-ui.js";

type EventType = keyof typeof codeliaEventSchemas;

/** How many runs are watched for missing events; the oldest is dropped. */
const RUNS_WATCHED_MAX = 256;
/** How many calls without a result are kept for the question that may follow. */
const CALLS_KEPT_MAX = 64;

export class CodeliaEvents {
  private readonly out: StepBuilder;
  private readonly onAnnounced: (tool: AnnouncedTool) => void;
  private readonly lastSeq = new Map<string, number>();
  /** Texts since the last tool call, to recognise a repeated final text. */
  private said: string[] = [];
  private readonly announcedIds = new Set<string>();
  /** Calls without a result. */
  private readonly calls = new Map<string, { readonly tool: string; readonly args: JsonObject }>();

  private readonly takers: { readonly [Type in EventType]: (event: CodeliaEvent<Type>) => void } = {
    text: ({ content }) => this.say({ type: "text", text: content }),
    reasoning: ({ content }) => this.say({ type: "thinking", thinking: content }),
    final: ({ content }) => this.sayLast(content),
    "llm.retry": (event) => this.out.tell(...retryNews(event)),
    step_start: () => this.out.tell({ type: "turn.started" }),
    step_complete: () => this.out.tell({ type: "turn.finished" }),
    tool_call: ({ tool, args, raw_args, tool_call_id }) => {
      this.said = [];
      this.keepCall(tool_call_id, tool, args ?? raw_args ?? {});
      this.out.tell({ type: "tool.started", toolCallId: tool_call_id, name: tool, args: args ?? raw_args ?? null });
    },
    tool_result: ({ tool, result, tool_call_id, is_error }) => {
      this.calls.delete(tool_call_id);
      const ended = { toolCallId: tool_call_id, name: tool, output: outputOf(result), isError: is_error === true };
      this.out.tell({ type: "tool.finished", ...ended });
    },
    "permission.preview": (event) => this.out.tell(previewOf(event)),
    "permission.ready": (event) => this.announce(event),
    compaction_start: () => this.out.tell({ type: "working.changed", message: COMPACTING }),
    compaction_complete: ({ compacted }) => {
      this.out.tell({ type: "working.changed", message: null });
      if (compacted === true) this.out.tell(notice("info", compactedWords()));
    },
    // For the model only.
    hidden_user_message: () => undefined,
  };

  private readonly table = { noun: "event", schemas: codeliaEventSchemas, takers: this.takers };

  constructor(out: StepBuilder, onAnnounced: (tool: AnnouncedTool) => void) {
    this.out = out;
    this.onAnnounced = onAnnounced;
  }

  take({ run_id, seq, event }: CodeliaNotice<"agent.event">): void {
    if (!this.isNext(run_id, seq)) return;
    takeByType(this.table, this.out, event.type, event);
  }

  runEnded(): void {
    this.said = [];
    this.announcedIds.clear();
    this.calls.clear();
    this.out.tell({ type: "working.changed", message: null });
  }

  // A number that was seen before is a repetition; a gap means lost events.
  private isNext(runId: string, seq: number | undefined): boolean {
    if (seq === undefined) return true;
    const before = this.lastSeq.get(runId);
    if (before !== undefined && seq <= before) return false;
    keepNewest(this.lastSeq, runId, seq, RUNS_WATCHED_MAX);
    const count = before === undefined ? 0 : seq - before - 1;
    if (count > 0) this.out.tell({ type: "events.missed", count });
    return true;
  }

  private say(part: ContentBlock): void {
    if (part.type === "text") this.said.push(plainWord(part.text));
    this.out.message({ role: "assistant", content: [part] });
  }

  private sayLast(content: string): void {
    const isRepeated = [this.said.at(-1) ?? "", this.said.join(""), this.said.join("\n")].some(
      (said) => said.trim() === content.trim(),
    );
    if (!isRepeated) this.say({ type: "text", text: content });
  }

  /** For a question that was not announced: the call that has waited longest, with the others. */
  get waiting(): AnnouncedTool | null {
    const [first, ...others] = this.calls;
    if (first === undefined) return null;
    const [toolCallId, { tool, args }] = first;
    const beside = others.map(([, call]) => ({
      name: "waits, too",
      value: `${call.tool} ${JSON.stringify(call.args)}`,
    }));
    return { tool, toolCallId, args: () => args, beside };
  }

  private keepCall(toolCallId: string, tool: string, args: unknown): void {
    const call = { tool, args: isRecord(args) ? args : { arguments: args } };
    keepNewest(this.calls, toolCallId, call, CALLS_KEPT_MAX);
  }

  private announce({ tool, tool_call_id }: CodeliaEvent<"permission.ready">): void {
    this.onAnnounced({ tool, toolCallId: tool_call_id, args: () => this.calls.get(tool_call_id ?? "")?.args ?? {} });
    if (tool_call_id !== undefined && this.announcedIds.has(tool_call_id)) return;
    if (tool_call_id !== undefined) this.announcedIds.add(tool_call_id);
    this.out.tell({ type: "permission.readied", tool, ...present({ toolCallId: tool_call_id }) });
  }
}

function previewOf(event: CodeliaEvent<"permission.preview">): Happening {
  const { type: _type, tool, truncated, summary, ...rest } = event;
  const { tool_call_id: toolCallId, file_path: filePath, language, diff, ...others } = rest;
  const said = [summary ?? "", ...unknownFieldLines(others, [])].filter(Boolean).join("\n");
  const shown = present({ toolCallId, filePath, language, diff, summary: said || undefined });
  return { type: "permission.previewed", tool, truncated: truncated === true, ...shown };
}

function retryNews(event: CodeliaEvent<"llm.retry">): Happening[] {
  const { provider, failure_kind, next_attempt: attempt = 1, max_attempts, delay_ms = 0, status } = event;
  const what = [provider ?? "the model", failure_kind ?? "did not answer", status ?? ""].filter(Boolean).join(" ");
  return retryNotices(what, { attempt, attemptsMax: max_attempts, delayMs: delay_ms, isFirst: attempt <= 2 });
}

// Text, or an object with a type; anything else is shown as JSON.
function outputOf(result: unknown): ToolOutput {
  if (result === undefined || result === null) return null;
  if (typeof result === "string") return result;
  const { type, text, value, parts } = result as JsonObject;
  if (type === "text" && typeof text === "string") return text;
  if (type === "json") return JSON.stringify(value, null, 2) ?? null;
  if (type === "parts" && Array.isArray(parts)) {
    return parts.map((part: JsonObject | null) => (typeof part?.text === "string" ? part.text : "")).join("");
  }
  return JSON.stringify(result, null, 2);
}
