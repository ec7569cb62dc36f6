// The unsent draft on disk, in case the process is killed: a private file for each agent in each folder, written shortly after the last key
// and deleted when there is nothing to keep.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";

export interface DraftKeeper {
  /** What was left behind, once; null when nothing was. */
  recover(): string | null;
  /** The text is this now. */
  changed(text: string): void;
  /** Everything is in order: only what is `left` has to be recovered. Settles when the disk knows it. */
  end(left: string): Promise<void>;
}

const QUIET_MS = 500;
const DRAFT_UNITS_MAX = 1024 * 1024;

/** What was written for one agent must not be sent to another one. */
export function draftPath(stateFolder: string | null, folder: string, agent: string): string | null {
  if (stateFolder === null) return null;
  const name = createHash("sha256").update(`${folder}\0${agent}`).digest("hex").slice(0, 16);
  return join(stateFolder, "drafts", `${name}.txt`);
}

export function keepDraft(path: string | null, clock: ScreenClock): DraftKeeper {
  let kept = "";
  let wanted = "";
  let cancel: (() => void) | null = null;
  // One after the other, and beside the typing: a slow disk must not be felt in the keys.
  let written = Promise.resolve();
  const write = () => {
    cancel = null;
    written = written.then(async () => {
      if (path === null || wanted === kept) return;
      kept = wanted;
      await (kept === "" ? rm(path, { force: true }) : replace(path, kept)).catch(notWorthAWord);
    });
    return written;
  };
  return {
    recover() {
      try {
        kept = path === null ? "" : readFileSync(path, "utf8");
      } catch {
        kept = "";
      }
      return kept === "" ? null : kept;
    },
    changed(text) {
      wanted = text.slice(0, DRAFT_UNITS_MAX);
      if (wanted !== kept) cancel ??= clock.after(QUIET_MS, () => void write());
    },
    end(left) {
      cancel?.();
      wanted = left;
      return write();
    },
  };
}

// Renamed into its place, so that a draft is there whole or not at all.
async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}

// A draft that cannot be kept is no reason to disturb the user who writes it.
function notWorthAWord(): void {}
