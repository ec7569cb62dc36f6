// What all dialects have in common: one step builder, one table of open asks, log lines for other output, and the withdrawal
// of every ask when the connection ends.
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { Dialect, DialectStep, EffectResult } from "./dialect.js";
import type { Decoded } from "./frames/frame-decoder.js";
import type { JsonObject } from "./frames/json-frame.js";
import { PendingAsks } from "./pending-asks.js";
import { StepBuilder } from "./step-builder.js";

export type PlainCommand = Exclude<LinesCommand, { type: "ui_response" }>;

export abstract class DialectBase<Effect extends { readonly id: string } = never> implements Dialect<Effect> {
  protected readonly out = new StepBuilder<Effect>();
  protected readonly asks = new PendingAsks(this.out);
  protected nowMs = 0;

  open(nowMs: number): DialectStep<Effect> {
    this.nowMs = nowMs;
    this.start();
    return this.step();
  }

  read(decoded: Decoded<JsonObject>, nowMs: number): DialectStep<Effect> {
    this.nowMs = nowMs;
    if (decoded.kind === "frame") this.readFrame(decoded.frame);
    else if (decoded.kind === "fault") this.out.tell({ type: "fault.reported", fault: decoded.fault });
    else this.out.tell({ type: "log.written", stream: "stdout", text: decoded.text });
    return this.step();
  }

  command(command: LinesCommand, nowMs: number): DialectStep<Effect> {
    this.nowMs = nowMs;
    if (command.type === "ui_response") this.asks.answer(command);
    else this.obey(command);
    return this.step();
  }

  progressed(id: string, value: unknown, nowMs: number): DialectStep<Effect> {
    this.nowMs = nowMs;
    this.effectProgressed(id, value);
    return this.step();
  }

  performed(id: string, result: EffectResult, nowMs: number): DialectStep<Effect> {
    this.nowMs = nowMs;
    this.effectDone(id, result);
    return this.step();
  }

  leave(nowMs: number): DialectStep<Effect> {
    this.nowMs = nowMs;
    this.asks.giveUp("shutdown");
    this.sayGoodbye();
    return this.step();
  }

  close(nowMs: number, code: number | null): DialectStep<Effect> {
    this.nowMs = nowMs;
    this.asks.giveUp("disconnected");
    this.end(code);
    return this.step();
  }

  /** Sends the first frames. */
  protected abstract start(): void;
  protected abstract readFrame(frame: JsonObject): void;
  protected abstract obey(command: PlainCommand): void;
  protected abstract effectDone(id: string, result: EffectResult): void;
  protected effectProgressed(_id: string, _value: unknown): void {}
  /** Sends the last frames; asks are withdrawn already. */
  protected abstract sayGoodbye(): void;
  /** The agent has exited; asks are withdrawn already. */
  protected abstract end(code: number | null): void;

  protected step(): DialectStep<Effect> {
    return this.out.take();
  }

  /** The agent cannot be used: reports why and stops it. */
  protected giveUp(message: string): void {
    this.out.tell({ type: "agent.failed", message });
    this.out.want({ type: "hang-up" });
  }
}
