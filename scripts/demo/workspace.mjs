// The folder that pictures are taken in: a small repository in the home folder, so that the status line shows a folder and a
// branch that mean something to a reader, and none of this machine.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function makeWorkspace(home) {
  const folder = join(home, "parser");
  mkdirSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  return folder;
}
