// Text that commands print, made safe for the terminal: it may hold file names, settings of a repository and answers of a daemon.

import type { LogEntry } from "../contract/daemon.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import { safeLine, safeLines } from "../text/safe.js";
import { textWidth } from "../text/width.js";

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

/** One word for a shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Each column is as wide as its widest cell. */
export function tableLines(rows: readonly (readonly string[])[], gap = "  "): string[] {
  const cells = rows.map((row) => row.map(safeLine));
  const width = (column: number) => Math.max(...cells.map((row) => textWidth(row[column] ?? "")));
  const padded = (cell: string, column: number) => cell + " ".repeat(width(column) - textWidth(cell));
  return cells.map((row) => row.map(padded).join(gap).trimEnd());
}

const NAME_CELLS = 8;

export function logWords({ timestamp, handler_name: name, content }: LogEntry): string {
  const lines = safeLines(content);
  const head = `${safeLines(timestamp)[0] ?? ""} ${(safeLines(name)[0] ?? "").padEnd(NAME_CELLS)}`;
  const indent = " ".repeat(head.length);
  return lines.map((line, index) => `${index === 0 ? head : indent} ${line}\n`).join("");
}
