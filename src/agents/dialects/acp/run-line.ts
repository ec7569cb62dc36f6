// A command as text that stands for one command only. Approvals show this text and grants are compared with it, so every
// word that a shell would split, expand or join is quoted, and two different commands never read alike.

export type Variable = { readonly name: string; readonly value: string };

/** The words of a command, each as a shell would read it back. */
export function argvLine(argv: readonly string[]): string {
  const [program = "", ...args] = argv;
  // In front of the program a word with a "=" would be a variable.
  return [program.includes("=") ? inQuotes(program) : quoted(program), ...args.map(quoted)].join(" ");
}

/** The variables that a command gets in addition to ours, by name; of two with the same name the last counts. */
export function environmentLine(env: readonly Variable[]): string {
  const last = new Map(env.map(({ name, value }) => [name, value]));
  return [...last]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => quoted(`${name}=${value}`))
    .join(" ");
}

/** A shell of the system by its bare name or its usual place. A program elsewhere may only be called "bash". */
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh$/;

/** The script of exactly `sh -c SCRIPT`; null for every other command, also for a shell with more flags or arguments. */
export function scriptOf(argv: readonly string[]): string | null {
  const [program = "", flag, script] = argv;
  return argv.length === 3 && SHELL.test(program) && flag === "-c" && script !== undefined ? script : null;
}

/** Whether this text, shown as the command, says exactly what runs: the script of a shell, or every word of the command. */
export function saysWhatRuns(shown: string, argv: readonly string[]): boolean {
  return shown === scriptOf(argv) || shown === argvLine(argv);
}

/** For a title. What is left out is marked, so that the first line never passes for all of it. */
export function firstLine(command: string): string {
  const [line = "", ...others] = command.split("\n");
  return others.length === 0 ? line : `${line} …`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word);
}

function inQuotes(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
