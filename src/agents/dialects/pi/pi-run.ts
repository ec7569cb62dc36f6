// When pi is done with a prompt. A newer pi sends `agent_settled`; there, `agent_end` only ends a round, after which pi may
// retry, summarise or take a queued message. An older pi sends only `agent_end`.
//
//   newer:  agent_start … agent_end {willRetry} … agent_settled    done at the last
//   older:  agent_start … agent_end                                done here, unless something is queued
//
// Versions in between have the field but not the event: they are asked for their state, and are done when idle.

export type RunVerdict = "continues" | "done" | "ask for the state";

export class PiRun {
  /** Within a round. */
  private isWorking = false;
  /** Between rounds. */
  private isPausing = false;
  private isOpen = false;
  private isModern = false;
  private queued = 0;
  private willRetry = false;

  get open(): boolean {
    return this.isOpen;
  }

  get working(): boolean {
    return this.isWorking;
  }

  /** True when this starts a run. */
  begin(): boolean {
    const isNew = !this.isOpen;
    this.isOpen = true;
    this.isPausing = false;
    return isNew;
  }

  roundBegan(): void {
    this.isWorking = true;
    this.isPausing = false;
    this.willRetry = false;
  }

  roundEnded(willRetry: boolean | undefined): RunVerdict {
    this.isWorking = false;
    this.isPausing = true;
    this.isModern ||= willRetry !== undefined;
    this.willRetry = willRetry === true;
    if (this.willRetry || this.queued > 0) return "continues";
    return this.isModern ? "ask for the state" : "done";
  }

  /** A retry or compaction after a round has ended. */
  pauseEnded(): RunVerdict {
    return this.isOpen && this.isPausing && this.isModern && !this.willRetry ? "ask for the state" : "continues";
  }

  stateReported({ isIdle }: { isIdle: boolean }): RunVerdict {
    return isIdle && this.isOpen && this.isPausing && !this.willRetry && this.queued === 0 ? "done" : "continues";
  }

  settled(): RunVerdict {
    this.isModern = true;
    return "done";
  }

  queueChanged(count: number): void {
    this.queued = count;
  }

  /** True when this ended a run. */
  end(): boolean {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    this.isWorking = false;
    this.isPausing = false;
    this.willRetry = false;
    return wasOpen;
  }
}
