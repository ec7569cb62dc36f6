// What commands print in words: made harmless on its way out, because names of files, settings of a repository and answers of
// a daemon are in it, and a terminal obeys what it is shown.

import type { LogEntry } from "../contract/daemon.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import { safeLines } from "../text/safe.js";

/** Words on standard output, a line break at their end. */
export function say(words: string): void {
  process.stdout.write(harmless(words));
}

/** Words on standard error. */
export function complain(words: string): void {
  process.stderr.write(harmless(words));
}

/** Where an error came from, for whoever has to find it: without the secrets that may be in its words. */
export function tellStack(error: Error, environment: Readonly<Record<string, string | undefined>>): void {
  complain(createRedactor(secretsIn(environment)).text(error.stack ?? error.message));
}

function harmless(words: string): string {
  return safeLines(words)
    .map((line) => `${line}\n`)
    .join("");
}

const NAME_CELLS = 8;

export function logWords({ timestamp, handler_name: name, content }: LogEntry): string {
  const lines = safeLines(content);
  const head = `${safeLines(timestamp)[0] ?? ""} ${(safeLines(name)[0] ?? "").padEnd(NAME_CELLS)}`;
  const indent = " ".repeat(head.length);
  return lines.map((line, index) => `${index === 0 ? head : indent} ${line}\n`).join("");
}
