// Whether a terminal can only append text: escape sequences would be printed on it as characters.
import type { Environment } from "../../terminal/painter/profile.js";

export function isDumbTerminal({ TERM }: Environment): boolean {
  return TERM === "dumb" || TERM === "unknown";
}
