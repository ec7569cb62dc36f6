// The terminal while a mini dialog has it: the alternate screen, raw keys, and every way back. However the dialog
// ends, what stood on the screen stands there again; after SIGKILL a watchdog sees to it.

import { startWatchdog, type Watchdog } from "../../system/after-kill.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { KeyStream } from "../../terminal/device/key-stream.js";
import { GIVE_KEYBOARD_BACK } from "../../terminal/device/modes.js";
import { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import type { Frame, Size } from "../../terminal/painter/frame.js";
import { FullScreen } from "../../terminal/painter/full-screen.js";
import { RESCUE_BYTES } from "../../terminal/painter/handover.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { ALTERNATE_LEAVE } from "../../terminal/painter/sequences.js";
import { endingsWithoutInterrupt, type TerminalStreams } from "./terminal-streams.js";

export interface MiniTerminalParts {
  readonly clock: ScreenClock;
  readonly environment: Environment;
  readonly view: (size: Size) => Frame;
  readonly onKey: (sequence: string) => void;
  readonly onResize: (size: Size) => void;
  /** The terminal went away. */
  readonly onGone: () => void;
}

const SUSPEND_KEY = "\x1a";
const AFTER_KILL = RESCUE_BYTES + ALTERNATE_LEAVE + GIVE_KEYBOARD_BACK;

export class MiniTerminal {
  private readonly streams: TerminalStreams;
  private readonly terminal: OwnedTerminal;
  private readonly full: FullScreen;
  private readonly keys: KeyStream;
  private readonly guard: ExitGuard;
  private watchdog: Watchdog;
  private state: "open" | "closing" | "closed" = "open";

  constructor(streams: TerminalStreams, parts: MiniTerminalParts) {
    this.streams = streams;
    const { clock, environment } = parts;
    const { input, output } = streams;
    this.terminal = new OwnedTerminal(
      { input, output, environment, timers: clock, windowEvents: process },
      {
        onKeyboard: (protocol) => {
          this.keys.protocol = protocol;
        },
        onResize: (size) => {
          parts.onResize(size);
          this.full.resize(size);
        },
        onProfile: () => undefined,
        onDrained: () => this.full.drained(),
        onInputClosed: () => parts.onGone(),
      },
    );
    this.keys = new KeyStream((sequence) => (sequence === SUSPEND_KEY ? this.guard.stop() : parts.onKey(sequence)));
    this.full = new FullScreen((bytes) => this.terminal.write(bytes), this.terminal.size, parts.view);
    this.guard = new ExitGuard(endingsWithoutInterrupt, {
      giveBack: () => this.giveBack(),
      takeAgain: () => this.take(),
      timers: clock,
    });
    this.watchdog = startWatchdog(AFTER_KILL);
    this.guard.arm();
    this.terminal.start();
    this.terminal.onInput((chunk) => this.keys.read(chunk));
    this.full.open();
  }

  get size(): Size {
    return this.terminal.size;
  }

  draw(): void {
    this.full.draw();
  }

  /** The screen is as it was at once; the keyboard when the terminal has answered what it was asked. */
  async close(): Promise<void> {
    if (this.state !== "open") return;
    this.state = "closing";
    this.full.close();
    await this.terminal.whenAnswered();
    if (this.isClosed) return;
    this.state = "closed";
    this.terminal.stop();
    this.guard.disarm();
    this.watchdog.dismiss();
    this.keys.close();
    this.streams.close();
  }

  private get isClosed(): boolean {
    return this.state === "closed";
  }

  private take(): void {
    this.watchdog = startWatchdog(AFTER_KILL);
    this.terminal.start();
    this.full.resize(this.terminal.size);
    this.full.open();
  }

  private giveBack(): void {
    this.full.close();
    this.terminal.write(RESCUE_BYTES);
    this.terminal.stop();
    this.watchdog.dismiss();
  }
}
