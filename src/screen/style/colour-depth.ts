// How many colours to use, from what the environment says. NO_COLOR wins over everything, as it asks to.
import type { Environment } from "../profile.js";
import type { ColourDepth } from "./look.js";

export function colourDepthOf(environment: Environment): ColourDepth {
  const term = environment["TERM"] ?? "";
  if (environment["NO_COLOR"] || term === "dumb") return "none";
  if (/^(?:truecolor|24bit)$/.test(environment["COLORTERM"] ?? "")) return "truecolor";
  if (/kitty|direct|ghostty/.test(term)) return "truecolor";
  return /256color/.test(term) ? "256" : "16";
}
