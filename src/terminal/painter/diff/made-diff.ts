// Makes a unified diff of two texts, for callers that have before and after instead of a diff.

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

const CONTEXT_LINES = 3;
/** Texts that differ in more lines than this are shown as replaced; finding the shortest edit would take seconds. */
const EDIT_LINES_MAX = 4000;

/** The change of one file. A side that is undefined does not exist: the file is new, or deleted. */
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
