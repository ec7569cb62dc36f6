// A fault as one sentence for the user: what is wrong, and the beginning of the line in which it is.
import type { Fault } from "../contract/errors.js";
import { safeLine } from "../text/safe.js";

const LINE_CHARS_SHOWN = 100;

// Each part is made safe by itself: an unfinished sequence at the end of one must not swallow the beginning of the next.
export function faultWords({ message, excerpt }: Fault): string {
  const line = excerpt.trim();
  if (line === "") return message;
  const said = safeLine(message);
  const shown = line.length > LINE_CHARS_SHOWN ? `${line.slice(0, LINE_CHARS_SHOWN)}…` : line;
  return `${said}${/[.?!]$/.test(said) ? "" : "."} The line: ${shown}`;
}
