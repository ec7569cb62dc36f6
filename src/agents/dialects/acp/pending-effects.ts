// Effects and timers that were requested from the link, by id, with the callbacks for their results. Results of forgotten
// ones are dropped.
import type { EffectResult } from "../dialect.js";
import type { StepBuilder } from "../step-builder.js";
import type { AcpEffect } from "./acp-effect.js";

type Waiter = { done(result: EffectResult): void; progress(value: unknown): void };

type WithoutId<Effect> = Effect extends AcpEffect ? Omit<Effect, "id"> : never;

export class PendingEffects {
  private readonly out: StepBuilder<AcpEffect>;
  private readonly waiters = new Map<string, Waiter>();
  private nextNumber = 1;

  constructor(out: StepBuilder<AcpEffect>) {
    this.out = out;
  }

  perform(
    effect: WithoutId<AcpEffect>,
    done: (result: EffectResult) => void,
    progress: (value: unknown) => void = () => undefined,
  ): string {
    const id = this.expect({ done, progress });
    this.out.want({ ...effect, id } as AcpEffect);
    return id;
  }

  /** Runs after the delay, unless forgotten before. */
  after(delayMs: number, run: () => void): string {
    const id = this.expect({ done: run, progress: () => undefined });
    this.out.want({ type: "wait", id, delayMs });
    return id;
  }

  forget(id: string | null): void {
    if (id !== null) this.waiters.delete(id);
  }

  progressed(id: string, value: unknown): void {
    this.waiters.get(id)?.progress(value);
  }

  performed(id: string, result: EffectResult): void {
    const waiter = this.waiters.get(id);
    this.waiters.delete(id);
    waiter?.done(result);
  }

  private expect(waiter: Waiter): string {
    const id = `effect-${this.nextNumber++}`;
    this.waiters.set(id, waiter);
    return id;
  }
}
