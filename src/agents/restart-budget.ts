// How often an agent that asks to be started again is started: always, unless it asks at once, several times in a row.
// Every host of an agent keeps one: the terminal UI and the daemon.

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

  /** The agent has ended and wants to be started again. */
  mayStartAgain(nowMs: number): boolean {
    const isQuick = nowMs - this.startedAtMs < QUICK_MS;
    this.quickRestarts = isQuick ? this.quickRestarts + 1 : 0;
    return this.quickRestarts <= QUICK_RESTARTS_MAX;
  }

  /** The person wants it started, so that it may ask again. */
  forget(): void {
    this.quickRestarts = 0;
  }
}
