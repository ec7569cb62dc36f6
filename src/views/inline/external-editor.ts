// Editing in the user's own editor: the text goes into a private file, the editor gets the terminal, and the saved text comes
// back. An editor that fails changes nothing.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../contract/plain-word.js";
import { keepWithUs } from "../../system/child-groups.js";
import type { Environment } from "../../terminal/painter/profile.js";

export type Edited = { readonly text: string } | { readonly trouble: string };

/** What is set, else VISUAL, else EDITOR, else what every Unix has. */
export function editorCommand(chosen: string, { VISUAL, EDITOR }: Environment): string {
  return chosen || VISUAL || EDITOR || "vi";
}

/** The terminal must have been given back before. */
export async function editInEditor(command: string, text: string): Promise<Edited> {
  const folder = mkdtempSync(join(tmpdir(), "palaver-edit-"));
  const file = join(folder, "message.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const trouble = await run(command, file);
    return trouble === null ? { text: readFileSync(file, "utf8").replace(/\n$/, "") } : { trouble };
  } catch (error) {
    return { trouble: errorMessage(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Plain words and nothing that only a shell understands: then the editor takes the shell's place and can be ended by its number.
const PLAIN_WORDS = /^[\w./+:@%-]+(?: +[\w./+:@%=-]+)*$/;

// The command may have arguments of its own ("code --wait"), so that a shell takes it apart; the file is not part of it. An
// editor that outlived us would go on reading what is typed for the shell.
function run(command: string, file: string): Promise<string | null> {
  return new Promise((resolve) => {
    const line = `${PLAIN_WORDS.test(command) ? "exec " : ""}${command} "$1"`;
    const child = spawn("/bin/sh", ["-c", line, "sh", file], { stdio: "inherit" });
    keepWithUs(child, "single");
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) =>
      resolve(code === 0 ? null : `${command} ended with ${signal ?? `code ${code}`}`),
    );
  });
}
