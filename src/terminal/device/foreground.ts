// Whether this process may read its terminal and set its modes. The system stops a background job that tries.
import { readFileSync } from "node:fs";

/**
 * Linux lists the foreground process group: "12 (a name) S parent group session tty foreground-group …". On other
 * systems the foreground is assumed.
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
