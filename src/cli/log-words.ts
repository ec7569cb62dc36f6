// A log line of a daemon as a person reads it, made safe: what a build prints may hold anything.
//
//   12:04:33 tests    1 failed, 212 passed
import type { LogEntry } from "../contract/daemon.js";
import { safeLines } from "../text/safe.js";

const NAME_CELLS = 8;

export function logWords({ timestamp, handler_name: name, content }: LogEntry): string {
  const lines = safeLines(content);
  const head = `${safeLines(timestamp)[0] ?? ""} ${(safeLines(name)[0] ?? "").padEnd(NAME_CELLS)}`;
  const indent = " ".repeat(head.length);
  return lines.map((line, index) => `${index === 0 ? head : indent} ${line}\n`).join("");
}
