// Chooses the view for asks on the terminal of this process: dialogs where rows can be drawn, plain lines where they cannot,
// none without a terminal. Both get the real streams here.

import type { Ask, AskOutcome } from "../../contract/asks.js";
import { realTimers } from "../../system/timers.js";
import { type Appearance, glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { createStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, type GroundHints, themeFor } from "../../terminal/painter/style/theme-choice.js";
import { isDumbTerminal } from "../reader/dumb-terminal.js";
import type { OpenAskView } from "./ask-view.js";
import type { DialogViewParts } from "./dialog-view.js";
import type { LineTerminal, LineTerminalHandlers, LineViewParts } from "./line-view.js";
import { answeredLine, LocalAsks } from "./local-asks.js";
import { hasTerminal, openTerminalStreams, type TerminalStreams } from "./terminal-streams.js";

export interface AskSurroundings {
  readonly clock: ScreenClock;
  readonly environment: Environment;
  readonly typingGuardMs: number;
  readonly author?: "user" | undefined;
  readonly place?: DialogViewParts["place"];
  /** "plain": no approval among them comes with a diff or with Markdown. */
  readonly asks: "any" | "plain";
  lookOn(ground: GroundHints): Appearance;
}

/**
 * Null when no one can be asked: without a terminal, and on a build service, whatever it calls a terminal. What draws and what
 * reads is loaded only where it is needed.
 */
export async function findAskView(here: AskSurroundings): Promise<OpenAskView | null> {
  const { environment } = here;
  if (isBuildService(environment)) return null;
  if (!hasTerminal()) return standardStreams() === null ? null : lineView(here, standardStreams);
  const canDraw = environment["TERM"] && !isDumbTerminal(environment);
  return canDraw ? dialogView(here) : lineView(here, openTerminalStreams);
}

async function dialogView(here: AskSurroundings): Promise<OpenAskView> {
  const [{ DialogView }, { MiniTerminal }, { richRows }] = await Promise.all([
    import("./dialog-view.js"),
    import("./mini-terminal.js"),
    here.asks === "plain" ? { richRows: undefined } : import("../../terminal/painter/dialogs/rich-rows.js"),
  ]);
  const openTerminal: DialogViewParts["openTerminal"] = (parts) => {
    const streams = openTerminalStreams();
    return streams === null ? null : new MiniTerminal(streams, parts);
  };
  return (ports) => new DialogView({ ...here, rich: richRows, openTerminal }, ports);
}

async function lineView(here: AskSurroundings, open: () => TerminalStreams | null): Promise<OpenAskView> {
  const { LineView } = await import("./line-view.js");
  const openTerminal: LineViewParts["openTerminal"] = (handlers) => {
    const streams = open();
    return streams === null ? null : lineTerminal(streams, handlers);
  };
  return (ports) => new LineView({ ...here, openTerminal }, ports);
}

export function isBuildService(environment: Environment): boolean {
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

// While a question is open, Ctrl+C cancels the question and nothing else.
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

// What `palaver/ui` shows when the program runs without Palaver: its questions on its own terminal, without settings or history.

/** How long the keys must have been silent before a question takes one. */
const TYPING_GUARD_MS = 800;

const clock = {
  nowMs: () => performance.now(),
  // The platform may be a millisecond early, and a deadline that is looked at too early is missed.
  after: (delayMs: number, run: () => void) => realTimers.after(Math.ceil(delayMs) + 1, run),
};

export interface TerminalAsks {
  ask(ask: Ask): Promise<AskOutcome>;
  withdraw(askId: string): void;
  close(): Promise<void>;
}

/** Null when no one can be asked here. */
export async function openTerminalAsks(environment: Environment): Promise<TerminalAsks | null> {
  const lookOn = (ground: GroundHints): Appearance => ({
    style: createStyle({
      theme: themeFor("auto", { colorfgbg: environment["COLORFGBG"], ...ground }),
      depth: colourDepthOf(environment),
    }),
    glyphs: glyphsFor(environment),
  });
  const here = { clock, environment, typingGuardMs: TYPING_GUARD_MS, lookOn };
  const open = await findAskView({ ...here, asks: "any", author: "user", place: "below" });
  if (open === null) return null;
  const asks = new LocalAsks({ clock });
  asks.show(open);
  return {
    async ask(ask) {
      const outcome = await asks.ask(ask);
      if (asks.shownAs === "drawn") await asks.whenHidden();
      const line = asks.shownAs === "drawn" && process.stderr.isTTY ? answeredLine(ask, outcome, lookOn({})) : null;
      if (line !== null) process.stderr.write(line);
      return outcome;
    },
    withdraw: (askId) => asks.withdraw(askId, "agent_cancelled"),
    close: () => asks.close(),
  };
}
