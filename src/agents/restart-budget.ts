// Limits how often an agent that asks for a restart is restarted: several quick restarts in a row are too many.

/** The exit code that asks for a restart. */
export const RESTART_CODE = 75;

const QUICK_RESTARTS_MAX = 3;
const QUICK_MS = 1_000;

export class RestartBudget {
  private startedAtMs = 0;
  private quickRestarts = 0;

  started(nowMs: number): void {
    this.startedAtMs = nowMs;
  }

  /** The agent exited and asks for a restart. */
  mayStartAgain(nowMs: number): boolean {
    const isQuick = nowMs - this.startedAtMs < QUICK_MS;
    this.quickRestarts = isQuick ? this.quickRestarts + 1 : 0;
    return this.quickRestarts <= QUICK_RESTARTS_MAX;
  }

  /** The user starts it, so the count starts at 0. */
  forget(): void {
    this.quickRestarts = 0;
  }
}
