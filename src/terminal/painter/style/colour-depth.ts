// How many colours to use: what the person set, or what the environment says. NO_COLOR wins over everything that is only
// guessed, as it asks to; a setting of the person's own is no guess.
import type { Environment } from "../profile.js";
import type { ColourDepth } from "./look.js";

const SET: Readonly<Record<string, ColourDepth>> = { never: "none", "16": "16", "256": "256", true: "truecolor" };

export function colourDepthOf(
  environment: Environment,
  setting: "auto" | "never" | "16" | "256" | "true" = "auto",
): ColourDepth {
  const set = SET[setting];
  if (set !== undefined) return set;
  const term = environment["TERM"] ?? "";
  if (environment["NO_COLOR"] || term === "dumb") return "none";
  if (/^(?:truecolor|24bit)$/.test(environment["COLORTERM"] ?? "")) return "truecolor";
  if (/kitty|direct|ghostty/.test(term)) return "truecolor";
  return /256color/.test(term) ? "256" : "16";
}
