// Finds the line in an agent's stderr that names the error, without the stack and version that runtimes print.

/** `ReferenceError: x`, `Error [ERR_MODULE_NOT_FOUND]: x`, `pkg.SomeException: x`, `panic: x`. */
const NAMED_ERROR = /^(?:Uncaught )?(?:[\w$.]*(?:Error|Exception)(?: \[\w+\])?|panic|fatal(?: error)?): \S/;
const ABOUT_AN_ERROR = /error|exception|panic|cannot|not found|denied/i;
/** Stack lines, markers below source lines, closing brackets, Node's version. */
const AFTERMATH = /^(?:at |File "|\^+$|[{}\])]+[,;]?$|Node\.js v\d|[~^ ]+$)/;

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
  return telling.slice(about >= 0 ? about : -1);
}
