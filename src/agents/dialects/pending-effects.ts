// Effects and timers that a dialect requested from its link, by id, with the callbacks for their results. Results of forgotten
// ones are dropped.
import type { EffectResult } from "./dialect.js";
import type { StepBuilder } from "./step-builder.js";

type Waiter = { done(result: EffectResult): void; progress(value: unknown): void };

type WithoutId<Effect> = Effect extends unknown ? Omit<Effect, "id"> : never;

export class PendingEffects<Effect extends { readonly id: string }> {
  private readonly out: StepBuilder<Effect>;
  private readonly waiters = new Map<string, Waiter>();
  private nextNumber = 1;

  constructor(out: StepBuilder<Effect>) {
    this.out = out;
  }

  perform(
    effect: WithoutId<Effect>,
    done: (result: EffectResult) => void,
    progress: (value: unknown) => void = () => undefined,
  ): string {
    const id = `effect-${this.nextNumber++}`;
    this.waiters.set(id, { done, progress });
    this.out.want({ ...effect, id } as unknown as Effect);
    return id;
  }

  /** Runs after the delay, unless forgotten before. */
  after(delayMs: number, run: () => void, id = `effect-${this.nextNumber++}`): string {
    this.waiters.set(id, { done: run, progress: () => undefined });
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
}
