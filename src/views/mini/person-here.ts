// Who can be asked at this terminal, and how: by dialogs where the terminal can be drawn on, by plain lines where it cannot,
// not at all where there is none. This is where both meet the real streams.
import type { Appearance } from "../../terminal/painter/blocks/glyphs.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { isDumbTerminal } from "../reader/dumb-terminal.js";
import type { LinePersonParts, LineTerminal, LineTerminalHandlers } from "./line-person.js";
import type { MiniPersonParts } from "./mini-person.js";
import type { OpenPerson } from "./person.js";
import { hasTerminal, openTerminalStreams, type TerminalStreams } from "./terminal-streams.js";

export interface PersonHere {
  readonly clock: ScreenClock;
  readonly environment: Environment;
  readonly look: Appearance;
  readonly typingGuardMs: number;
  readonly author?: "user" | undefined;
}

/**
 * Null when there is nobody to ask. On a machine of a build service nobody looks, whatever it calls a terminal. What draws
 * and what reads is loaded only where it is needed.
 */
export async function findPerson(here: PersonHere): Promise<OpenPerson | null> {
  const { environment } = here;
  if (isBuildService(environment)) return null;
  if (!hasTerminal()) return standardStreams() === null ? null : linePerson(here, standardStreams);
  const canDraw = environment["TERM"] && !isDumbTerminal(environment);
  return canDraw ? miniPerson(here) : linePerson(here, openTerminalStreams);
}

async function miniPerson(here: PersonHere): Promise<OpenPerson> {
  const [{ MiniPerson }, { MiniTerminal }] = await Promise.all([
    import("./mini-person.js"),
    import("./mini-terminal.js"),
  ]);
  const openTerminal: MiniPersonParts["openTerminal"] = (parts) => {
    const streams = openTerminalStreams();
    return streams === null ? null : new MiniTerminal(streams, parts);
  };
  return (handlers) => new MiniPerson({ ...here, openTerminal }, handlers);
}

async function linePerson(here: PersonHere, open: () => TerminalStreams | null): Promise<OpenPerson> {
  const { LinePerson } = await import("./line-person.js");
  const openTerminal: LinePersonParts["openTerminal"] = (handlers) => {
    const streams = open();
    return streams === null ? null : lineTerminal(streams, handlers);
  };
  return (handlers) => new LinePerson({ ...here, openTerminal }, handlers);
}

function isBuildService(environment: Environment): boolean {
  return !/^(?:|0|false)$/i.test(environment["CI"] ?? "");
}

// Where there is no device for the terminal, the standard streams may still be one.
function standardStreams(): TerminalStreams | null {
  const { stdin: input, stderr: output } = process;
  if (process.platform !== "win32" || !input.isTTY || !output.isTTY) return null;
  return { input, output, close: () => input.pause() };
}

function lineTerminal({ input, output, close }: TerminalStreams, handlers: LineTerminalHandlers): LineTerminal {
  const take = (chunk: string) => handlers.onText(chunk);
  const gone = () => handlers.onGone();
  input.setEncoding("utf8").on("data", take).on("end", gone).resume();
  const interrupts = takeInterrupts(() => handlers.onInterrupt());
  // Whatever ends us, what is typed shows again.
  const restore = () => void input.setRawMode(false);
  process.on("exit", restore);
  return {
    write: (text) => void output.write(text),
    setEcho: (echo) => void input.setRawMode(echo === "hidden"),
    close() {
      process.off("exit", restore);
      interrupts.giveBack();
      input.off("data", take).off("end", gone);
      close();
    },
  };
}

// While a question stands there Ctrl+C is about the question, and about nothing else.
function takeInterrupts(onInterrupt: () => "taken" | "left"): { giveBack(): void } {
  const others = process.listeners("SIGINT");
  const interrupt = (signal: NodeJS.Signals) => {
    if (onInterrupt() === "left") for (const listener of others) listener(signal);
  };
  process.removeAllListeners("SIGINT");
  process.on("SIGINT", interrupt);
  return {
    giveBack() {
      process.off("SIGINT", interrupt);
      for (const listener of others) process.on("SIGINT", listener);
    },
  };
}
