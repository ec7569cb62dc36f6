// A stage for the machine: an agent and a person who say what the test wants, and hands that do what the test says. It
// remembers everything that was said, and checks that no request of the agent is answered twice.
import { expect } from "vitest";
import { createAcpDialect } from "../../../../src/agents/dialects/acp/acp-dialect.js";
import type { AcpEffect, FilePlace, PathPlace } from "../../../../src/agents/dialects/acp/acp-effect.js";
import type { AcpOptions } from "../../../../src/agents/dialects/acp/context.js";
import type { Dialect, DialectStep, EffectResult, LinkEffect } from "../../../../src/agents/dialects/dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import type { Ask } from "../../../../src/contract/asks.js";
import type { LinesCommand } from "../../../../src/contract/lines-commands.js";
import { type SessionEvent, sessionEventSchema } from "../../../../src/contract/session-events.js";
import type { Block } from "../../../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript } from "../../../../src/session/transcript/transcript.js";

export const SESSION = "s1";

type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;
type EffectOf<Type extends AcpEffect["type"]> = Extract<AcpEffect, { type: Type }>;

export class Stage {
  readonly events: SessionEvent[] = [];
  readonly sent: JsonObject[] = [];
  readonly effects: (AcpEffect | LinkEffect)[] = [];
  /** Where paths really lead, when they are links. */
  readonly links = new Map<string, string>();
  nowMs = 1_000;
  private readonly dialect: Dialect<AcpEffect>;
  private nextId = 100;

  constructor(options: Partial<AcpOptions> = {}) {
    this.dialect = createAcpDialect({
      workspace: "/home/ada/parser",
      clientVersion: "1.2.3",
      command: { command: "agent", args: ["--acp"] },
      hasVariable: () => false,
      ...options,
    });
    this.take(this.dialect.open(this.nowMs));
  }

  /** A frame of the agent, as it is. */
  says(frame: JsonObject): this {
    this.take(this.dialect.read({ kind: "frame", frame }, this.nowMs));
    return this;
  }

  update(update: JsonObject, sessionId: string = SESSION): this {
    return this.says({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
  }

  text(text: string): this {
    return this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  /** A request of the agent; its answer is found by the id that comes back. */
  asks(method: string, params: JsonObject, id: string | number = this.nextId++): string | number {
    this.says({ jsonrpc: "2.0", id, method, params: { sessionId: SESSION, ...params } });
    return id;
  }

  answerTo(id: string | number): JsonObject | undefined {
    const answers = this.sent.filter((frame) => frame["id"] === id && !("method" in frame));
    expect(answers.length).toBeLessThanOrEqual(1);
    return answers[0];
  }

  /** The last request of ours with this method. */
  request(method: string): JsonObject {
    const found = this.sent.findLast((frame) => frame["method"] === method);
    if (found === undefined) throw new Error(`${method} was not sent; there are ${this.methods().join(", ")}`);
    return found;
  }

  params(method: string): JsonObject {
    return this.request(method)["params"] as JsonObject;
  }

  methods(): string[] {
    return this.sent.flatMap(({ method }) => (typeof method === "string" ? [method] : []));
  }

  replies(method: string, result: JsonObject | null): this {
    return this.says({ jsonrpc: "2.0", id: this.request(method)["id"], result });
  }

  fails(method: string, error: JsonObject): this {
    return this.says({ jsonrpc: "2.0", id: this.request(method)["id"], error });
  }

  wants(command: LinesCommand): this {
    this.take(this.dialect.command(command, this.nowMs));
    return this;
  }

  prompt(text = "fix it"): this {
    return this.wants({ type: "prompt", text });
  }

  ends(stopReason = "end_turn"): this {
    return this.replies("session/prompt", { stopReason });
  }

  answers(result: unknown, ask: Ask = this.ask()): this {
    return this.wants({ type: "ui_response", id: ask.id, result, error: null });
  }

  ask(): Ask {
    const ask = this.of("ask.raised").at(-1)?.ask;
    if (ask === undefined) throw new Error("nothing was asked");
    return ask;
  }

  of<Type extends SessionEvent["type"]>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  effect<Type extends AcpEffect["type"]>(type: Type): EffectOf<Type> {
    const found = this.effects.findLast((effect): effect is EffectOf<Type> => effect.type === type);
    if (found === undefined) throw new Error(`${type} was not wanted`);
    return found;
  }

  performs(type: AcpEffect["type"], result: unknown): this {
    return this.performed(this.effect(type).id, { ok: true, value: result });
  }

  /** Where a path leads, as the link would find it. */
  placeOf(path: string): PathPlace {
    const workspace = "/home/ada/parser";
    const realPath = this.links.get(path) ?? path;
    const place = `${realPath}/`.startsWith(`${workspace}/`) ? "inside" : "outside";
    return { realPath, exists: true, workspace, place, looksSecret: /\.env$|\.ssh\//.test(realPath) };
  }

  /** The link looked at the file of a write, which holds this text. */
  inspects(oldText: string | null, found: Partial<FilePlace> = {}): this {
    const place = this.placeOf(this.effect("file.inspect").path);
    return this.performs("file.inspect", { ...place, isText: true, oldText, ...found });
  }

  performed(id: string, result: EffectResult): this {
    this.take(this.dialect.performed(id, result, this.nowMs));
    return this;
  }

  progressed(id: string, value: unknown): this {
    this.take(this.dialect.progressed(id, value, this.nowMs));
    return this;
  }

  /** Lets so much time pass that everything with this delay is due. */
  passes(delayMs: number): this {
    this.nowMs += delayMs;
    const due = this.effects.filter((effect) => effect.type === "wait" && effect.delayMs <= delayMs);
    for (const effect of due) {
      this.effects.splice(this.effects.indexOf(effect), 1);
      if (effect.type === "wait") this.performed(effect.id, { ok: true, value: null });
    }
    return this;
  }

  reads(decoded: Parameters<Dialect["read"]>[0]): this {
    this.take(this.dialect.read(decoded, this.nowMs));
    return this;
  }

  leaves(): this {
    this.take(this.dialect.leave(this.nowMs));
    return this;
  }

  dies(): this {
    this.take(this.dialect.close(this.nowMs, null));
    return this;
  }

  /** What a person would see, closed and open. */
  blocks(): { closed: Block[]; open: readonly Block[] } {
    let state = emptyTranscript;
    const closed: Block[] = [];
    for (const event of this.events) {
      const step = reduceTranscript(state, event, 0);
      state = step.state;
      for (const change of step.changes) if (change.type === "closed") closed.push(change.block);
    }
    return { closed, open: state.open };
  }

  private take({ events, frames, effects }: DialectStep<AcpEffect>): void {
    for (const event of events) sessionEventSchema.parse(event);
    this.events.push(...events);
    this.sent.push(...frames);
    this.effects.push(...effects);
    for (const effect of effects) {
      if (effect.type === "path.locate") this.performed(effect.id, { ok: true, value: this.placeOf(effect.path) });
    }
  }
}

export const greeting = {
  protocolVersion: 1,
  agentInfo: { name: "test-agent", title: "Test Agent", version: "2.0" },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true },
    sessionCapabilities: { list: {}, close: {}, resume: {} },
    mcpCapabilities: { http: true },
  },
  authMethods: [],
};

/** An agent that was greeted and has one session. */
export function readyStage(
  options: Partial<AcpOptions> = {},
  hello: JsonObject = greeting,
  session: JsonObject = {},
): Stage {
  const stage = new Stage(options);
  stage.replies("initialize", hello);
  stage.replies("session/new", { sessionId: SESSION, ...session });
  return stage;
}

export const options = [
  { optionId: "yes-1", name: "Allow", kind: "allow_once" },
  { optionId: "yes-9", name: "Always", kind: "allow_always" },
  { optionId: "no-1", name: "Reject", kind: "reject_once" },
];
