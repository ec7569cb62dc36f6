// What an approved request allows. A grant names exactly one effect, is made from what the approval showed, and is used up
// by that effect; all grants end with the turn.
//
//   tool kind    grants
//   edit         one write of each file shown, when the bytes that result are the ones shown
//   execute      one run of the command shown, in the folder and with the variables shown
//   read         one read of each file shown
//   any other    nothing
//
// An "always" that the agent offers is remembered by the agent, and grants one effect here. An "always" of our own approval
// repeats the same effect: this command in this folder with these variables, or reading this file.
import type { FileChange } from "../../../contract/file-change.js";
import type { FilePlace, PathPlace } from "./acp-effect.js";
import { isInside, tidyPath } from "./paths.js";
import { argvLine, environmentLine, saysWhatRuns, type Variable } from "./run-line.js";

/** A command as it would run, in its resolved folder. */
export type Run = { readonly argv: readonly string[]; readonly env: readonly Variable[]; readonly place: PathPlace };

export type Grant =
  | { readonly kind: "read"; readonly path: string }
  /** All changes shown for one file, in their order. */
  | { readonly kind: "write"; readonly path: string; readonly changes: readonly FileChange[] }
  /** The command, folder and variables as they were shown. */
  | { readonly kind: "run"; readonly command: string; readonly folder: string; readonly environment: string };

type GrantOf<Kind extends Grant["kind"]> = Extract<Grant, { kind: Kind }>;

/** Bounds the list; real turns have few grants. */
const GRANTS_MAX = 2_048;

export class Grants {
  private readonly cwd: string;
  private open: Grant[] = [];
  private readonly repeated = new Set<string>();

  constructor(cwd: string) {
    this.cwd = tidyPath(cwd);
  }

  give(grants: readonly Grant[]): void {
    this.open = [...this.open, ...grants].slice(0, GRANTS_MAX);
  }

  /** The same run or read needs no further approval in this session. */
  repeat(effect: Run | PathPlace): void {
    if (this.repeated.size < GRANTS_MAX) this.repeated.add(keyOf(effect));
  }

  takeRead(place: PathPlace): boolean {
    return this.repeated.has(keyOf(place)) || this.take("read", ({ path }) => this.isAt(path, place));
  }

  takeWrite(place: FilePlace, content: string): boolean {
    // A binary file cannot be shown, so no change to it was approved.
    if (!place.isText) return false;
    return this.take("write", ({ path, changes }) => {
      return this.isAt(path, place) && resultOf(changes, place.oldText) === content;
    });
  }

  takeRun(run: Run): boolean {
    if (this.repeated.has(keyOf(run))) return true;
    return this.take("run", ({ command, folder, environment }) => {
      const isSame = saysWhatRuns(command, run.argv) && environment === environmentLine(run.env);
      return isSame && this.isAt(folder, run.place);
    });
  }

  endTurn(): void {
    this.open = [];
  }

  private take<Kind extends Grant["kind"]>(kind: Kind, covers: (grant: GrantOf<Kind>) => boolean): boolean {
    const at = this.open.findIndex((grant) => grant.kind === kind && covers(grant as GrantOf<Kind>));
    if (at < 0) return false;
    this.open.splice(at, 1);
    return true;
  }

  // The workspace may be reached through a link; a link inside it leads to a file that was not shown.
  private isAt(shown: string, { realPath, workspace }: PathPlace): boolean {
    const path = isInside(shown, this.cwd) ? tidyPath(`${workspace}/${shown.slice(this.cwd.length)}`) : shown;
    return path === tidyPath(realPath);
  }
}

function keyOf(effect: Run | PathPlace): string {
  if (!("argv" in effect)) return effect.realPath;
  return JSON.stringify([argvLine(effect.argv), environmentLine(effect.env), effect.place.realPath]);
}

/** The text after these changes, byte for byte; null when a change fits nowhere, or in more than one place. */
function resultOf(changes: readonly FileChange[], oldText: string | null): string | null {
  let text = oldText ?? "";
  for (const { oldText: before, newText } of changes) {
    if ((before ?? "") === text) text = newText;
    else {
      const at = before ? text.indexOf(before) : -1;
      if (!before || at < 0 || at !== text.lastIndexOf(before)) return null;
      text = text.slice(0, at) + newText + text.slice(at + before.length);
    }
  }
  return text;
}
