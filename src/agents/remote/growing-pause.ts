// The pauses between attempts to reach something that is not there: short at first, longer each time, over at once when nobody
// wants it any more.

export type After = (delayMs: number, run: () => void) => () => void;

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;

export class GrowingPause {
  private readonly after: After;
  private readonly signal: AbortSignal;
  private delayMs = PAUSE_MS_MIN;

  constructor(after: After, signal: AbortSignal) {
    this.after = after;
    this.signal = signal;
  }

  get nextMs(): number {
    return this.delayMs;
  }

  /** It was there: the next pause is a short one again. */
  reset(): void {
    this.delayMs = PAUSE_MS_MIN;
  }

  async wait(): Promise<void> {
    const delayMs = this.delayMs;
    this.delayMs = Math.min(delayMs * 2, PAUSE_MS_MAX);
    if (this.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const settle = () => {
        cancel();
        this.signal.removeEventListener("abort", settle);
        resolve();
      };
      const cancel = this.after(delayMs, settle);
      this.signal.addEventListener("abort", settle, { once: true });
    });
  }
}
