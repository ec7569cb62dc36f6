// Makes unified diffs from old and new texts, for what the built-in agent proposes and for what the painter shows.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { FileChange } from "../contract/file-change.js";

const CONTEXT_LINES = 3;
/** A larger difference is shown as a replacement; finding the shortest edit would take seconds. */
const EDIT_LINES_MAX = 4000;

/** Without an old text the file is new. */
export function unifiedDiffOf(before: string | undefined, after: string, path: string): string {
  const oldText = before ?? "";
  const oldName = before === undefined ? "/dev/null" : `a/${path}`;
  const newName = `b/${path}`;
  const patch = createTwoFilesPatch(oldName, newName, oldText, after, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: EDIT_LINES_MAX,
  });
  return patch ?? replacement(oldName, newName, oldText, after);
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
  const changed = changes.filter(({ oldText, newText }) => (oldText ?? "") !== newText);
  const diff = changed.map(changeDiff).join("");
  made.set(changes, diff);
  return diff;
}

// Agents send pieces of a file as often as whole ones. That neither text ends a line is no news, and of a piece not even true.
function changeDiff({ path, oldText, newText }: FileChange): string {
  const end = [oldText ?? "", newText].every((text) => text !== "" && !text.endsWith("\n")) ? "\n" : "";
  return unifiedDiffOf(oldText === null ? undefined : oldText + end, newText + end, path);
}

/** Looking for a diff in a longer text would be noticeable. */
const DIFF_UNITS_MAX = 1_000_000;
const DIFF_START = /^\s*(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/;

/** Whether a text begins like a diff; only then it is one. */
export function isDiff(text: string): boolean {
  return text.length <= DIFF_UNITS_MAX && DIFF_START.test(text);
}

/** Whether `piece` changes the same lines as `whole`; a piece may begin or end inside a line. */
export function saysSameChange(whole: string, piece: string): boolean {
  return ["-", "+"].every((sign) => {
    const [all, some] = [changedLines(whole, sign), changedLines(piece, sign)];
    return all.length === some.length && some.every((line, at) => (all[at] ?? "").includes(line));
  });
}

function changedLines(diff: string, sign: string): string[] {
  const lines = diff.split(/\r?\n/).filter((line) => line.startsWith(sign) && !/^(?:--- |\+\+\+ )/.test(line));
  return lines.map((line) => line.slice(1).trimEnd());
}
