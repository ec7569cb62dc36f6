// A small program on a real terminal, for the tests beside it: it takes the terminal, shows a live area, and then ends in the
// way its first argument says.

import { ExitGuard } from "../../../src/terminal/device/exit-guard.js";
import { OwnedTerminal } from "../../../src/terminal/device/owned-terminal.js";
import { InlineScreen } from "../../../src/terminal/painter/inline-screen.js";

const timers = {
  nowMs: () => performance.now(),
  after(delayMs: number, run: () => void) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

const terminal = new OwnedTerminal(
  { input: process.stdin, output: process.stdout, environment: process.env, timers },
  {
    onKeyboard: () => undefined,
    onResize: (size) => screen.resize(size),
    onProfile: (profile) => {
      screen.setProfile(profile);
      show(`profile ${profile.name}`);
      end(process.argv[2] ?? "");
    },
    onDrained: () => screen.drained(),
    onInputClosed: () => process.exit(3),
  },
);
const screen = new InlineScreen({
  apply: (bytes) => terminal.write(bytes),
  clock: timers,
  size: terminal.size,
  profile: terminal.firstProfile,
  onViolation: "throw",
});
const guard = new ExitGuard(process, {
  timers,
  giveBack() {
    screen.suspend();
    terminal.stop();
  },
  takeAgain() {
    terminal.start();
    screen.resume();
  },
});

function show(status: string): void {
  screen.setLive(["▌ composer", `▌ ${status}`], { row: 0, column: 10 });
  screen.requestFrame("now");
}

function end(how: string): void {
  if (how === "exit") process.exit(0);
  if (how === "throw") throw new Error("a bug");
}

guard.arm();
screen.settle(["a settled line"]);
show("starting");
terminal.start();
terminal.onInput((keys) => {
  if (keys.includes("q")) process.exit(0);
  if (keys.includes("\x1a")) guard.stop();
  else show(`typed ${keys}`);
});
