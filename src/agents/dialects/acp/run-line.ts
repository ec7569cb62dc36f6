// A command as text that stands for one command only. Approvals show this text and grants are compared with it, so every word
// that a shell would split, expand or join is quoted.

export type Variable = { readonly name: string; readonly value: string };

export function argvLine(argv: readonly string[]): string {
  const [program = "", ...args] = argv;
  // A first word with "=" would be read as a variable.
  return [program.includes("=") ? inQuotes(program) : quoted(program), ...args.map(quoted)].join(" ");
}

/** Additional variables, sorted by name; the last of two with the same name counts. */
export function environmentLine(env: readonly Variable[]): string {
  const last = new Map(env.map(({ name, value }) => [name, value]));
  return [...last]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => quoted(`${name}=${value}`))
    .join(" ");
}

/** A system shell by its bare name or usual path; a program elsewhere may only be named like one. */
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh$/;

/** The script of exactly `sh -c SCRIPT`; null for any other command. */
export function scriptOf(argv: readonly string[]): string | null {
  const [program = "", flag, script] = argv;
  return argv.length === 3 && SHELL.test(program) && flag === "-c" && script !== undefined ? script : null;
}

/** Whether the shown text is exactly what runs: the shell script, or every word of the command. */
export function saysWhatRuns(shown: string, argv: readonly string[]): boolean {
  return shown === scriptOf(argv) || shown === argvLine(argv);
}

/** For a title; a mark shows that more lines follow. */
export function firstLine(command: string): string {
  const [line = "", ...others] = command.split("\n");
  return others.length === 0 ? line : `${line} …`;
}

export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word);
}

function inQuotes(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
