// What the person sent before, kept across runs: one JSON string a line, private to its owner, appended as it happens.
// A history that cannot be read or written is a history that is empty; nobody loses his work over it.
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { type Environment, stateFolder as stateFolderIn } from "../../session/user-folders.js";

export interface PromptHistory {
  /** The oldest first. */
  load(): string[];
  append(text: string): void;
}

/** How many are offered again, and how many may pile up in the file before the oldest are dropped from it. */
const OFFERED_MAX = 500;
const KEPT_MAX = 2_000;

/** Where this program keeps what it remembers; null when the machine has no place for it. */
export function stateFolder(environment: Environment): string | null {
  return stateFolderIn(environment, () => userInfo().homedir);
}

export function historyPath(environment: Environment): string | null {
  const folder = stateFolder(environment);
  return folder === null ? null : join(folder, "history.jsonl");
}

export function openHistory(path: string | null): PromptHistory {
  if (path === null) return { load: () => [], append: () => undefined };
  return {
    load() {
      const entries = readEntries(path);
      if (entries.length > KEPT_MAX)
        keepQuiet(() => writeFileSync(path, entries.slice(-OFFERED_MAX).map(line).join(""), { mode: 0o600 }));
      return entries.slice(-OFFERED_MAX);
    },
    append(text) {
      keepQuiet(() => {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendFileSync(path, line(text), { mode: 0o600 });
      });
    },
  };
}

function readEntries(path: string): string[] {
  let text = "";
  keepQuiet(() => {
    // A device would never end.
    if (statSync(path).isFile()) text = readFileSync(path, "utf8");
  });
  return text.split("\n").flatMap((entry) => {
    try {
      const value: unknown = JSON.parse(entry);
      return typeof value === "string" ? [value] : [];
    } catch {
      return [];
    }
  });
}

function line(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

function keepQuiet(work: () => void): void {
  try {
    work();
  } catch {
    // Read-only homes and full disks are no reason to stop talking.
  }
}
