// Whether this process may read its terminal and set its modes. A job in the background that tries is stopped by the system,
// and nobody would know why.
import { readFileSync } from "node:fs";

/**
 * Linux tells which group of processes has the terminal: "12 (a name) S parent group session tty group-with-the-terminal …".
 * Elsewhere it is believed to be ours.
 */
export function terminalPlace(): "foreground" | "background" | "no terminal" {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (foreground === "-1") return "no terminal";
    return group === foreground ? "foreground" : "background";
  } catch {
    return "foreground";
  }
}
