// One session of the agent: a folder, a model, a conversation, its permissions and its settings. What it does with the
// outside goes through ports; several sessions live side by side and share nothing.
import type { LinesSession, SessionFront, SessionSetting, Turn, TurnResult } from "../../sdk/exports.js";
import type { Clock } from "../../system/timers.js";
import { runPrompt } from "../loop/prompt-run.js";
import { type Model, modelName } from "../models/model.js";
import type { SessionSandbox } from "../permission/permission-gate.js";
import type { SessionPermissions } from "../permission/session-permissions.js";
import { createAskTool, createPlanTool } from "../person-tools.js";
import type { Tool } from "../tool.js";
import { compact } from "./compaction.js";
import type { Conversation } from "./conversation.js";
import type { SessionFile } from "./session-file.js";
import { ContextGauge, SessionStats } from "./session-stats.js";
import { systemPrompt } from "./system-prompt.js";

export type AgentSessionParts = {
  readonly id: string;
  readonly folder: string;
  readonly file: SessionFile;
  readonly conversation: Conversation;
  readonly permissions: SessionPermissions;
  readonly tools: readonly Tool[];
  readonly ui: SessionFront["ui"];
  /** Where its commands run; as they are, when it is left out. */
  readonly sandbox?: SessionSandbox | undefined;
  readonly clock: Clock;
  /** Opens a model by the name the person gave; rejects, in words. */
  openModel(name: string): Promise<Model>;
  /** In place of the agent's own words about itself. */
  readonly systemPrompt: string | undefined;
};

const TURNS_MAX_DEFAULT = 100;

export class AgentSession implements LinesSession {
  readonly id: string;
  readonly cwd: string;
  readonly settings: NonNullable<LinesSession["settings"]>;
  readonly #parts: AgentSessionParts;
  readonly #tools: readonly Tool[];
  readonly #stats = new SessionStats();
  readonly #gauge = new ContextGauge();
  #turnsMax = TURNS_MAX_DEFAULT;
  #model: Model;

  constructor(model: Model, parts: AgentSessionParts) {
    this.id = parts.id;
    this.cwd = parts.folder;
    this.settings = { model: this.#modelSetting(), read_only: readOnly(parts), max_turns: this.#maxTurns() };
    this.#parts = parts;
    this.#model = model;
    this.#tools = [...parts.tools, createAskTool(parts.ui), createPlanTool(parts.ui)];
  }

  get model(): Model {
    return this.#model;
  }

  get messages(): Conversation["messages"] {
    return this.#parts.conversation.messages;
  }

  onPrompt(turn: Turn): Promise<TurnResult> {
    return turn.text.trim() === "/compact" ? this.#compactNow(turn) : this.#run(turn);
  }

  async reset(): Promise<void> {
    await this.#parts.conversation.reset();
    this.#gauge.forget();
    this.#parts.ui.setWidget("plan", null);
  }

  async save(): Promise<{ ok: boolean; path: string; error: string | null }> {
    const error = await this.#parts.file.save();
    return { ok: error === null, path: this.#parts.file.path, error };
  }

  async close(): Promise<void> {
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

  async #run(turn: Turn): Promise<TurnResult> {
    const { folder, conversation, permissions: policy, clock, sandbox } = this.#parts;
    const facts = {
      folder,
      platform: process.platform,
      dateMs: clock.nowMs(),
      sandbox: sandbox === undefined ? "off" : "on",
    } as const;
    const options = {
      text: turn.text,
      model: this.#model,
      system: await systemPrompt(facts, this.#parts.systemPrompt),
      tools: this.#tools,
      conversation,
      gauge: this.#gauge,
      stats: this.#stats,
      signal: turn.signal,
      turnsMax: this.#turnsMax,
    };
    return runPrompt(options, { ...turn, clock, sandbox, folder, policy, chance: Math.random });
  }

  // The person wants room now, whatever the gauge says.
  async #compactNow({ signal, ui }: Turn): Promise<TurnResult> {
    const { conversation, clock } = this.#parts;
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
    return {};
  }

  #modelSetting(): SessionSetting {
    return {
      read: () => modelName(this.#model),
      write: async (value) => {
        if (typeof value !== "string") throw new Error("model wants provider:name");
        const model = await this.#parts.openModel(value);
        this.#model = model;
        this.#gauge.forget();
        await this.#parts.conversation.useModel(modelName(model));
      },
    };
  }

  #maxTurns(): SessionSetting {
    return {
      read: () => this.#turnsMax,
      write: (value) => {
        if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
          throw new Error("max_turns wants a number from 1 on");
        this.#turnsMax = value;
      },
    };
  }
}

function readOnly({ permissions }: AgentSessionParts): SessionSetting {
  return {
    read: () => permissions.mode === "read-only",
    write(value) {
      if (typeof value !== "boolean") throw new Error("read_only wants true or false");
      permissions.setMode(value ? "read-only" : "normal");
    },
  };
}
