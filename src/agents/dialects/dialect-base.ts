// What all dialects have in common: one step builder, one table of open asks, pending effects and timers, log lines for other
// output, and the withdrawal of every ask when the connection ends.
import type { LinesCommand } from "../../contract/lines-commands.js";
import { type Dialect, type DialectStep, type EffectResult, START_WAIT_MS } from "./dialect.js";
import type { Decoded } from "./frames/frame-decoder.js";
import type { JsonObject } from "./frames/json-frame.js";
import { PendingAsks } from "./pending-asks.js";
import { PendingEffects } from "./pending-effects.js";
import { StepBuilder } from "./step-builder.js";

export type PlainCommand = Exclude<LinesCommand, { type: "ui_response" }>;

export abstract class DialectBase<Effect extends { readonly id: string } = never> implements Dialect<Effect> {
  protected readonly out = new StepBuilder<Effect>();
  protected readonly asks = new PendingAsks(this.out);
  protected readonly effects = new PendingEffects<Effect>(this.out);
  protected nowMs = 0;
  protected isReady = false;

  open(nowMs: number): DialectStep<Effect> {
    return this.step(nowMs, () => this.start());
  }

  read(decoded: Decoded<JsonObject>, nowMs: number): DialectStep<Effect> {
    return this.step(nowMs, () => {
      if (decoded.kind === "frame") this.readFrame(decoded.frame);
      else if (decoded.kind === "fault") this.out.tell({ type: "fault.reported", fault: decoded.fault });
      else this.out.tell({ type: "log.written", stream: "stdout", text: decoded.text });
    });
  }

  command(command: LinesCommand, nowMs: number): DialectStep<Effect> {
    return this.step(nowMs, () => {
      if (command.type === "ui_response") this.asks.answer(command);
      else this.obey(command);
    });
  }

  progressed(id: string, value: unknown, nowMs: number): DialectStep<Effect> {
    return this.step(nowMs, () => this.effects.progressed(id, value));
  }

  performed(id: string, result: EffectResult, nowMs: number): DialectStep<Effect> {
    return this.step(nowMs, () => this.effects.performed(id, result));
  }

  leave(nowMs: number): DialectStep<Effect> {
    return this.step(nowMs, () => {
      this.asks.giveUp("shutdown");
      this.sayGoodbye();
    });
  }

  close(nowMs: number, code: number | null): DialectStep<Effect> {
    return this.step(nowMs, () => {
      this.asks.giveUp("disconnected");
      this.end(code);
    });
  }

  /** Sends the first frames. */
  protected abstract start(): void;
  protected abstract readFrame(frame: JsonObject): void;
  protected abstract obey(command: PlainCommand): void;
  /** Sends the last frames; asks are withdrawn already. */
  protected sayGoodbye(): void {}
  /** The agent has exited; asks are withdrawn already. */
  protected end(_code: number | null): void {}

  protected step(nowMs: number, act: () => void): DialectStep<Effect> {
    this.nowMs = nowMs;
    act();
    return this.out.take();
  }

  /** An agent that is not ready in time is given up, with this reason. */
  protected expectReady(problem: string): void {
    this.effects.after(START_WAIT_MS, () => this.isReady || this.giveUp(problem), "ready");
  }

  /** The agent cannot be used: reports why and stops it. */
  protected giveUp(message: string): void {
    this.out.tell({ type: "agent.failed", message });
    this.out.want({ type: "hang-up" });
  }
}
