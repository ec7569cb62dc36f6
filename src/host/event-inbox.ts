// The queue of the agent's events in front of the engine, so that typing never waits for the agent. Events that arrive
// together are handled together, a long queue in slices with keyboard input in between. A trickle of words is gathered for one
// frame: they would not be visible earlier, and three joined cost what one does. Order is kept and nothing is dropped.
//
//   idle ─event→ called ─microtask→ working ─all handled→ idle
//                                   working ─slice over→ resting ─timer→ working      the agent is held back meanwhile
//                                   working ─only words→ gathering ─timer→ idle       so is it here
import type { SessionEvent } from "../contract/session-events.js";
import type { EngineClock } from "../session/engine/source.js";

export interface InboxPorts {
  readonly clock: EngineClock;
  hear(event: SessionEvent): void;
  /** That was all of them, or all that fitted into a slice. */
  readonly onHeard?: (() => void) | undefined;
  /** Holds the agent back, or lets it continue. */
  setFlow(flow: "flowing" | "paused"): void;
}

/** A key that is pressed meanwhile waits for no longer than this and one event. */
const SLICE_MS = 12;

/** As long as a frame: words that come in between are not seen earlier. */
const GATHER_MS = 33;

/** More than this in one go is no trickle, and is read as fast as it comes. */
const TRICKLE_CHARS_MAX = 16 * 1024;

/** Where the agent cannot be held back, so many events may wait; then all are handled at once, however long it takes. */
const WAITING_MAX = 10_000;

type Growth = Extract<SessionEvent, { type: "message.grew" }>;

export class EventInbox {
  private readonly ports: InboxPorts;
  private waiting: SessionEvent[] = [];
  /** Those before it in `waiting` have been handled. */
  private at = 0;
  private phase: "idle" | "called" | "working" | "resting" | "gathering" = "idle";
  private flow: "flowing" | "paused" = "flowing";
  private grownChars = 0;
  private cancelTimer: () => void = () => undefined;

  constructor(ports: InboxPorts) {
    this.ports = ports;
  }

  readonly push = (event: SessionEvent): void => {
    const last = this.at < this.waiting.length ? this.waiting.at(-1) : undefined;
    const joined = last === undefined ? null : joinedWith(last, event);
    if (joined === null) this.waiting.push(event);
    else this.waiting[this.waiting.length - 1] = joined;
    if (this.isOverfull) this.drain();
    else if (this.phase === "idle") {
      this.phase = "called";
      void Promise.resolve().then(this.work);
    }
  };

  /** Handles everything that waits, because something follows that must not overtake it. */
  drain(): void {
    if (this.phase === "working") return;
    this.cancelTimer();
    this.phase = "working";
    for (let event = this.next(); event !== undefined; event = this.next()) this.ports.hear(event);
    this.rest();
  }

  private get isOverfull(): boolean {
    return this.waiting.length - this.at > WAITING_MAX;
  }

  private readonly work = (): void => {
    // What was waiting has been drained.
    if (this.phase === "idle") return;
    const { clock } = this.ports;
    const untilMs = clock.nowMs() + SLICE_MS;
    this.phase = "working";
    this.grownChars = 0;
    const hasTime = () => clock.nowMs() < untilMs || this.isOverfull || this.at === this.waiting.length;
    let event: SessionEvent | undefined;
    do {
      event = this.next();
      if (event !== undefined) this.ports.hear(event);
    } while (event !== undefined && hasTime());
    this.ports.onHeard?.();
    if (event !== undefined) this.pauseFor(0, "resting", this.work);
    else if (this.grownChars === 0 || this.grownChars > TRICKLE_CHARS_MAX) this.rest();
    else this.pauseFor(GATHER_MS, "gathering", this.gathered);
  };

  private readonly gathered = (): void => {
    if (this.waiting.length > 0) this.work();
    else this.rest();
  };

  private next(): SessionEvent | undefined {
    const event = this.waiting[this.at];
    if (event === undefined) {
      this.waiting = [];
      this.at = 0;
      return undefined;
    }
    this.at += 1;
    if (event.type === "message.grew") this.grownChars += event.delta.length;
    return event;
  }

  private pauseFor(delayMs: number, phase: "resting" | "gathering", run: () => void): void {
    this.phase = phase;
    this.setFlow("paused");
    this.cancelTimer = this.ports.clock.after(delayMs, run);
  }

  private rest(): void {
    this.phase = "idle";
    this.setFlow("flowing");
  }

  private setFlow(flow: "flowing" | "paused"): void {
    if (flow === this.flow) return;
    this.flow = flow;
    this.ports.setFlow(flow);
  }
}

// More words of the same part are one longer word. A whole message that is followed by a newer version of itself was never
// shown.
function joinedWith(last: SessionEvent, event: SessionEvent): SessionEvent | null {
  if (last.sessionId !== event.sessionId) return null;
  if (last.type === "message.grew" && event.type === "message.grew") {
    return isSamePart(last, event) ? { ...event, delta: last.delta + event.delta } : null;
  }
  if (last.type !== "message.updated" || event.type !== "message.updated") return null;
  return last.message.role === "assistant" && event.message.role === "assistant" ? event : null;
}

function isSamePart(last: Growth, next: Growth): boolean {
  return last.index === next.index && last.kind === next.kind;
}
