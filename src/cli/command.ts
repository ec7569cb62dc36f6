// What a command of the command line is: words for the help, examples that can be pasted, and something to run.
import type { ExitCode } from "./exit-codes.js";

export type Command = {
  /** Shown by `palaver NAME --help`. */
  help: string;
  run(args: string[]): Promise<ExitCode>;
};

export type CommandEntry = {
  name: string;
  usage: string;
  summary: string;
  load(): Promise<Command>;
};
