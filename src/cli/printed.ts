// Text that commands print, made safe for the terminal: it may hold file names, settings of a repository and answers of a daemon.

import type { LogEntry } from "../contract/daemon.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import { safeLines } from "../text/safe.js";

export function say(words: string): void {
  process.stdout.write(harmless(words));
}

export function complain(words: string): void {
  process.stderr.write(harmless(words));
}

/** Prints the stack of an error without secrets. */
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
