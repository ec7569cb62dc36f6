// The script in a command line such as `/bin/bash -lc 'ls | wc'`, which is how codex names what it runs. It is taken out only
// where the line is a shell of the system, its flag and one quoted word: then the script is all that runs.

const SHELL = /^\/(?:usr\/)?bin\/(?:ba|da|z)?sh -l?c /;

/** Null when the line is anything else. */
export function scriptIn(command: string): { readonly shell: string; readonly script: string } | null {
  const [start] = SHELL.exec(command) ?? [];
  if (start === undefined) return null;
  const script = wordIn(command.slice(start.length));
  return script === null ? null : { shell: start.trim(), script };
}

/** Text in single quotes, text in double quotes with escapes, or signs that mean nothing to a shell. */
const PIECE = /'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|([\w@%+=:,./-]+)/gy;

// One word of a shell, read back; null when it is more than one, or when the shell would expand a part of it.
function wordIn(text: string): string | null {
  let word = "";
  let end = 0;
  for (const [piece, single, double, bare] of text.matchAll(PIECE)) {
    word += single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? bare ?? "";
    end += piece.length;
  }
  return end === text.length && end > 0 ? word : null;
}
