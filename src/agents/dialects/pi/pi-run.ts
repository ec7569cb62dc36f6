// When pi is done with a prompt. A newer pi says so with `agent_settled`; before that, `agent_end` is only the end of one
// round, after which it may retry, summarise or take a queued message. An older pi never says more than `agent_end`.
//
//   newer:  agent_start … agent_end {willRetry} … agent_settled    done at the last
//   older:  agent_start … agent_end                                done here, unless something is queued
//
// A pi between the two has the field but not the last event: it is asked for its state, and an idle one is done.

export type RunVerdict = "goes on" | "done" | "ask for the state";

export class PiRun {
  /** True from the first sign of life of the agent until the end of a round. */
  private isWorking = false;
  /** True between the end of a round and whatever comes next. */
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

  /** True when a run begins now. */
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
    if (this.willRetry || this.queued > 0) return "goes on";
    return this.isModern ? "ask for the state" : "done";
  }

  /** What follows a round is over too, so that the end may be near. */
  pauseEnded(): RunVerdict {
    return this.isOpen && this.isPausing && this.isModern && !this.willRetry ? "ask for the state" : "goes on";
  }

  stateReported({ isIdle }: { isIdle: boolean }): RunVerdict {
    return isIdle && this.isOpen && this.isPausing && !this.willRetry && this.queued === 0 ? "done" : "goes on";
  }

  settled(): RunVerdict {
    this.isModern = true;
    return "done";
  }

  queueChanged(count: number): void {
    this.queued = count;
  }

  /** True when a run ended now. */
  end(): boolean {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    this.isWorking = false;
    this.isPausing = false;
    this.willRetry = false;
    return wasOpen;
  }
}
