// A program whose dialog breaks at the first key, or with "draw" before it is seen, on the real terminal, for the test of how that ends.
import { MiniTerminal } from "../../../src/views/mini/mini-terminal.js";
import { openTerminalStreams } from "../../../src/views/mini/terminal-streams.js";

const streams = openTerminalStreams();
if (streams === null) throw new Error("there is no terminal");

const clock = {
  nowMs: () => performance.now(),
  after(delayMs: number, run: () => void) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

function breaks(): never {
  throw new Error("a dialog that breaks");
}

const terminal = new MiniTerminal(streams, {
  clock,
  environment: process.env,
  view: () => (process.argv[2] === "draw" ? breaks() : { rows: ["press any key"], cursor: null }),
  onKey: breaks,
  onResize: () => undefined,
  onGone: () => undefined,
  onGround: () => undefined,
  place: "over",
});
terminal.draw();
