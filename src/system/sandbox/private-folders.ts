// The private home and /tmp of a sandbox, on disk below the system's folder for such things. They are removed at the end;
// what a killed process left behind is removed by a later one.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PrivateFolders } from "./policy-here.js";

const PREFIX = "palaver-sandbox-";
/** A process that cannot be seen may live in another container that shares the folder. */
const LEFT_FOR_MS_MIN = 24 * 60 * 60 * 1_000;

export function makePrivateFolders(): PrivateFolders & { readonly top: string } {
  removeStale(tmpdir());
  const top = realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
  const own = {
    top,
    home: join(top, "home"),
    tmp: join(top, "tmp"),
    empty: { file: join(top, "empty-file"), folder: join(top, "empty-folder") },
  };
  for (const folder of [own.home, own.tmp, own.empty.folder]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(own.empty.file, "", { mode: 0o400 });
  return own;
}

export function removePrivateFolders({ top }: { readonly top: string }): void {
  rmSync(top, { recursive: true, force: true, maxRetries: 5 });
}

function removeStale(place: string): void {
  for (const name of readdirSync(place).filter((each) => each.startsWith(PREFIX))) {
    const [, pid = ""] = /^palaver-sandbox-(\d+)-/.exec(name) ?? [];
    const top = join(place, name);
    try {
      const { uid, mtimeMs } = statSync(top);
      const isStale = uid === process.getuid?.() && Date.now() - mtimeMs > LEFT_FOR_MS_MIN && !isAlive(Number(pid));
      if (isStale) removePrivateFolders({ top });
    } catch {
      // Another process removes it, too.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
