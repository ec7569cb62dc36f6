// pi in RPC mode: the requests at the start, its events, and when a prompt is done. pi itself asks for no permissions; its
// extensions ask through the extension UI.

import type { Ask } from "../../../contract/asks.js";
import { plainWord } from "../../../contract/plain-word.js";
import { COMPACTING, notice } from "../agent-notices.js";
import type { Dialect, DialectOptions, Wire } from "../dialect.js";
import { takeByType } from "../frame-table.js";
import { type JsonObject, whatIsWrong } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { isYes, type PendingAsks } from "../pending-asks.js";
import type { Happening, StepBuilder } from "../step-builder.js";
import { inputDetails } from "../tool-inputs.js";
import { PiCommands } from "./pi-commands.js";
import { type PiData, type PiFrame, type PiUi, piDataSchemas, piFrameSchemas, piUiSchemas } from "./pi-frames.js";
import {
  asideOf,
  changesOf,
  compactionEnded,
  extensionFailed,
  messageOf,
  outputOf,
  queueChanged,
  quietTypes,
  retryBegun,
  retryEnded,
} from "./pi-messages.js";
import type { RunVerdict } from "./pi-run.js";
import { modelName } from "./pi-settings.js";

const CUT = "the answer was cut off at the model's output limit";

type FrameType = keyof typeof piFrameSchemas;

export function createPiDialect(options: Pick<DialectOptions, "resume"> = {}): Dialect {
  return new PiDialect(options);
}

export const wire: Wire = { create: createPiDialect, args: piArguments };

function piArguments(given: readonly string[], { resume }: Pick<DialectOptions, "resume">): string[] {
  const isRpc = given.some((arg) => arg === "--mode" || arg.startsWith("--mode="));
  const mode = isRpc ? [] : ["--mode", "rpc"];
  return [...given, ...mode, ...(resume === undefined ? [] : ["--session", resume])];
}

class PiDialect extends PiCommands {
  private readonly isResumed: boolean;
  private readonly ui = new ExtensionUi(this.out, this.asks);
  /** Why the last round failed; reported when pi does not retry. */
  private failure: string | null = null;
  /** From a stop until the run ends. */
  private isStopping = false;

  private readonly takers: { readonly [Type in FrameType]: (frame: PiFrame<Type>) => void } = {
    response: (frame) => this.requests.take(frame),
    agent_start: () => {
      this.beginRun();
      this.run.roundBegan();
    },
    agent_end: ({ willRetry }) => this.follow(this.run.roundEnded(willRetry)),
    agent_settled: () => this.follow(this.run.settled()),
    turn_start: () => {
      this.out.tell({ type: "turn.started" });
      this.stopAgain();
    },
    turn_end: () => this.out.tell({ type: "turn.finished" }),
    message_start: (frame) => this.beginMessage(frame),
    message_update: (frame) => this.growMessage(frame),
    message_end: (frame) => this.endMessage(frame),
    tool_execution_start: (frame) => this.beginTool(frame),
    tool_execution_update: ({ toolCallId, toolName, partialResult }) =>
      this.out.tell({ type: "tool.updated", toolCallId, name: toolName, output: outputOf(partialResult) }),
    tool_execution_end: (frame) => this.endTool(frame),
    queue_update: (frame) => {
      this.run.queueChanged(frame.steering.length + frame.followUp.length);
      this.out.tell(...queueChanged(frame));
    },
    compaction_start: () => this.out.tell({ type: "working.changed", message: COMPACTING }),
    compaction_end: (frame) => this.endCompaction(frame),
    auto_compaction_start: () => this.takers.compaction_start({}),
    auto_compaction_end: (frame) => this.endCompaction(frame),
    auto_retry_start: (frame) => {
      this.failure = null;
      this.beginRun();
      this.out.tell(...retryBegun(frame));
    },
    auto_retry_end: (frame) => {
      if (frame.finalError !== undefined) this.failure = null;
      this.endPause(() => this.out.tell(...retryEnded(frame)));
    },
    summarization_retry_scheduled: (frame) => this.out.tell(...retryBegun(frame)),
    summarization_retry_finished: () => this.out.tell({ type: "working.changed", message: null }),
    extension_error: (frame) => this.out.tell(...extensionFailed(frame)),
    thinking_level_changed: ({ level }) => {
      this.settings.level = level;
      this.tellSettings();
    },
    bash_execution_update: ({ delta }) => this.out.tell({ type: "log.written", stream: "stdout", text: delta }),
    extension_ui_request: (frame) => {
      this.ui.take(frame, this.nowMs);
      this.stopAgain();
    },
  };
  private readonly table = { noun: "frame", schemas: piFrameSchemas, takers: this.takers };

  constructor({ resume }: Pick<DialectOptions, "resume">) {
    super();
    this.isResumed = resume !== undefined;
  }

  protected start(): void {
    this.askForSession(this.isResumed ? "resumed" : "first");
    this.askForCommands();
    this.askForModels();
    this.askForLevels();
    this.expectReady("pi has not answered for 30 s");
  }

  protected override sayGoodbye(): void {
    if (this.run.open) this.requests.send({ type: "abort" });
  }

  protected override end(): void {
    if (this.run.end()) this.out.tell({ type: "prompt.finished", isCutOff: true });
  }

  protected readFrame(frame: JsonObject): void {
    const type = plainWord(frame.type);
    if (!quietTypes.has(type)) takeByType(this.table, this.out, type, frame);
  }

  protected abort(): void {
    this.isStopping = this.run.open;
    if (this.isStopping) this.requests.send({ type: "abort" });
    this.asks.giveUp("turn_ended");
  }

  // pi misses an abort between a refused tool and the next turn, so it is sent again.
  private stopAgain(): void {
    if (this.isStopping) this.abort();
  }

  private follow(verdict: RunVerdict): void {
    if (verdict === "done") this.endRun();
    else if (verdict === "ask for the state") {
      this.requests.send({ type: "get_state" }, (answer) => {
        if (answer.ok) this.follow(this.run.stateReported({ isIdle: isIdle(answer.data) }));
      });
    }
  }

  private endPause(tell: () => void): void {
    tell();
    this.follow(this.run.pauseEnded());
  }

  // A compaction with willRetry is followed by another round.
  private endCompaction(frame: PiFrame<"compaction_end">): void {
    const tell = () => this.out.tell(...compactionEnded(frame));
    if (frame["willRetry"] === true) tell();
    else this.endPause(tell);
  }

  protected beginRun(): void {
    if (this.run.begin()) this.out.tell({ type: "prompt.started" });
  }

  protected endRun(): void {
    if (this.failure !== null) this.out.tell({ type: "agent.failed", message: this.failure });
    this.failure = null;
    this.isStopping = false;
    if (!this.run.end()) return;
    this.out.tell({ type: "prompt.finished" });
    this.askForUsage();
  }

  /** pi's state names the session; the first one makes pi ready. */
  protected askForSession(kind: "first" | "resumed" | "new" | "loaded" | "cleared"): void {
    this.requests.send({ type: "get_state" }, (answer) => {
      const { data } = piDataSchemas.get_state.safeParse(answer.ok ? answer.data : {});
      if (!answer.ok)
        this.out.tell({ type: "command.failed", message: `pi did not report its state: ${answer.error}` });
      const { sessionId } = this.out;
      this.takeState(data ?? {});
      if (kind === "cleared") {
        const replacedBy = this.out.sessionId ?? undefined;
        this.out.event({ type: "session.cleared", sessionId, ...present({ replacedBy }) });
      }
      if (kind === "new" || kind === "loaded") {
        this.out.tell({ type: "session.started" }, { type: "session.activated" });
      }
      if (kind === "resumed" || kind === "loaded") this.askForHistory();
    });
  }

  private takeState(state: PiData<"get_state">): void {
    const { model = null } = state;
    this.out.sessionId = state.sessionId ?? this.out.sessionId;
    this.settings.model = model;
    this.settings.level = state.thinkingLevel ?? "";
    if (!this.isReady) {
      this.isReady = true;
      const named = present({ model: model === null ? undefined : modelName(model) });
      this.out.tell({ type: "agent.readied", ui: true, protocolVersion: "rpc", images: true, ...named });
    }
    this.tellSettings();
  }

  private beginMessage(frame: PiFrame<"message_start">): void {
    const message = messageOf(frame.message);
    if (message !== null && message.role !== "tool_result") this.out.tell({ type: "message.started", message });
  }

  private growMessage({ assistantMessageEvent: event }: PiFrame<"message_update">): void {
    const kind = event.type === "text_delta" ? "text" : event.type === "thinking_delta" ? "thinking" : null;
    if (kind === null || event.delta === undefined || event.delta === "") return;
    this.out.tell({ type: "message.grew", index: event.contentIndex ?? 0, kind, delta: event.delta });
  }

  private endMessage(frame: PiFrame<"message_end">): void {
    const message = messageOf(frame.message);
    const aside = asideOf(frame.message);
    if (message !== null) this.out.tell({ type: "message.finished", message });
    else if (aside !== "") this.out.tell(notice("info", aside));
    const { stopReason, errorMessage } = frame.message;
    if (stopReason === "error") this.failure = errorMessage ?? "the model failed";
    else if (stopReason === "length") this.out.tell(notice("warn", CUT));
    else if (stopReason !== "aborted") this.failure = null;
    else if (!this.isStopping) this.out.tell(notice("info", "interrupted"));
  }

  private beginTool({ toolCallId, toolName, args }: PiFrame<"tool_execution_start">): void {
    const changed = filled({ changes: changesOf(toolName, args) });
    this.out.tell({ type: "tool.started", toolCallId, name: toolName, args: args ?? null, ...changed });
  }

  private endTool({ toolCallId, toolName, result, isError }: PiFrame<"tool_execution_end">): void {
    const ended = { toolCallId, name: toolName, output: outputOf(result), isError: isError === true };
    this.out.tell({ type: "tool.finished", ...ended });
  }
}

function isIdle(state: unknown): boolean {
  const { data } = piDataSchemas.get_state.safeParse(state);
  return data?.isStreaming !== true && data?.isCompacting !== true && (data?.pendingMessageCount ?? 0) === 0;
}

// Requests of pi's extensions. Four kinds block the extension until they are answered; the others only show something. A
// request of an unknown kind is cancelled, so that the extension does not wait for ever.

type Method = keyof typeof piUiSchemas;

/** A dialog, or what is shown. */
type Shown = { readonly ask: Ask["question"] } | { readonly tell: Happening };

const dialogs: ReadonlySet<string> = new Set(["select", "confirm", "input", "editor"]);

// Each for the params that fit the schema of its method.
const shownAs: { readonly [Known in Method]: (params: PiUi<Known>) => Shown } = {
  select: ({ title, options }) => {
    const choices = options.map((option) => ({ label: option, value: option }));
    return { ask: { kind: "select", params: { ...headOf(title), options: choices } } };
  },
  confirm: (params) => {
    const { title, message } = headOf(params.title);
    const words = [message, params.message].filter(Boolean).join("\n");
    const details = inputDetails(params, CONFIRM_FIELDS);
    const opts = details.length === 0 ? undefined : { details };
    return { ask: { kind: "confirm", params: { title, ...filled({ message: words, opts }) } } };
  },
  input: ({ title, placeholder }) => ({
    ask: { kind: "input", params: { ...headOf(title), ...present({ placeholder }) } },
  }),
  editor: ({ title, prefill }) => ({ ask: { kind: "editor", params: { ...headOf(title), ...present({ prefill }) } } }),
  notify: ({ message, notifyType = "" }) => {
    const level = notifyType === "error" ? "error" : notifyType.startsWith("warn") ? "warn" : "info";
    return { tell: { type: "notice.shown", level, message } };
  },
  setStatus: ({ statusKey: key, statusText: text = null }) => ({ tell: { type: "status.changed", key, text } }),
  setWidget: ({ widgetKey: key, widgetLines: lines = null, widgetPlacement }) => {
    const placement = widgetPlacement === "belowEditor" ? "below" : "above";
    return { tell: { type: "widget.changed", key, lines, placement } };
  },
  setTitle: ({ title }) => ({ tell: { type: "title.changed", title } }),
  set_editor_text: ({ text }) => ({ tell: { type: "editor-text.changed", text } }),
};

/** Fields that the dialog shows; others become details. */
const CONFIRM_FIELDS = ["type", "id", "method", "title", "message", "timeout"];

// Extensions put paragraphs into the title: its first line is the title, the rest the message.
function headOf(words: string): { title: string; message?: string } {
  const [title = "", ...rest] = words.split("\n");
  return { title: title.trim(), ...filled({ message: rest.join("\n").replace(/^\n+|\s+$/g, "") }) };
}

class ExtensionUi {
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;

  constructor(out: StepBuilder, asks: PendingAsks) {
    this.out = out;
    this.asks = asks;
  }

  take(frame: PiFrame<"extension_ui_request">, nowMs: number): void {
    const { id, method } = frame;
    const isKnown = Object.hasOwn(piUiSchemas, method);
    const parsed = isKnown ? piUiSchemas[method as Method].safeParse(frame) : null;
    if (parsed === null) this.out.unknown("extension request", method, frame);
    else if (!parsed.success) {
      this.out.tell({ type: "fault.reported", fault: whatIsWrong(method, parsed.error, frame) });
    } else {
      const shown = shownAs[method as Method](parsed.data as never);
      const { timeout } = parsed.data as Partial<PiUi<"select">>;
      if ("tell" in shown) this.out.tell(shown.tell);
      else this.ask(id, shown.ask, timeout === undefined ? null : nowMs + timeout);
      return;
    }
    if (!isKnown || dialogs.has(method)) this.cancel(id);
  }

  private ask(id: string, question: Ask["question"], deadlineMs: number | null): void {
    this.asks.raise({ id, origin: { kind: "agent" }, question, deadlineMs }, (answer) => {
      const value = answer.kind === "answered" ? answer.value : null;
      const response = { type: "extension_ui_response", id };
      if (question.kind === "confirm" && value !== null) this.out.send({ ...response, confirmed: isYes(value) });
      else if (typeof value === "string") this.out.send({ ...response, value });
      else this.cancel(id);
    });
  }

  private cancel(id: string): void {
    this.out.send({ type: "extension_ui_response", id, cancelled: true });
  }
}
