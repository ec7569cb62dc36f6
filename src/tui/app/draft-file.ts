// What the person has written and not sent, kept for the case that everything ends at once: a private file for each folder,
// written a moment after the last key and gone as soon as there is nothing to keep.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ScreenClock } from "../../screen/inline-screen.js";

export interface DraftKeeper {
  /** What was left behind, once; null when nothing was. */
  recover(): string | null;
  /** The text is this now. */
  changed(text: string): void;
  /** Everything is in order: nothing has to be recovered. */
  end(): void;
}

const QUIET_MS = 500;
const DRAFT_UNITS_MAX = 1024 * 1024;

/** One draft for each folder one works in. */
export function draftPath(stateFolder: string | null, folder: string): string | null {
  if (stateFolder === null) return null;
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return join(stateFolder, "drafts", `${name}.txt`);
}

export function keepDraft(path: string | null, clock: ScreenClock): DraftKeeper {
  let kept = "";
  let wanted = "";
  let cancel: (() => void) | null = null;
  const write = () => {
    cancel = null;
    if (path === null || wanted === kept) return;
    kept = wanted;
    quietly(() => (wanted === "" ? rmSync(path, { force: true }) : replace(path, wanted)));
  };
  return {
    recover() {
      let text: string | null = null;
      if (path !== null) quietly(() => (text = readFileSync(path, "utf8")));
      kept = text ?? "";
      return kept === "" ? null : kept;
    },
    changed(text) {
      wanted = text.slice(0, DRAFT_UNITS_MAX);
      if (wanted !== kept) cancel ??= clock.after(QUIET_MS, write);
    },
    end() {
      cancel?.();
      wanted = "";
      write();
    },
  };
}

// Renamed into its place, so that a draft is there whole or not at all.
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, text, { mode: 0o600 });
  renameSync(beside, path);
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // A draft that cannot be kept is no reason to disturb the person who writes it.
  }
}
