// Questions of a program on its own terminal, without settings or a history: what `palaver/ui` draws when no Palaver is around it.
import type { Ask, AskOutcome } from "../../contract/asks.js";
import { realTimers } from "../../system/timers.js";
import { type Appearance, glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { createStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, type GroundHints, themeFor } from "../../terminal/painter/style/theme-choice.js";
import { findAskView } from "./find-ask-view.js";
import { answeredLine, LocalAsks } from "./local-asks.js";

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
  const open = await findAskView({ ...here, author: "user", place: "below" });
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
