// Restores the terminal on every exit: normal, exception, signal or stop. The restore function runs once each time the
// terminal was taken; then the exit proceeds as usual.
import { readFileSync } from "node:fs";
import type { EndingSignal, ProcessEvents, Timers } from "./streams.js";

const ENDING_SIGNALS: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

interface Guarded {
  /** Must be synchronous: nothing else runs during exit. */
  readonly giveBack: () => void;
  /** Called before a sound exit, to save what must not be lost. Synchronous, too. */
  readonly beforeTheEnd?: () => void;
  readonly takeAgain: () => void;
  readonly timers: Timers;
}

/** Keeps the process alive until SIGCONT arrives, while its input is paused. */
const STOPPED_MAX_MS = 2 ** 31 - 1;

export class ExitGuard {
  private readonly events: ProcessEvents;
  private readonly guarded: Guarded;
  private state: "off" | "on" | "stopped" = "off";
  private letGo: () => void = () => undefined;

  constructor(events: ProcessEvents, guarded: Guarded) {
    this.events = events;
    this.guarded = guarded;
  }

  arm(): void {
    if (this.state !== "off") return;
    this.state = "on";
    for (const [event, listener] of this.listeners) this.events.on(event, listener);
  }

  disarm(): void {
    this.state = "off";
    for (const [event, listener] of this.listeners) this.events.off(event, listener);
  }

  /** Ctrl+Z or SIGTSTP: restores the terminal, then stops the process. */
  readonly stop = (): void => {
    if (this.state !== "on") return;
    this.state = "stopped";
    this.guarded.giveBack();
    this.letGo = this.guarded.timers.after(STOPPED_MAX_MS, () => undefined);
    this.events.kill(this.events.pid, "SIGSTOP");
  };

  // After SIGSTOP, SIGCONT is the only notice: the shell has changed the modes and written over our rows, so everything
  // is set up again. In the background we continue without the terminal.
  private readonly continue = (): void => {
    if (this.state === "off" || terminalPlace() === "background") return;
    if (this.state === "on") this.guarded.giveBack();
    else this.letGo();
    this.state = "on";
    this.guarded.takeAgain();
  };

  /** For an exit that the process decides itself. */
  readonly giveBack = (): void => {
    // A background process that tries this is stopped by the system. The watchdog restores the terminal then.
    if (terminalPlace() === "background") this.state = "off";
    if (this.state === "on") this.guarded.giveBack();
    this.disarm();
  };

  // Not called after an exception, when the program may be in a bad state.
  private readonly end = (): void => {
    try {
      if (this.state === "on" && terminalPlace() !== "background") this.guarded.beforeTheEnd?.();
    } finally {
      this.giveBack();
    }
  };

  private readonly listeners = [
    ["exit", this.end],
    ["uncaughtExceptionMonitor", this.giveBack],
    ["SIGTSTP", this.stop],
    ["SIGCONT", this.continue],
    ...ENDING_SIGNALS.map((signal) => [signal, () => this.endBy(signal)] as const),
  ] as const;

  // With our listener removed, the signal ends the process in the usual way, so that the parent sees it.
  private endBy(signal: EndingSignal): void {
    this.end();
    this.events.kill(this.events.pid, signal);
  }
}

/**
 * Whether this process may read its terminal and set its modes: the system stops a background job that tries. Linux
 * lists the foreground process group: "12 (a name) S parent group session tty foreground-group …". On other systems the
 * foreground is assumed.
 */
export function terminalPlace(): "foreground" | "background" | "no terminal" {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (foreground === "-1") return "no terminal";
    return group === foreground ? "foreground" : "background";
  } catch {
    return "foreground";
  }
}
