// Makes unified diffs from old and new texts.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { FileChange } from "../../../contract/file-change.js";

const CONTEXT_LINES = 3;
/** A larger difference is shown as a replacement; finding the shortest edit would take seconds. */
const EDIT_LINES_MAX = 4000;

/** An undefined side does not exist: the file is new or deleted. */
export function unifiedDiffOf(before: string | undefined, after: string | undefined, path: string): string {
  const oldText = before ?? "";
  const newText = after ?? "";
  if (oldText === newText) return "";
  const oldName = before === undefined ? "/dev/null" : `a/${path}`;
  const newName = after === undefined ? "/dev/null" : `b/${path}`;
  const patch = createTwoFilesPatch(oldName, newName, oldText, newText, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: EDIT_LINES_MAX,
  });
  return patch ?? replacement(oldName, newName, oldText, newText);
}

function replacement(oldName: string, newName: string, before: string, after: string): string {
  const removed = linesOf(before);
  const added = linesOf(after);
  const header = `@@ -1,${removed.length} +1,${added.length} @@`;
  const body = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `${[`--- ${oldName}`, `+++ ${newName}`, header, ...body].join("\n")}\n`;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const made = new WeakMap<readonly FileChange[], string>();

/** "" when nothing changes. Remembered, because changes are drawn again and again. */
export function changesDiff(changes: readonly FileChange[]): string {
  const known = made.get(changes);
  if (known !== undefined) return known;
  const diff = changes.map(({ path, oldText, newText }) => unifiedDiffOf(oldText ?? undefined, newText, path)).join("");
  made.set(changes, diff);
  return diff;
}
