// A talk with a dialect, for tests: frames of the agent and commands of the front end go in, and everything the machine
// said and sent is kept in order. Every event is held against the internal contract on the way.
import { expect } from "vitest";
import type { Dialect, DialectStep, LinkEffect } from "../../../src/agents/dialects/dialect.js";
import type { JsonObject } from "../../../src/agents/dialects/frames/json-frame.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import { type SessionEvent, sessionEventSchema } from "../../../src/contract/session-events.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript } from "../../../src/session/transcript/transcript.js";

export class DialectTalk {
  readonly events: SessionEvent[] = [];
  readonly sent: JsonObject[] = [];
  readonly effects: LinkEffect[] = [];
  private readonly dialect: Dialect;
  private nowMs = 1_000;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    this.keep(dialect.open(this.nowMs));
  }

  hear(...frames: readonly object[]): SessionEvent[] {
    return this.after(() => {
      for (const frame of frames) this.keep(this.dialect.read({ kind: "frame", frame: { ...frame } }, this.nowMs));
    });
  }

  hearText(text: string): SessionEvent[] {
    return this.after(() => this.keep(this.dialect.read({ kind: "text", text }, this.nowMs)));
  }

  hearFault(message: string): SessionEvent[] {
    const fault = { name: "malformed" as const, message, excerpt: "" };
    return this.after(() => this.keep(this.dialect.read({ kind: "fault", fault }, this.nowMs)));
  }

  say(command: LinesCommand): SessionEvent[] {
    return this.after(() => this.keep(this.dialect.command(command, this.nowMs)));
  }

  answer(id: string, result: unknown): JsonObject[] {
    const from = this.sent.length;
    this.say({ type: "ui_response", id, result, error: null });
    return this.sent.slice(from);
  }

  waited(id: string): SessionEvent[] {
    return this.after(() => this.keep(this.dialect.performed(id, { ok: true, value: null }, this.nowMs)));
  }

  leave(): SessionEvent[] {
    return this.after(() => this.keep(this.dialect.leave(this.nowMs)));
  }

  close(code: number | null = 0): SessionEvent[] {
    return this.after(() => this.keep(this.dialect.close(this.nowMs, code)));
  }

  get asked(): Ask[] {
    return this.events.flatMap((event) => (event.type === "ask.raised" ? [event.ask] : []));
  }

  get lastSent(): JsonObject {
    return this.sent.at(-1) ?? {};
  }

  types(...left: readonly SessionEvent["type"][]): string[] {
    return this.events.map(({ type }) => type).filter((type) => !left.includes(type));
  }

  /** What a front end would have in its transcript. */
  get blocks(): Block[] {
    let state = emptyTranscript;
    const closed: Block[] = [];
    for (const event of this.events) {
      const step = reduceTranscript(state, event, this.nowMs);
      state = step.state;
      for (const change of step.changes) if (change.type === "closed") closed.push(change.block);
    }
    return [...closed, ...state.open];
  }

  private after(act: () => void): SessionEvent[] {
    const from = this.events.length;
    act();
    return this.events.slice(from);
  }

  private keep({ events, frames, effects }: DialectStep): void {
    for (const event of events) expect(sessionEventSchema.parse(event)).toEqual(event);
    this.events.push(...events);
    this.sent.push(...frames);
    this.effects.push(...effects);
  }
}
