// What the tmux around us allows the programs in it, by its own word. Asked as a program with a limit; a tmux that does not
// answer leaves nothing but its absence.
import { execFile } from "node:child_process";
import { withoutOwnPrograms } from "../../agents/found-program.js";

export type TmuxOptions = ReadonlyMap<string, string>;

const LIMIT_MS = 2_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;

/** Server, session and window options in one list; null when tmux does not answer. */
export function readTmuxOptions(): Promise<TmuxOptions | null> {
  const args = ["show-options", "-s", ";", "show-options", "-g", ";", "show-options", "-gw"];
  return new Promise((resolve) => {
    const env = withoutOwnPrograms(process.env);
    execFile("tmux", args, { cwd: "/", env, timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout) => {
      resolve(error === null ? optionsIn(stdout) : null);
    });
  });
}

/** Lines such as `extended-keys off`. */
export function optionsIn(listing: string): TmuxOptions {
  return new Map(
    listing.split("\n").flatMap((line) => {
      const match = /^([a-z][a-z-]*)(?: (.*))?$/.exec(line);
      return match === null ? [] : [[match[1] ?? "", match[2] ?? ""] as const];
    }),
  );
}
