// The terminal while a mini dialog uses it: screen, raw keys, and how to restore it. The dialog of an agent uses the alternate
// screen; that of a script is drawn below the script's output. However it ends, the previous screen is restored; after SIGKILL
// a watchdog does it.

import { startWatchdog, type Watchdog } from "../../system/after-kill.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { KeyStream } from "../../terminal/device/key-stream.js";
import { GIVE_KEYBOARD_BACK } from "../../terminal/device/modes.js";
import { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import type { Frame, Size } from "../../terminal/painter/frame.js";
import { FullScreen } from "../../terminal/painter/full-screen.js";
import { RESCUE_BYTES } from "../../terminal/painter/handover.js";
import { type ApplyTerminalEffects, InlineScreen, type ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { Environment, Profile } from "../../terminal/painter/profile.js";
import { ALTERNATE_LEAVE } from "../../terminal/painter/sequences.js";
import { endingsWithoutInterrupt, type TerminalStreams } from "./terminal-streams.js";

export interface MiniTerminalParts {
  /** "over": on the alternate screen; "below": under what was printed. */
  readonly place: "over" | "below";
  readonly clock: ScreenClock;
  readonly environment: Environment;
  readonly view: (size: Size) => Frame;
  readonly onKey: (sequence: string) => void;
  readonly onResize: (size: Size) => void;
  /** The terminal went away. */
  readonly onGone: () => void;
  /** The terminal reported its background. */
  readonly onGround: (sequence: string) => void;
}

interface MiniScreen {
  open(): void;
  draw(): void;
  resize(size: Size): void;
  drained(): void;
  /** The terminal is as it was; `open` may come again. */
  close(): void;
  profileKnown(profile: Profile): void;
  cursorSeen(column: number): void;
}

const SUSPEND_KEY = "\x1a";
const AFTER_KILL = {
  over: RESCUE_BYTES + ALTERNATE_LEAVE + GIVE_KEYBOARD_BACK,
  below: RESCUE_BYTES + GIVE_KEYBOARD_BACK,
} as const;

export class MiniTerminal {
  private readonly streams: TerminalStreams;
  private readonly terminal: OwnedTerminal;
  private readonly screen: MiniScreen;
  private readonly place: MiniTerminalParts["place"];
  private readonly keys: KeyStream;
  private readonly guard: ExitGuard;
  private watchdog: Watchdog | null = null;
  private state: "open" | "closing" | "closed" = "open";

  constructor(streams: TerminalStreams, parts: MiniTerminalParts) {
    this.streams = streams;
    this.place = parts.place;
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
          this.screen.resize(size);
        },
        onProfile: (profile) => this.screen.profileKnown(profile),
        onCursorColumn: (column) => this.screen.cursorSeen(column),
        onDrained: () => this.screen.drained(),
        onGround: (sequence) => parts.onGround(sequence),
        onInputClosed: () => parts.onGone(),
      },
    );
    this.keys = new KeyStream((sequence) => (sequence === SUSPEND_KEY ? this.guard.stop() : parts.onKey(sequence)));
    const apply = (bytes: string) => this.terminal.write(bytes);
    this.screen =
      parts.place === "over" ? screenOver(apply, this.terminal, parts) : screenBelow(apply, this.terminal, parts);
    this.guard = new ExitGuard(endingsWithoutInterrupt, {
      giveBack: () => this.giveBack(),
      takeAgain: () => this.take(),
      timers: clock,
    });
    this.guard.arm();
    this.terminal.start();
    this.terminal.onInput((chunk) => this.keys.read(chunk));
    this.screen.open();
    // Starting it takes longer than drawing.
    this.watchdog = startWatchdog(AFTER_KILL[this.place]);
  }

  get size(): Size {
    return this.terminal.size;
  }

  draw(): void {
    this.screen.draw();
  }

  /** The screen is as it was at once; the keyboard when the terminal has answered what it was asked. */
  async close(): Promise<void> {
    if (this.state !== "open") return;
    this.state = "closing";
    this.screen.close();
    await this.terminal.whenAnswered();
    if (this.isClosed) return;
    this.state = "closed";
    this.terminal.stop();
    this.guard.disarm();
    this.watchdog?.dismiss();
    this.keys.close();
    this.streams.close();
  }

  private get isClosed(): boolean {
    return this.state === "closed";
  }

  private take(): void {
    this.watchdog = startWatchdog(AFTER_KILL[this.place]);
    this.terminal.start();
    this.screen.resize(this.terminal.size);
    this.screen.open();
  }

  private giveBack(): void {
    this.screen.close();
    this.terminal.write(RESCUE_BYTES);
    this.terminal.stop();
    this.watchdog?.dismiss();
  }
}

function screenOver(apply: ApplyTerminalEffects, { size }: OwnedTerminal, { view }: MiniTerminalParts): MiniScreen {
  const full = new FullScreen(apply, size, view);
  const nothing = () => undefined;
  return {
    open: () => full.open(),
    draw: () => full.draw(),
    resize: (now) => full.resize(now),
    drained: () => full.drained(),
    close: () => full.close(),
    profileKnown: nothing,
    cursorSeen: nothing,
  };
}

function screenBelow(
  apply: ApplyTerminalEffects,
  terminal: OwnedTerminal,
  { view, clock }: MiniTerminalParts,
): MiniScreen {
  const { size, firstProfile: profile } = terminal;
  const measure = () => terminal.measure();
  const inline = new InlineScreen({ apply, measure, clock, size, profile, onViolation: "count" });
  const shown = (now: Size) => ({ ...view(now), transcriptRows: 0 });
  return {
    open() {
      inline.setView(shown);
      inline.resume();
      inline.requestFrame("now");
    },
    draw: () => inline.requestFrame("now"),
    resize: (now) => inline.resize(now),
    drained: () => inline.drained(),
    close: () => inline.suspend(),
    profileKnown: (known) => {
      inline.setProfile(known);
      inline.requestFrame("now");
    },
    cursorSeen: (column) => inline.cursorSeen(column),
  };
}
