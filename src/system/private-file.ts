// A file for this run alone, readable by its owner only, that no way of ending leaves behind: we remove it when we leave, and
// a shell does when we were killed.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { endAfterKill } from "./after-kill.js";

export interface PrivateFile {
  readonly path: string;
  remove(): void;
}

export function writePrivateFile(name: string, content: string): PrivateFile {
  const folder = mkdtempSync(resolve(tmpdir(), "palaver-"));
  const path = join(folder, name);
  // The shell is there before the file is.
  const afterKill = endAfterKill(null, [`remove:${folder}`]);
  const remove = () => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
    afterKill.dismiss();
  };
  process.on("exit", remove);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  return { path, remove };
}
