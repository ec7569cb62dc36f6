// A file for this run alone, readable by its owner only, that no way of ending leaves behind: we remove it when we leave, and
// a small shell at the other end of a pipe does when we were killed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface PrivateFile {
  readonly path: string;
  remove(): void;
}

const SWEEPER = `trap '' HUP INT TERM QUIT
read -r word
rm -f -- "$FILE"
rmdir -- "$FOLDER" 2>/dev/null`;

export function writePrivateFile(name: string, content: string): PrivateFile {
  const folder = mkdtempSync(resolve(tmpdir(), "palaver-"));
  const path = join(folder, name);
  const remove = () => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on("exit", remove);
  // The shell is there before the file is: from its first byte on, somebody will remove it.
  startSweeper(path, folder);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  return { path, remove };
}

// In a session of its own: what ends everything around us does not end it.
function startSweeper(path: string, folder: string): void {
  if (process.platform === "win32") return;
  const child = spawn("sh", ["-c", SWEEPER], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", FILE: path, FOLDER: folder },
    // A PATH with a relative folder in it must not find a shell in the project.
    cwd: "/",
    detached: true,
  });
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  child.unref();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
}
