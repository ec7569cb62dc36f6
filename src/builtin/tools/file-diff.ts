// The change of one file as a unified diff, for the person who has to agree to it, and its counts. A change that is too
// large to compare line by line is shown as the old text taken away and the new one added.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { DIFF_CHARS_MAX } from "./limits.js";

export type FileDiff = {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly truncated: boolean;
};

const CONTEXT_LINES = 3;
const EDIT_LINES_MAX = 4_000;

/** `before` is undefined for a new file, null when it is no text. */
export function fileDiff(path: string, before: string | null | undefined, after: string): FileDiff {
  const oldName = before === undefined ? "/dev/null" : `a/${path}`;
  const patch = createTwoFilesPatch(oldName, `b/${path}`, before ?? "", after, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: EDIT_LINES_MAX,
  });
  const whole = patch ?? replacement(oldName, `b/${path}`, before ?? "", after);
  const lines = whole.split("\n").slice(2);
  const truncated = whole.length > DIFF_CHARS_MAX;
  return {
    diff: truncated ? whole.slice(0, whole.lastIndexOf("\n", DIFF_CHARS_MAX) + 1) : whole,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    truncated,
  };
}

function replacement(oldName: string, newName: string, before: string, after: string): string {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const counts = `@@ -1,${removed.length} +1,${added.length} @@`;
  const body = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `${[`--- ${oldName}`, `+++ ${newName}`, counts, ...body].join("\n")}\n`;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
