// What the user sent before, kept across runs: one JSON object a line, private to its owner, appended as it happens. Each folder
// has its own; lines of earlier versions are texts without a folder, and every folder has them. A history that cannot be read or
// written is empty.
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { objectOf } from "../../contract/json-value.js";
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

export function openHistory(path: string | null, folder: string): PromptHistory {
  if (path === null) return { load: () => [], append: () => undefined };
  return {
    load() {
      const entries = readEntries(path);
      if (entries.length > KEPT_MAX)
        keepQuiet(() =>
          writeFileSync(
            path,
            entries
              .slice(-KEPT_MAX / 2)
              .map(line)
              .join(""),
            { mode: 0o600 },
          ),
        );
      const own = entries.filter((entry) => entry.folder === folder || entry.folder === null);
      return own.slice(-OFFERED_MAX).map(({ text }) => text);
    },
    append(text) {
      keepQuiet(() => {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendFileSync(path, line({ text, folder }), { mode: 0o600 });
      });
    },
  };
}

interface Entry {
  readonly text: string;
  /** null: sent by a version that did not keep it. */
  readonly folder: string | null;
}

function readEntries(path: string): Entry[] {
  let text = "";
  keepQuiet(() => {
    // A device would never end.
    if (statSync(path).isFile()) text = readFileSync(path, "utf8");
  });
  return text.split("\n").flatMap(entryIn);
}

function entryIn(line: string): Entry[] {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "string") return [{ text: value, folder: null }];
    const { text, folder } = objectOf(value);
    return typeof text === "string" && typeof folder === "string" ? [{ text, folder }] : [];
  } catch {
    return [];
  }
}

function line({ text, folder }: Entry): string {
  return `${JSON.stringify(folder === null ? text : { folder, text })}\n`;
}

function keepQuiet(work: () => void): void {
  try {
    work();
  } catch {
    // Read-only homes and full disks are no reason to stop talking.
  }
}
