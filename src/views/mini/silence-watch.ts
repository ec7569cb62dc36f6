// How long the agent of one prompt may be silent: for as long as the user allows, for 30 s after a frame that was refused,
// and otherwise for ever, because a slow model is no mistake. After 30 s the user hears of it once.
import type { SessionEvent } from "../../contract/session-events.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";

/** A refused frame may have been the end of the turn: an agent that says nothing readable for so long after one has failed. */
const SILENCE_AFTER_FAULT_MS = 30_000;
/** After this a silent agent is mentioned. */
const SILENCE_MENTIONED_MS = 30_000;

export interface SilencePorts {
  readonly clock: ScreenClock;
  /** The longest time without any sign of life; null for no limit. */
  readonly idleTimeoutMs: number | null;
  /** While the user thinks, the agent may be silent for as long as it takes. */
  isAskOpen(): boolean;
  /** The prompt was sent, and its turn has not ended. */
  isTurnOpen(): boolean;
  onTimeout(words: string): void;
  onFailure(words: string): void;
  onMention(words: string): void;
}

export class SilenceWatch {
  private readonly ports: SilencePorts;
  private cancelSilence: () => void = () => undefined;
  private cancelFaultWait: (() => void) | null = null;
  private isMentioned = false;
  private isStopped = false;

  constructor(ports: SilencePorts) {
    this.ports = ports;
  }

  /** Something happened, on the agent's side or the user's. */
  signOfLife(): void {
    this.cancelSilence();
    const { clock, idleTimeoutMs, isAskOpen, onTimeout } = this.ports;
    if (this.isStopped || isAskOpen()) return;
    this.cancelSilence =
      idleTimeoutMs === null
        ? clock.after(SILENCE_MENTIONED_MS, () => this.mention())
        : clock.after(idleTimeoutMs, () => onTimeout(`silent for ${idleTimeoutMs / 1000} s`));
  }

  // The time runs from the first refused frame: more of them are no progress, anything readable is. A frame of unknown type
  // costs nothing once the agent works: newer agents send such frames, and then think for as long as they like.
  hear(event: SessionEvent, agent: "not yet working" | "working"): void {
    // A working message may be about the silence itself.
    if (event.type !== "working.changed") this.signOfLife();
    if (event.type !== "fault.reported") {
      this.cancelFaultWait?.();
      this.cancelFaultWait = null;
    } else if (this.cancelFaultWait === null && (event.fault.name !== "unknownType" || agent === "not yet working")) {
      this.waitAfterFault(event.fault.message);
    }
  }

  stop(): void {
    this.isStopped = true;
    this.cancelSilence();
    this.cancelFaultWait?.();
  }

  private waitAfterFault(fault: string): void {
    const words = `the agent sent nothing readable for ${SILENCE_AFTER_FAULT_MS / 1000} s after a refused frame: ${fault}`;
    this.cancelFaultWait = this.ports.clock.after(SILENCE_AFTER_FAULT_MS, () => {
      if (this.ports.isAskOpen()) this.waitAfterFault(fault);
      else if (this.ports.isTurnOpen()) this.ports.onFailure(words);
    });
  }

  private mention(): void {
    if (this.isMentioned || !this.ports.isTurnOpen() || this.cancelFaultWait !== null) return;
    this.isMentioned = true;
    this.ports.onMention(
      `the agent has been silent for ${SILENCE_MENTIONED_MS / 1000} s; --idle-timeout SECONDS ends a silent agent`,
    );
  }
}
