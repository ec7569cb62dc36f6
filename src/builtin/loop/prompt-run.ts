// The life of one prompt: rounds with the model and its tools until the model has nothing more to do, the person stops it,
// or something fails. However it ends, the conversation is one that a model accepts.
//
//   prompt → [ model → tool calls → results ] → … → answer

import * as z from "zod";
import type { Usage } from "../../contract/messages.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { SessionFront, TurnResult } from "../../sdk/exports.js";
import type { Model, ToolDescription } from "../models/model.js";
import { compact, fittedAnswer, isFull } from "../session/compaction.js";
import type { Conversation } from "../session/conversation.js";
import { type HistoryMessage, toolCallsOf, userMessage } from "../session/history.js";
import { type ContextGauge, type SessionStats, sumOfUsage } from "../session/session-stats.js";
import type { Tool } from "../tool.js";
import { modelTurn, type TurnOutcome, type TurnPorts } from "./model-turn.js";
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
      await emit({ type: "message_start", data: [prompt] });
      await emit({ type: "message_end", data: [prompt] });
      await this.#add(prompt);
      await this.#rounds();
    } catch (error) {
      await emit({ type: "error", data: [errorMessage(error)] });
    }
    this.#added.push(...(await conversation.settle()));
    return { messages: this.#added, usage: this.#usage };
  }

  async #rounds(): Promise<void> {
    const { signal, turnsMax } = this.#options;
    for (let turn = 1; turn <= turnsMax; turn += 1) {
      if ((await this.#round()) === "over" || signal.aborted) return;
    }
    this.#ports.ui.notify(`stopped after ${turnsMax} rounds; say "go on" to continue`, "warn");
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
    await emit({ type: "turn_end", data: [message, results] });
    if (outcome.end === "failed") await emit({ type: "error", data: [outcome.error.message] });
    return round?.end === "go on" ? "go on" : "over";
  }

  // What the model cannot read any more is made shorter, once, before it is told to the person as a failure.
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
    this.#ports.ui.notify(`context was ${percent} % full; the beginning of the conversation was ${outcome}`, "info");
    return "made";
  }

  #count(usage: Usage): void {
    this.#options.stats.count(usage);
    this.#usage = sumOfUsage(this.#usage, usage);
  }

  #warnAbout(stopReason: string): void {
    if (stopReason === "length") this.#ports.ui.notify("the answer was cut: it reached the model's limit", "warn");
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
