// This process as prompt mode and `palaver ask` need it: its clock, its look for dialogs, and whether somebody is here.

import type { OpenPerson } from "../../prompt/person.js";
import { asciiGlyphs, unicodeGlyphs } from "../../screen/blocks/glyphs.js";
import type { ScreenClock } from "../../screen/inline-screen.js";
import { colourDepthOf } from "../../screen/style/colour-depth.js";
import { createStyle } from "../../screen/style/style.js";
import { themeFor } from "../../screen/style/theme-choice.js";
import type { LoadedConfig } from "../config/load-config.js";

/** A longer delay overflows the platform's timer and would end at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

export const processClock: ScreenClock = {
  nowMs: () => performance.now(),
  // The platform cuts fractions off and may be a millisecond early; a deadline that is looked at too early is missed.
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.ceil(delayMs) + 1, DELAY_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** Null when nobody can be asked here, or nobody shall be. */
export async function personHere(
  { settings, environment }: LoadedConfig,
  wish: "ask" | "ask-nobody",
): Promise<OpenPerson | null> {
  if (wish === "ask-nobody") return null;
  const { findPerson } = await import("../../prompt/person-here.js");
  const theme = themeFor(settings.theme, { colorfgbg: environment["COLORFGBG"] });
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "UTF-8";
  return findPerson({
    clock: processClock,
    environment,
    typingGuardMs: settings.typing_guard_ms,
    look: {
      style: createStyle({ theme, depth: colourDepthOf(environment, settings.colour) }),
      glyphs: /utf-?8/i.test(locale) ? unicodeGlyphs : asciiGlyphs,
    },
  });
}
