// One session of the agent: a folder, a model, a conversation, its permissions, and at most one prompt at work with one
// more waiting. What it does with the outside goes through ports; several sessions live side by side and share nothing.
import type { AgentEvent } from "../../contract/agent-events.js";
import type { UI } from "../../sdk/ui.js";
import type { Clock } from "../../system/timers.js";
import { type PromptPorts, runPrompt } from "../loop/prompt-run.js";
import { type Model, modelName } from "../models/model.js";
import type { SessionSandbox } from "../permission/sandbox-exit.js";
import type { SessionPermissions } from "../permission/session-permissions.js";
import { createAskTool } from "../person/ask-tool.js";
import { createPlanTool } from "../person/plan-tool.js";
import type { Questions } from "../questions.js";
import type { Tool } from "../tool.js";
import { compact } from "./compaction.js";
import { ContextGauge } from "./context-gauge.js";
import type { Conversation } from "./conversation.js";
import type { SessionFile } from "./session-file.js";
import { SessionStats } from "./session-stats.js";
import { systemPrompt } from "./system-prompt.js";

/** What depends on what the front end said it can do; it may say so at any time. */
export type Agreements = Pick<PromptPorts, "updates" | "preflight">;

export type AgentSessionParts = {
  readonly id: string;
  readonly folder: string;
  readonly file: SessionFile;
  readonly conversation: Conversation;
  readonly permissions: SessionPermissions;
  readonly tools: readonly Tool[];
  readonly ui: UI;
  readonly questions: Questions;
  /** Where its commands run; as they are, when it is left out. */
  readonly sandbox?: SessionSandbox | undefined;
  readonly clock: Clock;
  readonly emit: PromptPorts["emit"];
  agreements(): Agreements;
  /** In place of the agent's own words about itself. */
  readonly systemPrompt: string | undefined;
};

const TURNS_MAX_DEFAULT = 100;

export class AgentSession {
  readonly id: string;
  readonly folder: string;
  readonly permissions: SessionPermissions;
  readonly #parts: AgentSessionParts;
  readonly #tools: readonly Tool[];
  readonly #stats = new SessionStats();
  readonly #gauge = new ContextGauge();
  turnsMax = TURNS_MAX_DEFAULT;
  #model: Model;
  #isWorking = false;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | null = null;
  #waiting: string | null = null;

  constructor(model: Model, parts: AgentSessionParts) {
    this.id = parts.id;
    this.folder = parts.folder;
    this.permissions = parts.permissions;
    this.#parts = parts;
    this.#model = model;
    this.#tools = [...parts.tools, createAskTool(parts.questions), createPlanTool(parts.ui)];
  }

  get model(): Model {
    return this.#model;
  }

  get isStreaming(): boolean {
    return this.#isWorking;
  }

  get messages(): Conversation["messages"] {
    return this.#parts.conversation.messages;
  }

  /** One prompt may wait for the one at work; "busy" when one does already. */
  prompt(text: string): "started" | "queued" | "busy" {
    if (this.#running === null) {
      this.#start(text);
      return "started";
    }
    if (this.#waiting !== null) return "busy";
    this.#waiting = text;
    return "queued";
  }

  /** Stops the prompt at work, and drops the one that waits: whoever says stop means both. */
  abort(reason: string): void {
    if (this.#waiting !== null) this.#parts.ui.notify("the prompt that was waiting is dropped", "info");
    this.#waiting = null;
    this.#running?.stop.abort(reason);
  }

  /** Resolves when nothing is at work and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running.done;
  }

  async reset(): Promise<void> {
    this.abort("reset");
    await this.idle();
    await this.#parts.conversation.reset();
    this.#gauge.forget();
    this.#parts.ui.setWidget("plan", null);
  }

  async useModel(model: Model): Promise<void> {
    this.#model = model;
    this.#gauge.forget();
    await this.#parts.conversation.useModel(modelName(model));
  }

  async save(): Promise<{ ok: boolean; path: string; error: string | null }> {
    const error = await this.#parts.file.save();
    return { ok: error === null, path: this.#parts.file.path, error };
  }

  async close(reason: string): Promise<void> {
    this.abort(reason);
    await this.idle();
    this.#parts.sandbox?.box.close();
    await this.#parts.file.close();
  }

  stats(): Record<string, unknown> {
    const { prompts, turns, toolCalls, usage } = this.#stats;
    return {
      prompts,
      turns,
      tool_calls: toolCalls,
      messages: this.messages.length,
      ...usage,
      context: { used: this.#gauge.tokens(this.messages), size: this.#model.contextTokens },
      model: modelName(this.#model),
    };
  }

  #start(text: string): void {
    const stop = new AbortController();
    this.#isWorking = true;
    const work = text.trim() === "/compact" ? this.#compactNow(stop.signal) : this.#run(text, stop.signal);
    const failed = (error: unknown) => this.#emit({ type: "error", data: [String(error)] });
    const done = work.catch(failed).finally(() => {
      // Whatever the prompt left open is closed with it.
      stop.abort("turn_ended");
      this.#running = null;
      const next = this.#waiting;
      this.#waiting = null;
      if (next !== null) this.#start(next);
    });
    this.#running = { stop, done };
  }

  async #run(text: string, signal: AbortSignal): Promise<void> {
    const { folder, conversation, permissions, questions, ui, clock, agreements, sandbox } = this.#parts;
    const emit = (event: AgentEvent) => this.#emit(event);
    const facts = {
      folder,
      platform: process.platform,
      dateMs: clock.nowMs(),
      sandbox: sandbox === undefined ? "off" : "on",
    } as const;
    const system = await systemPrompt(facts, this.#parts.systemPrompt);
    await runPrompt(
      {
        text,
        model: this.#model,
        system,
        tools: this.#tools,
        conversation,
        gauge: this.#gauge,
        stats: this.#stats,
        signal,
        turnsMax: this.turnsMax,
      },
      { emit, ui, clock, questions, sandbox, folder, policy: permissions, chance: Math.random, ...agreements() },
    );
  }

  // The person wants room now, whatever the gauge says.
  async #compactNow(signal: AbortSignal): Promise<void> {
    const { conversation, clock, ui } = this.#parts;
    await this.#emit({ type: "agent_start" });
    const outcome = await compact(conversation, this.#model, {
      occasion: "wished",
      signal,
      clock,
      onUsage: (usage) => this.#stats.count(usage),
    });
    this.#gauge.forget();
    ui.notify(
      outcome === "nothing to do" ? "there is nothing to make room for" : `the older conversation was ${outcome}`,
      "info",
    );
    await this.#emit({ type: "agent_end", data: [[]] });
  }

  // Whoever hears of the end finds that it is over.
  #emit(event: AgentEvent): Promise<void> {
    if (event.type === "agent_end") this.#isWorking = false;
    return this.#parts.emit(event);
  }
}
