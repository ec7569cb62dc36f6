// Gives the terminal back however the program ends: normally, by an exception, by a signal, by being stopped. It runs the
// restoring function exactly once per taking, and then lets the ending take its usual course.

import { terminalPlace } from "./foreground.js";
import type { EndingSignal, ProcessEvents, Timers } from "./streams.js";

const ENDING_SIGNALS: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

interface Guarded {
  /** Must be synchronous: in the last moments of a process nothing else runs any more. */
  readonly giveBack: () => void;
  /** The program is told to end in the middle of something: the moment for what must not be lost. Synchronous, too. */
  readonly beforeTheEnd?: () => void;
  /** After a stop, when the shell lets us continue. */
  readonly takeAgain: () => void;
  readonly timers: Timers;
}

/** With its input paused nothing else would keep the process alive until the news of its continuation arrives. */
const STOPPED_MAX_MS = 2 ** 31 - 1;

export class ExitGuard {
  private readonly events: ProcessEvents;
  private readonly guarded: Guarded;
  private state: "off" | "on" | "stopped" = "off";
  private letGo: () => void = () => undefined;
  private readonly signalListeners = new Map<EndingSignal, () => void>();

  constructor(events: ProcessEvents, guarded: Guarded) {
    this.events = events;
    this.guarded = guarded;
  }

  arm(): void {
    if (this.state !== "off") return;
    this.state = "on";
    this.events.on("exit", this.end);
    this.events.on("uncaughtExceptionMonitor", this.giveBack);
    this.events.on("SIGTSTP", this.stop);
    this.events.on("SIGCONT", this.continue);
    for (const signal of ENDING_SIGNALS) {
      const listener = () => this.endBy(signal);
      this.signalListeners.set(signal, listener);
      this.events.on(signal, listener);
    }
  }

  disarm(): void {
    this.state = "off";
    this.events.off("exit", this.end);
    this.events.off("uncaughtExceptionMonitor", this.giveBack);
    this.events.off("SIGTSTP", this.stop);
    this.events.off("SIGCONT", this.continue);
    for (const [signal, listener] of this.signalListeners) this.events.off(signal, listener);
    this.signalListeners.clear();
  }

  /** Ctrl+Z, or a stop from outside: the shell gets its terminal, then the process stops itself. */
  readonly stop = (): void => {
    if (this.state !== "on") return;
    this.state = "stopped";
    this.guarded.giveBack();
    this.letGo = this.guarded.timers.after(STOPPED_MAX_MS, () => undefined);
    this.events.kill(this.events.pid, "SIGSTOP");
  };

  // A stop that cannot be caught is known only by its end: the shell has had the terminal meanwhile, changed its modes and
  // written over our rows. All of it is taken anew then. In the background the terminal is somebody else's: we go on without
  // it, and take it when we are brought to the front.
  private readonly continue = (): void => {
    if (this.state === "off" || terminalPlace() === "background") return;
    if (this.state === "on") this.guarded.giveBack();
    else this.letGo();
    this.state = "on";
    this.guarded.takeAgain();
  };

  /** For an ending that the process does not see: the program cannot go on and says so. */
  readonly giveBack = (): void => {
    // Whoever tries it from the background is stopped by the system. The watchdog can do it there, and does when we are gone.
    if (terminalPlace() === "background") this.state = "off";
    if (this.state === "on") this.guarded.giveBack();
    this.disarm();
  };

  // After an exception nothing is asked of the rest of the program any more; here it is sound.
  private readonly end = (): void => {
    try {
      if (this.state === "on" && terminalPlace() !== "background") this.guarded.beforeTheEnd?.();
    } finally {
      this.giveBack();
    }
  };

  // Without our listener the signal does what it always does, so that the parent sees how we ended.
  private endBy(signal: EndingSignal): void {
    this.end();
    this.events.kill(this.events.pid, signal);
  }
}
