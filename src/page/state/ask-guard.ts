// Decides when a question accepts a tap or a key: the typing guard of the terminal, on the page's clock. A tap counts under
// the same conditions as a key: after the whole question was visible, and after a quiet moment. Tapping, typing or scrolling
// elsewhere restarts the quiet moment, and a question whose answers are out of view accepts nothing.
import { signal } from "@preact/signals";
import { GUARD_BEAT_MS } from "../../contract/limits.js";
import {
  createTypingGuard,
  type KeyUse,
  reduceTypingGuard,
  type TypingGuardEffect,
  type TypingGuardInput,
} from "../../session/typing-guard.js";

export interface GuardPorts {
  after(delayMs: number, run: () => void): () => void;
  nowMs(): number;
}

/** "reading": not all of it was in sight; "settling": it was, and the quiet moment is not over. */
export type GuardPhase = "reading" | "settling" | "open" | "held";

export class AskGuard {
  readonly phase = signal<GuardPhase>("reading");
  private readonly askId: string;
  private readonly ports: GuardPorts;
  private readonly onKey: (key: string) => void;
  private state = createTypingGuard({ pendingShows: "whole" });
  private cancelWake: () => void = () => undefined;
  private cancelBeat: () => void = () => undefined;
  private isStopped = false;

  constructor(askId: string, ports: GuardPorts, onKey: (key: string) => void) {
    this.askId = askId;
    this.ports = ports;
    this.onKey = onKey;
    this.feed({ type: "show", askId });
    this.beat();
  }

  /** Whether a tap counts in this phase. */
  isOpen(phase: GuardPhase): boolean {
    return phase === "open" || phase === "held";
  }

  stop(): void {
    this.isStopped = true;
    this.cancelWake();
    this.cancelBeat();
  }

  /** All of the question has been in sight. */
  drawn(): void {
    const { atMs } = this;
    this.feed({ type: "drawn", atMs });
    this.feed({ type: "synced", atMs });
  }

  /** Its answers are out of sight: it has to come into sight again. */
  hidden(): void {
    if (this.phase.peek() === "reading") return;
    const { askId } = this;
    this.feed({ type: "close", askId });
    this.feed({ type: "show", askId });
    this.busy();
  }

  /** Something was tapped, typed or scrolled that is no answer. */
  busy(): void {
    this.feed({ type: "typed", atMs: this.atMs });
  }

  key(key: string, use: KeyUse): void {
    this.feed({ type: "key", key, use, draft: "empty", atMs: this.atMs });
  }

  private get atMs(): number {
    return this.ports.nowMs();
  }

  private beat(): void {
    this.feed({ type: "beat", atMs: this.atMs });
    this.cancelBeat = this.ports.after(GUARD_BEAT_MS, () => this.beat());
  }

  private feed(input: TypingGuardInput): void {
    if (this.isStopped) return;
    const { state, effects } = reduceTypingGuard(this.state, input);
    this.state = state;
    for (const effect of effects) this.perform(effect);
    this.phase.value = this.phaseNow();
  }

  private perform(effect: TypingGuardEffect): void {
    if (effect.type === "to-dialog") this.onKey(effect.key);
    if (effect.type !== "wake-at") return;
    this.cancelWake();
    const delayMs = Math.max(0, effect.atMs - this.atMs);
    this.cancelWake = this.ports.after(delayMs, () => this.feed({ type: "clock", atMs: this.atMs }));
  }

  private phaseNow(): GuardPhase {
    const { head } = this.state;
    if (head?.phase === "held") return "held";
    if (head?.phase === "active") return head.newUntilMs === null ? "open" : "settling";
    return head?.phase === "pending" && head.drawnAtMs === null ? "reading" : "settling";
  }
}
