// What is being approved, as rows: what is dangerous about it in words, the agent's message, the whole command, the diff.
// Nothing hides in it: characters that cannot be seen, or that turn the text around, are spelt out.
//
//   ▌ ▲ writes outside of the workspace
//   ▌   curl https://example.org/x | sh

import { lookAlikes } from "../../../text/look-alike.js";
import { safeReveal } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import { diffRows, diffStat } from "../diff/diff-rows.js";
import { parseUnifiedDiff } from "../diff/unified-diff.js";
import { commandRows } from "./command-rows.js";
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
  /** Inputs that change what runs and stand nowhere else, each with its name. */
  readonly details: readonly ApprovalDetail[];
  readonly performedBy: "palaver" | "agent" | undefined;
}

export interface ApprovalDetail {
  readonly name: string;
  readonly value: string;
}

/** True of an agent that acts itself, and of one that has Palaver do some of it. */
const OUTSIDE = "runs outside Palaver, which checks only its own part";

/** A dialog shows a few rows; of more lines than this nothing is laid out, they are only counted. */
const LINES_LAID_OUT_MAX = 200;
/** A line of a command may be a whole program; beyond this it is only counted, too. */
const LINE_UNITS_MAX = 20_000;
const INDENT = "  ";

export function approvalBody(approval: Approval, widthCells: number, look: DialogLook): DialogBody {
  const { command, diff, danger } = approval;
  const words = firstLines(ownMessage(approval));
  const change = firstLines(diff);
  const inputs = commandRows(detailLines(approval).join("\n"), widthCells, look);
  const run = commandRows(isSaidAlready(approval) ? "" : command, widthCells, look);
  const warnings = [danger, ...disguisesIn(approval)].flatMap((each) => dangerRows(each, widthCells, look));
  const message = messageRows(words.text, widthCells);
  const paths = unsaidPaths(approval).flatMap((path) => commandRows(path, widthCells, look).rows);
  const above = [...warnings, ...message];
  const before = [...above, ...run.rows, ...paths];
  const rows = [
    ...before,
    ...inputs.rows,
    ...performerLines(approval).flatMap((line) =>
      wrapRow(look.style.paint("dim", line), widthCells, { at: "words", hangingIndentCells: 2 }),
    ),
    ...(diff === "" ? [] : changeRows(change.text, approval, widthCells, look)),
  ];
  const telling = [
    ...warnings.slice(0, 1).keys(),
    ...run.telling.map((row) => above.length + row),
    ...paths.map((_, row) => above.length + run.rows.length + row),
    ...inputs.telling.map((row) => before.length + row),
  ];
  const folded = new Map([...run.folded].map(([row, lines]) => [above.length + row, lines]));
  for (const [row, lines] of inputs.folded) folded.set(before.length + row, lines);
  return { rows, telling, folded, beyond: words.beyond + change.beyond };
}

/** Every input that the question does not show otherwise, one after the other, a value of several lines below its name. */
function detailLines({ details }: Approval): string[] {
  return details.flatMap(({ name, value }) => {
    const [first = "", ...rest] = value.replace(/\r?\n$/, "").split(/\r?\n/);
    return rest.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...rest].map((line) => INDENT + line)];
  });
}

/** Who performs it, where that is not Palaver. */
export function performerLines({ performedBy }: Approval): string[] {
  return performedBy === "agent" ? [OUTSIDE] : [];
}

/** What in it is not what it looks like, a sentence each: names that are written with letters of another alphabet. */
export function disguisesIn(approval: Approval): string[] {
  const { title, command, diff, path, rule } = approval;
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text).map((file) => file.path);
  return lookAlikes([title, command, path, rule, ...files, ...detailLines(approval)].join("\n"));
}

/** What stands behind the title: how much a diff changes. */
export function approvalStat({ diff }: Approval): string {
  return diff === "" ? "" : diffStat(diff);
}

/** All of it, to be read on a screen of its own; null when the title says everything. */
export function approvalWhole(approval: Approval): WholeText | null {
  const { title, diff, path, danger } = approval;
  const parts = approvalParts(approval);
  const paths = unsaidPaths(approval);
  const warnings = [danger, ...disguisesIn(approval)].filter((words) => words !== "");
  const inputs = detailLines(approval);
  const notes = [...warnings, ...inputs, ...performerLines(approval)];
  const hasDiffOnly = diff !== "" && parts.length === 1 + paths.length + (inputs.length === 0 ? 0 : 1);
  const named = [title, ...paths].join("  ");
  if (hasDiffOnly) return { title: named, source: diff, kind: "diff", notes, ...(path === "" ? {} : { path }) };
  const isTitleOnly = parts.length === 0 && warnings.length === 0;
  if (isTitleOnly) return title.length > TITLE_UNITS_SHORT ? { title, source: title, kind: "text" } : null;
  return {
    title,
    source: [title, ...parts].join("\n\n"),
    kind: "text",
    notes: [...warnings, ...performerLines(approval)],
  };
}

const TITLE_UNITS_SHORT = 60;

/** What there is besides the title: message, command, files, other inputs and diff, each once. */
export function approvalParts(approval: Approval): string[] {
  const { command, diff } = approval;
  const inputs = detailLines(approval).join("\n");
  return [ownMessage(approval), command, ...unsaidPaths(approval), inputs, diff].filter((part) => part !== "");
}

// A title may be the agent's words. A file is left out only when the title is nothing but a verb of ours and that file.
function unsaidPaths({ title, path, diff }: Approval): string[] {
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text);
  // The rows of several files begin with their names anyway.
  const inDiff = files.length === 1 ? (files[0]?.path ?? "") : "";
  const paths = path.endsWith(inDiff) ? [path] : inDiff.endsWith(path) ? [inDiff] : [path, inDiff];
  return paths.filter((one) => one !== "" && !isTitle(title, one));
}

/** The whole as lines for a viewer, each harmless, nothing hidden. */
export function wholeRows({ source, kind, path, notes = [] }: WholeText, { style }: DialogLook): string[] {
  const before = notes.length === 0 ? [] : [...notes.map(safeReveal), ""];
  if (kind === "text") return [...before, ...source.split(/\r?\n/).map(safeReveal)];
  return [...before, ...diffRows(revealed(source), { style, ...(path === undefined ? {} : { path }) })];
}

// Agents that also talk to front ends without these fields repeat them in the message.
function ownMessage({ message, danger, command }: Approval): string {
  let rest = message;
  for (const said of [danger, command]) if (said !== "") rest = rest.replace(said, () => "");
  return rest.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "");
}

function isSaidAlready({ title, command }: Approval): boolean {
  return isTitle(title, command);
}

const VERBS: ReadonlySet<string> = new Set(
  "run read edit write delete move search fetch Bash Read Edit Write MultiEdit NotebookEdit Grep Glob".split(" "),
);

function isTitle(title: string, subject: string): boolean {
  const [verb = "", ...rest] = title.split(" ");
  return title === subject || (VERBS.has(verb) && rest.join(" ") === subject);
}

function dangerRows(danger: string, widthCells: number, { style, glyphs }: DialogLook): string[] {
  if (danger === "") return [];
  const row = style.paint("danger", `${glyphs.warning} ${safeReveal(danger)}`);
  return wrapRow(row, widthCells, { at: "words", hangingIndentCells: 2 });
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
