// What is being approved, as rows: dangers, the agent's message, the whole command, the diff. Invisible characters and
// those that reorder text are spelt out.
//
//   ▌ ▲ writes outside of the workspace
//   ▌   curl https://example.org/x | sh
import { lookAlikes } from "../../../text/look-alike.js";
import { safeReveal } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";
import { diffRows, diffStat } from "../diff/diff-rows.js";
import { parseUnifiedDiff } from "../diff/unified-diff.js";
import { commandRows } from "./command-rows.js";
import type { DialogBody } from "./dialog-frame.js";
import type { WholeText } from "./dialog-keys.js";
import { messageRows } from "./dialog-rows.js";

export interface Approval {
  readonly title: string;
  readonly message: string;
  readonly command: string;
  readonly diff: string;
  readonly path: string;
  /** The danger in words, or "". */
  readonly danger: string;
  /** What "always" would allow. */
  readonly rule: string;
  /** Further inputs that change what runs. */
  readonly details: readonly ApprovalDetail[];
  readonly performedBy: "palaver" | "agent" | undefined;
}

export interface ApprovalDetail {
  readonly name: string;
  readonly value: string;
}

const OUTSIDE = "runs outside Palaver, which checks only its own part";

/** Lines beyond this are counted, not laid out. */
const LINES_LAID_OUT_MAX = 200;
const LINE_UNITS_MAX = 20_000;
const INDENT = "  ";

export function approvalBody(approval: Approval, widthCells: number, look: Appearance): DialogBody {
  const { command, diff, danger } = approval;
  const words = firstLines(ownMessage(approval));
  const change = firstLines(diff);
  const inputs = commandRows(detailLines(approval).join("\n"), widthCells, look);
  const run = commandRows(isTitle(approval.title, command) ? "" : command, widthCells, look);
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

/** One line per input; a value of several lines stands below its name. */
function detailLines({ details }: Approval): string[] {
  return details.flatMap(({ name, value }) => {
    const [first = "", ...rest] = value.replace(/\r?\n$/, "").split(/\r?\n/);
    return rest.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...rest].map((line) => INDENT + line)];
  });
}

export function performerLines({ performedBy }: Approval): string[] {
  return performedBy === "agent" ? [OUTSIDE] : [];
}

/** Warnings about names written with letters of another alphabet. */
export function disguisesIn(approval: Approval): string[] {
  const { title, command, diff, path, rule } = approval;
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text).map((file) => file.path);
  return lookAlikes([title, command, path, rule, ...files, ...detailLines(approval)].join("\n"));
}

export function approvalStat({ diff }: Approval): string {
  return diff === "" ? "" : diffStat(diff);
}

/** Everything, for the viewer; null when the title says it all. */
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

/** Everything besides the title, each part once. */
export function approvalParts(approval: Approval): string[] {
  const { command, diff } = approval;
  const inputs = detailLines(approval).join("\n");
  return [ownMessage(approval), command, ...unsaidPaths(approval), inputs, diff].filter((part) => part !== "");
}

// Titles may be the agent's words: a path is left out only when the title is a known verb and that path.
function unsaidPaths({ title, path, diff }: Approval): string[] {
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text);
  // With several files, their rows begin with the names.
  const inDiff = files.length === 1 ? (files[0]?.path ?? "") : "";
  const paths = path.endsWith(inDiff) ? [path] : inDiff.endsWith(path) ? [inDiff] : [path, inDiff];
  return paths.filter((one) => one !== "" && !isTitle(title, one));
}

/** The rows for the viewer, with invisible characters spelt out. */
export function wholeRows({ source, kind, path, notes = [] }: WholeText, { style }: Appearance): string[] {
  const before = notes.length === 0 ? [] : [...notes.map(safeReveal), ""];
  if (kind === "text") return [...before, ...source.split(/\r?\n/).map(safeReveal)];
  return [...before, ...diffRows(revealed(source), { style, ...(path === undefined ? {} : { path }) })];
}

// Agents for older front ends repeat these fields in the message.
function ownMessage({ message, danger, command }: Approval): string {
  let rest = message;
  for (const said of [danger, command]) if (said !== "") rest = rest.replace(said, () => "");
  const own = rest.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "");
  return own === "The agent says:" ? "" : own;
}

const VERBS: ReadonlySet<string> = new Set(
  "run read edit write delete move search fetch Bash Read Edit Write MultiEdit NotebookEdit Grep Glob".split(" "),
);

function isTitle(title: string, subject: string): boolean {
  const [verb = "", ...rest] = title.split(" ");
  return title === subject || (VERBS.has(verb) && rest.join(" ") === subject);
}

function dangerRows(danger: string, widthCells: number, { style, glyphs }: Appearance): string[] {
  if (danger === "") return [];
  const row = style.paint("danger", `${glyphs.warning} ${safeReveal(danger)}`);
  return wrapRow(row, widthCells, { at: "words", hangingIndentCells: 2 });
}

function changeRows(diff: string, { path }: Approval, widthCells: number, { style }: Appearance): string[] {
  const rows = diffRows(revealed(diff), { style, ...(path === "" ? {} : { path }) });
  return rows.flatMap((row) => wrapRow(row, widthCells, { at: "cells", hangingIndentCells: 1 }));
}

// Spells out invisible characters, except tabs.
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
