// The life of one prompt: rounds with the model and its tools until the model has nothing more to do, the user stops it,
// or something fails. However it ends, the conversation is one that a model accepts.
//
//   prompt → [ model → tool calls → results ] → … → answer
import * as z from "zod";
import type { Usage } from "../../contract/messages.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { SessionFront, TurnResult, UI } from "../../sdk/exports.js";
import type { Clock } from "../../system/timers.js";
import {
  type Model,
  ModelError,
  type ModelPart,
  type ModelRequest,
  modelName,
  pauseBeforeRetryMs,
  type ToolDescription,
  TRIES_MAX,
} from "../models/model.js";
import { priced } from "../models/provider-table.js";
import { compact, fittedAnswer, isFull } from "../session/compaction.js";
import type { Conversation } from "../session/conversation.js";
import { type AssistantMessage, type HistoryMessage, toolCallsOf, userMessage } from "../session/history.js";
import { type ContextGauge, type SessionStats, sumOfUsage } from "../session/session-stats.js";
import type { Tool } from "../tool.js";
import { untilAborted } from "./stoppable-stream.js";
import { type RoundPorts, toolRound } from "./tool-round.js";

export type PromptPorts = TurnPorts & Pick<SessionFront, "emit"> & Omit<RoundPorts, "tools" | "signal">;

export type PromptOptions = {
  readonly text: string;
  readonly model: Model;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly conversation: Conversation;
  readonly gauge: ContextGauge;
  readonly stats: SessionStats;
  readonly signal: AbortSignal;
  readonly turnsMax: number;
};

export function runPrompt(options: PromptOptions, ports: PromptPorts): Promise<TurnResult> {
  return new PromptRun(options, ports).run();
}

class PromptRun {
  readonly #options: PromptOptions;
  readonly #ports: PromptPorts;
  readonly #added: HistoryMessage[] = [];
  #usage: Usage = {};

  constructor(options: PromptOptions, ports: PromptPorts) {
    this.#options = options;
    this.#ports = ports;
  }

  async run(): Promise<TurnResult> {
    const { emit, clock } = this.#ports;
    const { conversation, stats, text } = this.#options;
    stats.prompts += 1;
    try {
      const prompt = userMessage(text, clock.nowMs());
      await emit({ type: "message_start", message: prompt });
      await emit({ type: "message_end", message: prompt });
      await this.#add(prompt);
      await this.#rounds();
    } catch (error) {
      await emit({ type: "error", message: errorMessage(error) });
    }
    this.#added.push(...(await conversation.settle()));
    return { messages: this.#added, usage: this.#usage };
  }

  async #rounds(): Promise<void> {
    const { signal, turnsMax } = this.#options;
    for (let turn = 1; turn <= turnsMax; turn += 1) {
      if ((await this.#round()) === "over" || signal.aborted) return;
    }
    this.#ports.ui.notify(`stopped after ${turnsMax} rounds; send "continue" to resume`, "warn");
  }

  async #round(): Promise<"go on" | "over"> {
    const { stats, signal, tools, model } = this.#options;
    const { emit } = this.#ports;
    await this.#makeRoom("when full");
    if (signal.aborted) return "over";
    stats.turns += 1;
    await emit({ type: "turn_start" });
    const outcome = await this.#modelTurn();
    const { message } = outcome;
    const calls = outcome.end === "answered" ? toolCallsOf(message) : [];
    stats.toolCalls += calls.length;
    const round = calls.length === 0 ? null : await toolRound(calls, { ...this.#ports, tools, signal });
    const results = (round?.results ?? []).map((result) => fittedAnswer(result, model));
    for (const result of results) await this.#add(result);
    // A front end that hears that a turn is over may stop the agent: a prompt can have a hundred turns, and take hours.
    await this.#options.conversation.durable();
    await emit({ type: "turn_end", message, tool_results: results });
    if (outcome.end === "failed") await emit({ type: "error", message: outcome.error.message });
    return round?.end === "go on" ? "go on" : "over";
  }

  // What the model cannot read any more is made shorter, once, before it is told to the user as a failure.
  async #modelTurn(): Promise<TurnOutcome> {
    let outcome = await this.#oneTurn();
    if (outcome.end === "failed" && outcome.error.kind === "too-long" && (await this.#makeRoom("now")) === "made") {
      outcome = await this.#oneTurn();
    }
    const { message } = outcome;
    if (outcome.end !== "failed" && message.content.length > 0) await this.#add(message);
    if (outcome.end === "answered") this.#warnAbout(message.stop_reason);
    return outcome;
  }

  async #oneTurn(): Promise<TurnOutcome> {
    const { model, system, tools, conversation, signal, gauge } = this.#options;
    const request = { system, messages: conversation.messages, tools: describeTools(tools), signal };
    const outcome = await modelTurn(model, request, this.#ports);
    const { usage } = outcome.message;
    if (usage === undefined) return outcome;
    this.#count(usage);
    // The count includes the answer, which is about to be added.
    if (outcome.end === "answered") gauge.count(usage, [...conversation.messages, outcome.message]);
    return outcome;
  }

  async #makeRoom(when: "when full" | "now"): Promise<"made" | "not made"> {
    const { model, conversation, gauge, signal } = this.#options;
    const tokens = gauge.tokens(conversation.messages);
    if (when === "when full" && !isFull(tokens, model)) return "not made";
    const onUsage = (usage: Usage) => this.#count(usage);
    const outcome = await compact(conversation, model, { occasion: "full", signal, clock: this.#ports.clock, onUsage });
    if (outcome === "nothing to do") return "not made";
    gauge.forget();
    const percent = Math.min(100, Math.round((tokens / model.contextTokens) * 100));
    this.#ports.ui.notify(`the context was ${percent} % full; the older conversation was ${outcome}`, "info");
    return "made";
  }

  #count(usage: Usage): void {
    this.#options.stats.count(usage);
    this.#usage = sumOfUsage(this.#usage, usage);
  }

  #warnAbout(stopReason: string): void {
    if (stopReason === "length") this.#ports.ui.notify("the answer was cut off at the model's output limit", "warn");
    if (stopReason === "error") this.#ports.ui.notify("the model declined to answer this", "warn");
  }

  async #add(message: HistoryMessage): Promise<void> {
    this.#added.push(message);
    await this.#options.conversation.add(message);
  }
}

// A schema is translated once; tools are the same objects for the whole session.
const described = new WeakMap<Tool, ToolDescription>();

function describeTools(tools: readonly Tool[]): ToolDescription[] {
  return tools.map((tool) => {
    const known = described.get(tool);
    if (known !== undefined) return known;
    const { name, description } = tool;
    const { $schema, ...inputSchema } = z.toJSONSchema(tool.inputSchema, { io: "input" });
    const made = { name, description, inputSchema };
    described.set(tool, made);
    return made;
  });
}

// One round with the model: its parts become one message, streamed as it grows. A failure that may pass is tried again
// after a pause the user sees; one that came in the middle of the answer ends the broken message first. An abort ends
// the round at any point, also in a pause.
export type TurnPorts = Pick<SessionFront, "stream"> & {
  readonly ui: Pick<UI, "notify" | "setWorkingMessage">;
  readonly clock: Clock;
  /** From 0 to 1. */
  chance(): number;
};

export type TurnOutcome =
  | { readonly end: "answered" | "aborted"; readonly message: AssistantMessage }
  | { readonly end: "failed"; readonly message: AssistantMessage; readonly error: ModelError };

export async function modelTurn(model: Model, request: ModelRequest, ports: TurnPorts): Promise<TurnOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await oneTry(model, request, ports);
    if (outcome.end !== "failed") return outcome;
    const pauseMs = pauseBeforeRetryMs(outcome.error, tries, ports.chance());
    if (pauseMs === null || request.signal.aborted) return outcome;
    await pause(outcome.error, { pauseMs, nextTry: tries + 1 }, request.signal, ports);
    if (request.signal.aborted) return { end: "aborted", message: { ...outcome.message, stop_reason: "aborted" } };
  }
}

async function oneTry(model: Model, request: ModelRequest, ports: TurnPorts): Promise<TurnOutcome> {
  const { clock } = ports;
  const { signal } = request;
  const builder = new MessageBuilder({ provider: model.provider, model: model.id, timestamp: clock.nowMs() });
  const { message } = builder;
  const stream = ports.stream(message);
  let speaking = false;
  const begin = async () => {
    if (!speaking) await stream.start();
    speaking = true;
  };
  let error: ModelError | null = null;
  let finished = false;
  try {
    for await (const part of untilAborted(model.stream(request), { signal, clock })) {
      // The beginning is sent before the first part is in it: what grew is told by what follows.
      if (part.type !== "usage" && part.type !== "finish") await begin();
      const growth = builder.take(part);
      if (growth !== null) await stream.grew(growth.place, growth.kind, growth.delta);
      finished ||= part.type === "finish";
    }
    if (!finished && !signal.aborted) throw new ModelError("cut", `the answer from ${modelName(model)} was cut off`);
  } catch (thrown) {
    error = modelErrorOf(thrown);
  }
  if (message.usage !== undefined) message.usage = priced(model, message.usage);
  if (signal.aborted && !finished) message.stop_reason = "aborted";
  else if (error !== null) Object.assign(message, { stop_reason: "error", error_message: error.message });
  if (speaking) await stream.end();
  if (signal.aborted) return { end: "aborted", message };
  return error === null ? { end: "answered", message } : { end: "failed", message, error };
}

async function pause(
  error: ModelError,
  { pauseMs, nextTry }: { pauseMs: number; nextTry: number },
  signal: AbortSignal,
  { ui, clock }: TurnPorts,
): Promise<void> {
  const words = `${error.message}; trying again in ${seconds(pauseMs)} (${nextTry} of ${TRIES_MAX})`;
  ui.notify(words, "warn");
  ui.setWorkingMessage(words);
  await clock.wait(pauseMs, signal);
  ui.setWorkingMessage(null);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

function modelErrorOf(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  return new ModelError("refused", errorMessage(thrown), { cause: thrown });
}

type Growth = { readonly place: number; readonly kind: "text" | "thinking"; readonly delta: string };

// Puts the message together from the parts of a stream and says which part of it grew. The object stays the same while it
// grows, so that what streams it sees it whole at every moment.
class MessageBuilder {
  readonly message: AssistantMessage;

  constructor(head: Pick<AssistantMessage, "provider" | "model" | "timestamp">) {
    this.message = { role: "assistant", content: [], stop_reason: "stop", ...head };
  }

  /** Adds a part; says what grew when it is something to stream. */
  take(part: ModelPart): Growth | null {
    switch (part.type) {
      case "text":
        return this.#grow("text", part.delta);
      case "thinking":
        return this.#grow("thinking", part.delta);
      case "signature":
        this.#sign(part.signature);
        return null;
      case "tool-call":
        this.message.content.push({ type: "tool_call", id: part.id, name: part.name, arguments: part.input });
        return null;
      case "usage":
        this.message.usage = part.usage;
        return null;
      case "finish":
        this.message.stop_reason = part.reason === "refused" ? "error" : part.reason;
        return null;
    }
  }

  #grow(kind: Growth["kind"], delta: string): Growth | null {
    if (delta === "") return null;
    const { content } = this.message;
    const last = content.at(-1);
    if (last?.type !== kind) {
      content.push(kind === "text" ? { type: "text", text: delta } : { type: "thinking", thinking: delta });
    } else if (last.type === "text") last.text += delta;
    else last.thinking += delta;
    return { place: content.length - 1, kind, delta };
  }

  #sign(signature: unknown): void {
    const last = this.message.content.at(-1);
    if (last?.type === "thinking") last.signature = signature;
    else this.message.content.push({ type: "thinking", thinking: "", signature });
  }
}
