// Finds the line in an agent's stderr that names the error, and the place in the agent's own code; without the stack and
// version that runtimes print.

import { basename } from "node:path";

/** `ReferenceError: x`, `Error [ERR_MODULE_NOT_FOUND]: x`, `pkg.SomeException: x`, `panic: x`. */
const NAMED_ERROR = /^(?:Uncaught )?(?:[\w$.]*(?:Error|Exception)(?: \[\w+\])?|panic|fatal(?: error)?): \S/;
const ABOUT_AN_ERROR = /error|exception|panic|cannot|not found|denied/i;
/** Stack lines, markers below source lines, closing brackets, Node's version. */
const AFTERMATH = /^(?:at |File "|\^+$|[{}\])]+[,;]?$|Node\.js v\d|[~^ ]+$)/;

/** A line of a stack: the file and the line. Python prints its stack above the error and ends with the innermost call; Node and Go
 * print theirs below it and begin with that call. Above an error of syntax Node prints the place alone. */
const PLACES = [
  { place: /^File "([^"<]+)", line (\d+)/, stands: "above" },
  { place: /^at (?:.*\()?(?:file:\/\/)?(\/[^():]+):(\d+):\d+\)?$/, stands: "below" },
  { place: /^(\/[^():]+):(\d+)(?: \+0x[\da-f]+)?$/, stands: "below" },
  { place: /^(?:file:\/\/)?(\/[^():]+):(\d+)$/, stands: "above" },
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
  return [named >= 0 ? cause + placeAround(cause, lines) : cause, ...others];
}

// " (agent.py:12)", or "" where no stack of this error names a file of the agent. Stacks of earlier errors do not count.
function placeAround(cause: string, lines: readonly string[]): string {
  const at = lines.lastIndexOf(cause);
  const below = lines.slice(at + 1);
  const above = lines.slice(0, at);
  const ofThisError = above.slice(above.findLastIndex((line) => NAMED_ERROR.test(line)) + 1);
  for (const { place, stands } of PLACES) {
    const own = placesIn(stands === "above" ? ofThisError : below, place);
    const found = own.at(stands === "above" ? -1 : 0);
    if (found !== undefined) return found;
  }
  return "";
}

function placesIn(lines: readonly string[], place: RegExp): string[] {
  return lines.flatMap((line) => {
    const [, file = "", number] = place.exec(line) ?? [];
    return number === undefined || FOREIGN.test(file) ? [] : [` (${basename(file)}:${number})`];
  });
}
