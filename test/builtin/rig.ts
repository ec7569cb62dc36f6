// The embedded agent in this process: its wire on two pipes, a stand-in for the model, a folder of its own, and a clock
// whose pauses take no time and are written down.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { openModel } from "../../src/builtin/models/open-model.js";
import { type AgentOptions, builtInTools, serveAgent } from "../../src/builtin/serve-agent.js";
import type { AgentEvent } from "../../src/contract/agent-events.js";
import type { LinesCommand } from "../../src/contract/lines-commands.js";
import type { LinesOutput, UiRequest } from "../../src/contract/lines-outputs.js";
import type { LayeredRule, PermissionMode } from "../../src/session/permission/policy.js";
import type { Clock } from "../../src/system/timers.js";
import { type ModelServer, startModelServer } from "../rigs/model-server/model-server.js";
import { createOutputDecoder } from "../rigs/output-decoder.js";

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palaver-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function freshModelServer(): Promise<ModelServer> {
  const server = await startModelServer();
  onTestFinished(async () => void (await server.close()));
  return server;
}

/** Longer waits than this are limits for something that never comes; they last until they are called off. */
const PAUSE_MS_MAX = 200_000;

export type TestClock = Clock & {
  /** The pauses so far. */
  readonly pauses: number[];
  /** From now on a pause lasts until its signal aborts. */
  holdPauses(): void;
};

export function testClock(): TestClock {
  const pauses: number[] = [];
  let held = false;
  return {
    pauses,
    holdPauses: () => {
      held = true;
    },
    nowMs: () => Date.now(),
    wait(delayMs, signal) {
      if (signal.aborted) return Promise.resolve();
      if (delayMs <= PAUSE_MS_MAX) pauses.push(delayMs);
      if (delayMs <= PAUSE_MS_MAX && !held) return Promise.resolve();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
  };
}

export type Frame<Type extends LinesOutput["type"]> = Extract<LinesOutput, { type: Type }>;

export class Agent {
  readonly frames: LinesOutput[] = [];
  readonly done: Promise<void>;
  readonly clock: TestClock;
  readonly output: PassThrough;
  bytes = 0;
  readonly #input = new PassThrough();
  #wake: () => void = () => {};
  #read = 0;

  constructor(options: Partial<AgentOptions> & Pick<AgentOptions, "folder" | "environment">) {
    const output = new PassThrough();
    const decoder = createOutputDecoder();
    output.on("data", (chunk: Buffer) => {
      this.bytes += chunk.length;
      for (const item of decoder.push(chunk)) {
        if (item.kind !== "frame") throw new Error(`no frame: ${JSON.stringify(item)}`);
        this.frames.push(item.frame);
      }
      this.#wake();
    });
    this.output = output;
    this.clock = testClock();
    this.done = serveAgent({
      input: this.#input,
      output,
      version: "9",
      clock: this.clock,
      tools: builtInTools(),
      openModel: (choice) => openModel(choice, "shown", this.clock),
      requested: {},
      ui: "person",
      permissionsFor: async () => ({ mode: "normal", rules: [] }),
      debug: false,
      log: () => {},
      ...options,
    });
    onTestFinished(async () => {
      this.send({ type: "quit" });
      await this.done;
    });
  }

  send(...lines: (LinesCommand | string)[]): void {
    for (const line of lines) this.#input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  endInput(): void {
    this.#input.end();
  }

  /** The first frame like this that was not waited for before, whatever else came between. */
  async next<Type extends LinesOutput["type"]>(
    type: Type,
    fits: (frame: Frame<Type>) => boolean = () => true,
  ): Promise<Frame<Type>> {
    return (await this.nextFrame((frame) => frame.type === type && fits(frame as Frame<Type>))) as Frame<Type>;
  }

  async nextFrame(fits: (frame: LinesOutput) => boolean): Promise<Exclude<LinesOutput, UiRequest> | ConfirmedRequest> {
    for (let at = this.#read; ; ) {
      for (; at < this.frames.length; at += 1) {
        const frame = this.frames[at];
        if (frame === undefined || !fits(frame)) continue;
        this.#read = at + 1;
        return frame as Exclude<LinesOutput, UiRequest> | ConfirmedRequest;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async event<Type extends AgentEvent["type"]>(type: Type): Promise<Extract<AgentEvent, { type: Type }>> {
    const frame = await this.next("event", ({ event }) => event.type === type);
    return frame.event as Extract<AgentEvent, { type: Type }>;
  }

  async question(): Promise<ConfirmedRequest> {
    return (await this.next("ui_request")) as ConfirmedRequest;
  }

  answer({ id }: UiRequest, result: unknown): void {
    this.send({ type: "ui_response", id, result, error: null });
  }

  /** Sends a prompt and waits until it is over. */
  async prompt(text: string): Promise<Extract<AgentEvent, { type: "agent_end" }>> {
    this.send({ type: "prompt", text });
    return this.event("agent_end");
  }

  events(): AgentEvent[] {
    return this.frames.flatMap((frame) => (frame.type === "event" ? [frame.event] : []));
  }

  types(): string[] {
    return this.events().map(({ type }) => type);
  }

  notices(): string[] {
    return this.frames.flatMap((frame) => (frame.type === "ui_notify" ? [frame.params.message] : []));
  }

  /** What the agent said, message by message. */
  said(): string[] {
    return this.events().flatMap((event) => {
      if (event.type !== "message_end" || event.message.role !== "assistant") return [];
      const { content } = event.message;
      if (!Array.isArray(content)) return [];
      return [content.map((block) => (block.type === "text" ? block.text : "")).join("")];
    });
  }
}

/** What every front end of today can do. */
/** Without `supports_permission`, as here, an agent asks for permissions with `confirm`. */
type ConfirmedRequest = Exclude<UiRequest, { method: "permission" }>;

export const allCapabilities = {
  supports_select: true,
  supports_confirm: true,
  supports_input: true,
  supports_editor: true,
  supports_form: true,
  supports_multi_select: true,
  supports_files: true,
  supports_confirm_details: true,
  supports_permission_preflight_events: true,
  supports_message_deltas: true,
};

export type AgentSetup = Partial<AgentOptions> & {
  capabilities?: Record<string, boolean>;
  /** The same for every folder. */
  mode?: PermissionMode;
  rules?: readonly LayeredRule[];
};

export async function startAgent(setup: AgentSetup = {}): Promise<Agent> {
  const { capabilities = allCapabilities, mode = "normal", rules = [], ...others } = setup;
  const options = { permissionsFor: async () => ({ mode, rules }), ...others };
  const folder = options.folder ?? freshFolder();
  const environment = { XDG_STATE_HOME: join(freshFolder(), "state"), ...options.environment };
  const agent = new Agent({ ...options, folder, environment });
  await agent.next("ready");
  agent.send({ type: "initialize", ui_capabilities: capabilities });
  await agent.next("initialized");
  return agent;
}

/** An agent whose model is the stand-in, and the stand-in. */
export async function startWithModel(
  options: AgentSetup & { api?: "openai" | "anthropic" } = {},
): Promise<{ agent: Agent; model: ModelServer }> {
  const { api = "openai", ...others } = options;
  const model = await freshModelServer();
  const requested =
    api === "openai"
      ? { model: "compatible:stand-in", baseUrl: model.url }
      : { model: "anthropic:claude-sonnet-4-5", baseUrl: model.url };
  const environment = { ANTHROPIC_API_KEY: "test-key", PALAVER_API_KEY: "test-key", ...others.environment };
  return { agent: await startAgent({ ...others, requested, environment }), model };
}
