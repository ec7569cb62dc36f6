// Whether a terminal can do nothing but append: what is written for others would stand there as letters.
import type { Environment } from "../../terminal/painter/profile.js";

export function isDumbTerminal({ TERM }: Environment): boolean {
  return TERM === "dumb" || TERM === "unknown";
}
