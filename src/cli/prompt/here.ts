// The dialogs of this process, on its terminal if it has one.
import { type Appearance, glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import { createStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, type GroundHints, themeFor } from "../../terminal/painter/style/theme-choice.js";
import type { OpenAskView } from "../../views/mini/ask-view.js";
import type { LoadedConfig } from "../config/load-config.js";
import { processClock } from "../process-clock.js";

/** Null when no one can be asked here, or no one shall be. A script of the user's own asks below what it printed. */
export async function askViewHere(
  config: LoadedConfig,
  input: "asked" | "off",
  author?: "user",
): Promise<OpenAskView | null> {
  if (input === "off") return null;
  const { settings, environment } = config;
  const { findAskView } = await import("../../views/mini/find-ask-view.js");
  return findAskView({
    clock: processClock,
    author,
    // A script has no flag for a diff, and its texts are no Markdown.
    asks: author === "user" ? "plain" : "any",
    place: author === "user" ? "below" : "over",
    environment,
    typingGuardMs: settings.typing_guard_ms,
    lookOn: (ground) => lookHere(config, ground),
  });
}

export function lookHere({ settings, environment }: LoadedConfig, ground: GroundHints = {}): Appearance {
  const theme = themeFor(settings.theme, { colorfgbg: environment["COLORFGBG"], ...ground });
  return {
    style: createStyle({ theme, depth: colourDepthOf(environment, settings.colour) }),
    glyphs: glyphsFor(environment),
  };
}
