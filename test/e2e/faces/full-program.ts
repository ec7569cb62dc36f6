// A small program on the full screen, for the tests beside it: twenty lines, a live area, and an end of the wished kind.

import { startWatchdog, type Watchdog } from "../../../src/system/after-kill.js";
import { ExitGuard } from "../../../src/terminal/device/exit-guard.js";
import { GIVE_KEYBOARD_BACK } from "../../../src/terminal/device/modes.js";
import { OwnedTerminal } from "../../../src/terminal/device/owned-terminal.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { InlineScreen } from "../../../src/terminal/painter/inline-screen.js";
import { createStyle } from "../../../src/terminal/painter/style/style.js";
import { LEAVE_FULL_SCREEN } from "../../../src/views/inline/full-modes.js";
import { TerminalSurface } from "../../../src/views/inline/terminal-surface.js";

const clock = {
  nowMs: () => performance.now(),
  after(delayMs: number, run: () => void) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
let watchdog: Watchdog | null = null;
const terminal = new OwnedTerminal(
  { input: process.stdin, output: process.stdout, environment: process.env, timers: clock, windowEvents: process },
  {
    onKeyboard: () => undefined,
    onResize: (size) => surface.resize(size),
    onProfile: (profile) => {
      surface.setProfile(profile);
      surface.settle(Array.from({ length: 20 }, (_, index) => `line ${index + 1}`));
      surface.requestFrame("now");
    },
    onDrained: () => surface.drained(),
    onInputClosed: () => process.exit(3),
  },
);
const apply = (bytes: string) => terminal.write(bytes);
const inline = new InlineScreen({
  apply,
  clock,
  size: terminal.size,
  profile: terminal.firstProfile,
  onViolation: "throw",
});
const surface = new TerminalSurface({
  inline,
  apply,
  clock,
  look: { style: createStyle({ theme: "harbour", depth: "none" }), glyphs: unicodeGlyphs },
  onAlternate(use) {
    watchdog?.dismiss();
    watchdog = startWatchdog((use === "entered" ? LEAVE_FULL_SCREEN : "") + GIVE_KEYBOARD_BACK);
  },
});
const guard = new ExitGuard(process, {
  timers: clock,
  giveBack() {
    surface.suspend();
    terminal.stop();
    watchdog?.dismiss();
  },
  takeAgain() {
    terminal.start();
    surface.resume();
  },
});

guard.arm();
terminal.start();
surface.setView(() => ({ rows: ["▌ composer"], cursor: { row: 0, column: 2 } }));
surface.setMode("full");
terminal.onInput((keys) => {
  if (keys === "q") process.exit(0);
  if (keys === "x") throw new Error("a bug");
  if (keys === "i") surface.setMode("inline");
  else if (keys === "\x1a") guard.stop();
  else surface.key(keys);
});
