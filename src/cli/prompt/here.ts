// The dialogs of this process: on its terminal, where there is one.
import { glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import { createStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, themeFor } from "../../terminal/painter/style/theme-choice.js";
import type { OpenAskView } from "../../views/mini/ask-view.js";
import type { LoadedConfig } from "../config/load-config.js";
import { processClock } from "../process-clock.js";

/** Null when no one can be asked here, or no one shall be. */
export async function askViewHere(
  { settings, environment }: LoadedConfig,
  input: "asked" | "off",
  author?: "user",
): Promise<OpenAskView | null> {
  if (input === "off") return null;
  const { findAskView } = await import("../../views/mini/find-ask-view.js");
  const theme = themeFor(settings.theme, { colorfgbg: environment["COLORFGBG"] });
  return findAskView({
    clock: processClock,
    author,
    environment,
    typingGuardMs: settings.typing_guard_ms,
    look: {
      style: createStyle({ theme, depth: colourDepthOf(environment, settings.colour) }),
      glyphs: glyphsFor(environment),
    },
  });
}
