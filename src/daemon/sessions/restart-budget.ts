// How often an agent that asks to be started again is obeyed: always, unless it says so at once, again and again.

/** "Start me again", as an exit code. */
export const RESTART_CODE = 75;

const QUICK_RESTARTS_MAX = 3;
const QUICK_MS = 1_000;

export class RestartBudget {
  private startedAtMs = 0;
  private quickRestarts = 0;

  started(nowMs: number): void {
    this.startedAtMs = nowMs;
  }

  /** The agent has ended and wants to go on. */
  mayStartAgain(nowMs: number): boolean {
    const isQuick = nowMs - this.startedAtMs < QUICK_MS;
    this.quickRestarts = isQuick ? this.quickRestarts + 1 : 0;
    return this.quickRestarts <= QUICK_RESTARTS_MAX;
  }
}
