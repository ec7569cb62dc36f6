// Finds the line in an agent's stderr that names the error, and the place in the agent's own code; without the stack and
// version that runtimes print.

import { basename } from "node:path";

/** `ReferenceError: x`, `Error [ERR_MODULE_NOT_FOUND]: x`, `pkg.SomeException: x`, `panic: x`. */
const NAMED_ERROR = /^(?:Uncaught )?(?:[\w$.]*(?:Error|Exception)(?: \[\w+\])?|panic|fatal(?: error)?): \S/;
const ABOUT_AN_ERROR = /error|exception|panic|cannot|not found|denied/i;
/** Stack lines, markers below source lines, closing brackets, Node's version. */
const AFTERMATH = /^(?:at |File "|\^+$|[{}\])]+[,;]?$|Node\.js v\d|[~^ ]+$)/;

/** A line of a stack: the file and the line. Python prints the innermost call last, Node and Go print it first. */
const PLACES = [
  { place: /^File "([^"<]+)", line (\d+)/, innermost: "last" },
  { place: /^at (?:.*\()?(?:file:\/\/)?(\/[^():]+):(\d+):\d+\)?$/, innermost: "first" },
  { place: /^(?:file:\/\/)?(\/[^():]+):(\d+)(?: \+0x[\da-f]+)?$/, innermost: "first" },
] as const;
const FOREIGN = /\/(?:node_modules|site-packages|dist-packages|lib\/python[\d.]+|go\/src\/runtime)\//;

/** "" when nothing was written. */
export function causeIn(stderr: string): string {
  return causeLines(stderr)[0] ?? "";
}

/** That line and the following ones, without stacks. */
export function causeLines(stderr: string): string[] {
  const lines = stderr.split("\n").map((line) => line.trim());
  const telling = lines.filter((line) => line !== "" && !AFTERMATH.test(line));
  const named = telling.findLastIndex((line) => NAMED_ERROR.test(line));
  const about = named >= 0 ? named : telling.findLastIndex((line) => ABOUT_AN_ERROR.test(line));
  const [cause, ...others] = telling.slice(about >= 0 ? about : -1);
  if (cause === undefined) return [];
  return [named >= 0 ? cause + placeIn(lines) : cause, ...others];
}

// " (agent.py:12)", or "" where no stack names a file of the agent.
function placeIn(lines: readonly string[]): string {
  for (const { place, innermost } of PLACES) {
    const own = lines.flatMap((line) => {
      const [, file = "", number] = place.exec(line) ?? [];
      return number === undefined || FOREIGN.test(file) ? [] : [` (${basename(file)}:${number})`];
    });
    const found = own.at(innermost === "last" ? -1 : 0);
    if (found !== undefined) return found;
  }
  return "";
}
