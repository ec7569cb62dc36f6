// Claude Code over `claude -p` with stream-json both ways: handshake, prompts and their ends, interrupts, and which part
// handles which frame.
//
//   initialize → agent.readied        user frame → prompt.started … result → prompt.finished
//   can_use_tool, elicitation → ask   interrupt  → result with terminal_reason "aborted…"

import type { LinesCommand } from "../../../contract/lines-commands.js";
import { textOf } from "../../../contract/message-parts.js";
import { plainWord } from "../../../contract/plain-word.js";
import { notice } from "../agent-notices.js";
import type { Dialect, DialectOptions, Wire } from "../dialect.js";
import { DialectBase, type PlainCommand } from "../dialect-base.js";
import { takeByType } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { type CommandHandlers, handleCommand, refuse, tellAnswer } from "../front-end-commands.js";
import { ClaudeSettings, claudeArguments, modelIn } from "./claude-arguments.js";
import { type ClaudeFrame, claudeFrameSchemas, claudeInitializedSchema } from "./claude-frames.js";
import { ClaudeMessages, pastFrames } from "./claude-messages.js";
import { authNews, ClaudeLedger, cutOf, failureOf, quietTypes, rateLimitNews, tellNews } from "./claude-news.js";
import { ClaudeRequests } from "./claude-requests.js";
import { ClaudeTools } from "./claude-tools.js";
import { ControlChannel } from "./control-channel.js";

const STOP_WAIT_MS = 10_000;
const BUSY = "Claude is busy; stop it before you clear the conversation";
/** Claude's own command for a new conversation under a new id; the old one can be resumed. */
const CLEAR = "/clear";
const NO_LOGIN = /\s*(?:·\s*)?Please run \/login\b/;
const LOGIN = ": run claude in another terminal and type /login there, then send your message again";
const INTERRUPTED = /^\[Request interrupted by user/;

type FrameType = keyof typeof claudeFrameSchemas;

export function createClaudeDialect(
  options: Pick<DialectOptions, "args" | "resume" | "history" | "workspace"> = {},
): Dialect {
  return new ClaudeDialect(options);
}

export const wire: Wire = { create: createClaudeDialect, args: claudeArguments };

class ClaudeDialect extends DialectBase {
  private readonly options: Parameters<typeof createClaudeDialect>[0];
  private readonly control = new ControlChannel(this.out);
  private readonly requests: ClaudeRequests;
  private readonly tools = new ClaudeTools(this.out);
  private readonly messages = new ClaudeMessages(this.out, this.tools);
  private readonly settings = new ClaudeSettings();
  private readonly ledger = new ClaudeLedger();
  private readonly takers: { readonly [Type in FrameType]: (frame: ClaudeFrame<Type>) => void } = {
    control_request: (frame) => this.requests.take(frame),
    control_response: (frame) => this.control.take(frame),
    control_cancel_request: (frame) => this.requests.cancel(frame),
    system: (frame) => this.takeSystem(frame),
    stream_event: (frame) => this.takeStream(frame),
    assistant: (frame) => this.takeAssistant(frame),
    user: (frame) => this.takeUser(frame),
    result: (frame) => this.takeResult(frame),
    conversation_reset: () => this.cleared(),
    rate_limit_event: (frame) => this.out.tell(...rateLimitNews(frame)),
    auth_status: (frame) => this.out.tell(...authNews(frame)),
  };
  private readonly table = { noun: "frame", schemas: claudeFrameSchemas, takers: this.takers };
  private readonly commands: CommandHandlers = {
    prompt: (command) => this.prompt(command),
    abort: () => this.interrupt(),
    set_config: ({ key, value }) => this.set(key, plainWord(value)),
    list_models: () => {
      const models = this.settings.models.map(({ value, label }) => ({ id: value, name: label }));
      tellAnswer(this.out, "models_list", { providers: [{ id: "anthropic", models }] });
    },
    stats: () => tellAnswer(this.out, "stats", { stats: this.lastUsage }),
    reset: () => this.clear(),
    start_session: (command) => this.startSession(command),
    list_sessions: () => refuse(this.out, "Claude does not list its sessions; palaver run claude --resume does"),
  };
  /** Claude was asked for an empty conversation and has not confirmed it. */
  private isClearing = false;
  private turn: { said: "nothing" | "something"; failure: string | null; isStopping: boolean } | null = null;
  private lastUsage: JsonObject = {};
  private readonly foreground = new Set<string>();

  constructor(options: Parameters<typeof createClaudeDialect>[0]) {
    super();
    this.options = options;
    this.requests = new ClaudeRequests(this.out, this.asks, this.control, options?.workspace);
  }

  protected start(): void {
    this.control.request({ subtype: "initialize", hooks: null }, (answer) => {
      if (!answer.ok)
        this.out.tell({ type: "command.failed", message: `Claude refused the handshake: ${answer.error}` });
      const initialized = claudeInitializedSchema.parse(answer.ok ? answer.response : {});
      this.settings.initialized(initialized, modelIn(this.options?.args ?? []));
      this.tellHistory();
      this.ready(initialized.claude_code_version);
      this.tellCommands(initialized.commands ?? []);
      this.tellSettings();
    });
    this.expectReady("Claude has not answered for 30 s; it may need a login or a key");
  }

  protected obey(command: PlainCommand): void {
    handleCommand(this.out, this.commands, command, {
      name: "Claude",
      capabilities: { supports_models: true, supports_config: true },
      settings: this.settings.all,
    });
  }

  protected override sayGoodbye(): void {
    if (this.turn !== null) this.control.request({ subtype: "interrupt" }, () => undefined);
  }

  protected override end(): void {
    this.messages.end();
    if (this.turn !== null) this.out.tell({ type: "prompt.finished", isCutOff: true });
    this.turn = null;
  }

  private prompt({ text, images }: Extract<LinesCommand, { type: "prompt" }>): void {
    const message = { role: "user", content: [{ type: "text", text }, ...imageBlocks(images)] };
    this.out.send({ type: "user", message, parent_tool_use_id: null, session_id: "" });
    this.beginTurn();
  }

  private clear(): void {
    if (this.turn !== null) {
      refuse(this.out, BUSY);
      return;
    }
    this.isClearing = true;
    this.prompt({ type: "prompt", text: CLEAR });
  }

  // Claude has one conversation per process, so a new one takes its place. The old one can be resumed.
  private startSession({ session_file, cwd }: Extract<LinesCommand, { type: "start_session" }>): void {
    if (session_file !== undefined) refuse(this.out, `Claude resumes a session at its start: --resume ${session_file}`);
    else if (cwd !== undefined && cwd !== this.options?.workspace)
      refuse(this.out, "Claude works in one folder; start palaver in the other one");
    else this.clear();
  }

  private cleared(): void {
    this.isClearing = false;
    this.ledger.clear();
    this.out.tell({ type: "session.cleared" });
    this.out.sessionId = null;
  }

  private beginTurn(): void {
    if (this.turn !== null) return;
    this.turn = { said: "nothing", failure: null, isStopping: false };
    this.out.tell({ type: "prompt.started" });
  }

  // Open asks are refused first, so that Claude is not waiting for an answer when the interrupt arrives.
  private interrupt(): void {
    this.asks.giveUp("turn_ended");
    if (this.turn === null || this.turn.isStopping) return;
    this.turn.isStopping = true;
    this.control.request({ subtype: "interrupt" }, (answer) => {
      if (!answer.ok) this.out.tell({ type: "command.failed", message: `Claude did not stop: ${answer.error}` });
    });
    this.effects.after(STOP_WAIT_MS, () => this.stopMissed(), "stop");
  }

  private stopMissed(): void {
    if (this.turn?.isStopping !== true) return;
    this.turn.isStopping = false;
    this.out.tell(notice("warn", "Claude has not stopped yet"));
  }

  private set(key: string, value: string): void {
    if (key !== "model" && key !== "mode") {
      refuse(this.out, `Claude has no setting "${key}"; it has model and mode`);
      return;
    }
    const request =
      key === "model" ? { subtype: "set_model", model: value } : { subtype: "set_permission_mode", mode: value };
    this.control.request(request, (answer) => {
      if (!answer.ok)
        this.out.tell({ type: "command.failed", message: `Claude did not change its ${key}: ${answer.error}` });
      else if (this.settings.change(key, value)) this.tellSettings();
    });
  }

  protected readFrame(frame: JsonObject): void {
    const type = plainWord(frame.type);
    if (!quietTypes.has(type)) takeByType(this.table, this.out, type, frame);
  }

  private takeSystem(frame: ClaudeFrame<"system">): void {
    if (frame.subtype === "init") this.takeSession(frame);
    else if (frame.subtype === "commands_changed") this.tellCommands(frame.commands ?? []);
    else if (frame.subtype === "elicitation_complete") this.requests.endVisit(frame.elicitation_id ?? "");
    else if (!tellNews(this.out, frame, this.foreground)) this.out.unknown("news", frame.subtype, frame);
    if (this.settings.change("mode", frame.permissionMode ?? "")) this.tellSettings();
  }

  private takeSession(frame: ClaudeFrame<"system">): void {
    const { session_id = null, cwd, model = "", slash_commands = [], claude_code_version } = frame;
    const isNew = this.out.sessionId !== session_id;
    // Older versions only name the new conversation.
    if (isNew && this.isClearing) this.cleared();
    this.out.sessionId = session_id;
    if (!this.isReady) {
      this.ready(claude_code_version);
      this.tellCommands(slash_commands.map((name) => ({ name })));
    }
    if (isNew) this.out.tell({ type: "session.started", ...present({ cwd }) });
    if (this.settings.change("model", model)) this.tellSettings();
  }

  private takeStream({ event, parent_tool_use_id }: ClaudeFrame<"stream_event">): void {
    // Messages of a sub-agent also come whole, and become the output of its tool call.
    if (typeof parent_tool_use_id === "string") return;
    this.ledger.called(event.message?.usage);
    if (event.type === "message_start") this.beginTurn();
    if (event.type === "content_block_delta") this.say();
    this.messages.stream(event);
  }

  private takeAssistant(frame: ClaudeFrame<"assistant">): void {
    if (typeof frame.parent_tool_use_id === "string") this.tools.subAgentSaid(frame.parent_tool_use_id, frame);
    else if (frame.error !== undefined) this.fail(textOf(frame.message.content) || frame.error.replaceAll("_", " "));
    else {
      this.ledger.called(frame.message.usage);
      this.say();
      this.messages.take(frame);
    }
  }

  private takeUser(frame: ClaudeFrame<"user">): void {
    const { content } = frame.message;
    const isSubAgents = typeof frame.parent_tool_use_id === "string";
    if (isSubAgents || frame.isReplay === true || frame.isSynthetic === true) return;
    const text = textOf(content);
    const results = typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result");
    // The frame has one structured result, which fits only a single tool result.
    for (const result of results) {
      this.messages.end();
      const turn = this.turn?.isStopping === true ? "stopping" : "running";
      this.tools.finish(result, results.length === 1 ? frame.tool_use_result : undefined, turn);
    }
    if (text !== "") this.messages.end();
    if (INTERRUPTED.test(text)) {
      // After a "no", the row of the call says it.
      const isAfterTool = text.includes("for tool use");
      if (this.turn?.isStopping !== true && !isAfterTool) this.out.tell(notice("info", "interrupted"));
    } else if (text !== "") this.out.message({ role: "user", content: [{ type: "text", text }] });
  }

  private takeResult(frame: ClaudeFrame<"result">): void {
    const turn = this.turn;
    this.messages.end();
    if (this.isClearing) this.out.tell({ type: "command.failed", message: "Claude did not clear its conversation" });
    this.isClearing = false;
    const failure = failureOf(frame);
    if (failure !== null) this.fail(failure);
    else if (turn?.said === "nothing" && frame.result !== undefined && frame.result !== "")
      this.out.message({ role: "assistant", content: [{ type: "text", text: frame.result }] });
    const cut = failure === null ? cutOf(frame) : null;
    if (cut !== null) this.out.tell(notice("warn", cut));
    this.asks.giveUp("turn_ended");
    const { prompt, session } = this.ledger.turn(frame);
    const context = this.ledger.window(frame);
    this.lastUsage = session;
    this.out.tell({ type: "usage.changed", usage: session, ...filled({ context }) });
    // A result without a prompt reports a failed start, such as an unknown session.
    if (turn !== null) this.out.tell({ type: "prompt.finished", usage: prompt });
    this.turn = null;
    if ((frame.queued_turn_count ?? 0) > 0) this.beginTurn();
  }

  private ready(version: string | undefined): void {
    if (this.isReady) return;
    this.isReady = true;
    const { model } = this.settings;
    const protocolVersion = version ?? "stream-json";
    this.out.tell({ type: "agent.readied", ui: true, protocolVersion, images: true, ...filled({ model }) });
  }

  // The session keeps its id, which Claude itself tells with the first prompt.
  private tellHistory(): void {
    const { resume, history, workspace: cwd } = this.options ?? {};
    if (resume === undefined || history === undefined) return;
    this.out.sessionId = resume;
    this.out.tell({ type: "session.started", ...present({ cwd }) });
    const { frames, isCut } = pastFrames(history.lines);
    if (isCut || history.isCut) this.out.tell(notice("info", "earlier messages are not shown"));
    for (const past of frames) {
      if (past.type === "assistant") this.messages.take(past.frame);
      else this.takeUser(past.frame);
    }
    this.messages.end();
  }

  // Claude may start a turn itself, for instance when a background task is done.
  private say(): void {
    this.beginTurn();
    if (this.turn !== null) this.turn.said = "something";
  }

  // Claude reports a failure as a message and again with the result.
  private fail(told: string): void {
    // Its own login is a screen that it has only without us.
    const message = NO_LOGIN.test(told) ? `${told.replace(NO_LOGIN, "")}${LOGIN}` : told;
    if (this.turn?.failure === message) return;
    if (this.turn !== null) this.turn = { ...this.turn, said: "something", failure: message };
    this.out.tell({ type: "agent.failed", message });
  }

  private tellCommands(listed: NonNullable<ClaudeFrame<"system">["commands"]>): void {
    const commands = listed.map(({ name, description: summary = "", argumentHint: hint }) => ({
      ...{ name, summary },
      ...filled({ hint }),
    }));
    if (commands.length > 0) this.out.tell({ type: "commands.changed", commands });
  }

  private tellSettings(): void {
    this.out.tell({ type: "settings.changed", settings: this.settings.all });
  }
}

function imageBlocks(images: unknown): JsonObject[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: JsonObject | null) => {
    const { data, mime_type = "image/png" } = image ?? {};
    return typeof data === "string" ? [{ type: "image", source: { type: "base64", media_type: mime_type, data } }] : [];
  });
}
