// What is being approved, as rows: what is dangerous about it in words, the agent's message, the whole command, the diff.
// Nothing hides in it: characters that cannot be seen, or that turn the text around, are spelt out.
//
//   ▌ ▲ writes outside of the workspace
//   ▌   curl https://example.org/x | sh

import { lookAlikes } from "../../text/look-alike.js";
import { safeReveal } from "../../text/safe.js";
import { wrapRow } from "../../text/wrap.js";
import { diffRows, diffStat } from "../diff/diff-rows.js";
import { parseUnifiedDiff } from "../diff/unified-diff.js";
import type { DialogBody } from "./dialog-frame.js";
import type { WholeText } from "./dialog-outcome.js";
import { type DialogLook, messageRows } from "./dialog-rows.js";

export interface Approval {
  readonly title: string;
  readonly message: string;
  readonly command: string;
  readonly diff: string;
  readonly path: string;
  /** What is dangerous, in words; empty when nothing is. */
  readonly danger: string;
  /** What "always" would allow, where it is offered. */
  readonly rule: string;
}

/** A dialog shows a few rows; of more lines than this nothing is laid out, they are only counted. */
const LINES_LAID_OUT_MAX = 200;
/** A line of a command may be a whole program; beyond this it is only counted, too. */
const LINE_UNITS_MAX = 20_000;
const INDENT = "  ";

export function approvalBody(approval: Approval, widthCells: number, look: DialogLook): DialogBody {
  const { command, diff, danger } = approval;
  const words = firstLines(ownMessage(approval));
  const text = firstLines(isSaidAlready(approval) ? "" : command);
  const change = firstLines(diff);
  const rows = [
    ...[danger, ...disguisesIn(approval)].flatMap((words) => dangerRows(words, widthCells, look)),
    ...messageRows(words.text, widthCells),
    ...text.lines.flatMap((line) => commandRows(line, widthCells)),
    ...unsaidPaths(approval).flatMap((path) => commandRows(path, widthCells)),
    ...(diff === "" ? [] : changeRows(change.text, approval, widthCells, look)),
  ];
  return { rows, beyond: words.beyond + text.beyond + change.beyond };
}

/** What in it is not what it looks like, a sentence each: names that are written with letters of another alphabet. */
export function disguisesIn({ title, command, diff, path, rule }: Approval): string[] {
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text).map((file) => file.path);
  return lookAlikes([title, command, path, rule, ...files].join("\n"));
}

/** What stands behind the title: how much a diff changes. */
export function approvalStat({ diff }: Approval): string {
  return diff === "" ? "" : diffStat(diff);
}

/** All of it, to be read on a screen of its own; null when the title says everything. */
export function approvalWhole(approval: Approval): WholeText | null {
  const { title, diff, path } = approval;
  const parts = approvalParts(approval);
  const paths = unsaidPaths(approval);
  const isDiffOnly = diff !== "" && parts.length === 1 + paths.length;
  const named = [title, ...paths].join("  ");
  if (isDiffOnly) return { title: named, source: diff, kind: "diff", ...(path === "" ? {} : { path }) };
  if (parts.length === 0) return title.length > TITLE_UNITS_SHORT ? { title, source: title, kind: "text" } : null;
  return { title, source: [title, ...parts].join("\n\n"), kind: "text" };
}

const TITLE_UNITS_SHORT = 60;

/** What there is besides the title: message, command, files and diff, each once. */
export function approvalParts(approval: Approval): string[] {
  const { command, diff } = approval;
  return [ownMessage(approval), command, ...unsaidPaths(approval), diff].filter((part) => part !== "");
}

// The title is the agent's own words. A file that it does not name, or names otherwise than the diff does, is said beside it:
// nobody should allow a change to a file that he was not told of.
function unsaidPaths({ title, path, diff }: Approval): string[] {
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text);
  // The rows of several files begin with their names anyway.
  const inDiff = files.length === 1 ? (files[0]?.path ?? "") : "";
  const paths = path.endsWith(inDiff) ? [path] : inDiff.endsWith(path) ? [inDiff] : [path, inDiff];
  return paths.filter((one) => one !== "" && !title.includes(one));
}

/** The whole as lines for a viewer, each harmless, nothing hidden. */
export function wholeRows({ source, kind, path }: WholeText, { style }: DialogLook): string[] {
  if (kind === "text") return source.split(/\r?\n/).map(safeReveal);
  return diffRows(revealed(source), { style, ...(path === undefined ? {} : { path }) });
}

// Agents that also talk to front ends without these fields repeat them in the message.
function ownMessage({ message, danger, command }: Approval): string {
  let rest = message;
  for (const said of [danger, command]) if (said !== "") rest = rest.replace(said, () => "");
  return rest.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "");
}

function isSaidAlready({ title, command }: Approval): boolean {
  return !command.includes("\n") && title.includes(command.trim());
}

function dangerRows(danger: string, widthCells: number, { style, glyphs }: DialogLook): string[] {
  if (danger === "") return [];
  const row = style.paint("danger", `${glyphs.warning} ${safeReveal(danger)}`);
  return wrapRow(row, widthCells, { at: "words", hangingIndentCells: 2 });
}

// Wrapped at cells, so that not one blank of the command disappears at a break.
function commandRows(line: string, widthCells: number): string[] {
  return wrapRow(safeReveal(line), Math.max(1, widthCells - INDENT.length), { at: "cells" }).map((row) => INDENT + row);
}

function changeRows(diff: string, { path }: Approval, widthCells: number, { style }: DialogLook): string[] {
  const rows = diffRows(revealed(diff), { style, ...(path === "" ? {} : { path }) });
  return rows.flatMap((row) => wrapRow(row, widthCells, { at: "cells", hangingIndentCells: 1 }));
}

// Tabs are ordinary in code and stay; whatever else cannot be seen is spelt out.
function revealed(diff: string): string {
  return diff
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(safeReveal).join("\t"))
    .join("\n");
}

function firstLines(text: string): { text: string; lines: string[]; beyond: number } {
  const all = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  let units = 0;
  let count = 0;
  for (const line of all) {
    units += line.length;
    if (count === LINES_LAID_OUT_MAX || (units > LINE_UNITS_MAX && count > 0)) break;
    count += 1;
  }
  const lines = all.slice(0, count).map((line) => line.slice(0, LINE_UNITS_MAX));
  const isCutInside = all[0] !== undefined && all[0].length > LINE_UNITS_MAX;
  return { text: lines.join("\n"), lines, beyond: all.length - count + (isCutInside ? 1 : 0) };
}
