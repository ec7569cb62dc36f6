// What is being approved, as rows: dangers, the agent's message, the whole command, the diff. Invisible characters and
// those that reorder text are spelt out.
//
//   ▌ ▲ writes outside the workspace
//   ▌   curl https://example.org/x | sh

import {
  type Approval,
  approvalParts,
  detailLines,
  disguisesIn,
  firstLines,
  isTitle,
  ownMessage,
  performerLines,
  unsaidPaths,
} from "../../../session/approval.js";
import { plainText } from "../../../text/row.js";
import { safeReveal } from "../../../text/safe.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";
import { diffRows, diffStat } from "../diff/diff-rows.js";
import { commandRows } from "./command-rows.js";
import type { DialogBody } from "./dialog-frame.js";
import type { WholeText } from "./dialog-keys.js";
import { messageRows } from "./dialog-rows.js";

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
  const performer = performerLines(approval).flatMap((line) =>
    wrapRow(look.style.paint("dim", line), widthCells, { at: "words", hangingIndentCells: 2 }),
  );
  const changed = diff === "" ? [] : changeRows(change.text, approval, widthCells, look);
  // In a few rows, the lines that go and come are what a diff is about.
  const lines = changed.filter(([first = ""]) => /^[-+]/.test(plainText(first))).flat();
  const beyond = words.beyond + change.beyond;
  const laidOut = (rows: readonly string[], inputsFrom: number): DialogBody => ({
    rows: [...before, ...rows],
    telling: [
      ...warnings.slice(0, 1).keys(),
      ...run.telling.map((row) => above.length + row),
      ...paths.map((_, row) => above.length + run.rows.length + row),
      ...Array.from({ length: inputsFrom - before.length }, (_, row) => before.length + row),
      ...inputs.telling.map((row) => inputsFrom + row),
    ],
    folded: new Map([
      ...[...run.folded].map(([row, lines]) => [above.length + row, lines] as const),
      ...[...inputs.folded].map(([row, lines]) => [inputsFrom + row, lines] as const),
    ]),
    beyond,
  });
  const whole = laidOut([...inputs.rows, ...performer, ...changed.flat()], before.length);
  if (lines.length === 0) return whole;
  const brief = laidOut([...lines, ...inputs.rows, ...performer], before.length + lines.length);
  return { ...whole, brief: { ...brief, beyond: beyond + changed.flat().length - lines.length } };
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

/** The rows for the viewer, with invisible characters spelt out. */
export function wholeRows({ source, kind, path, notes = [] }: WholeText, { style }: Appearance): string[] {
  const before = notes.length === 0 ? [] : [...notes.map(safeReveal), ""];
  if (kind === "text") return [...before, ...source.split(/\r?\n/).map(safeReveal)];
  return [...before, ...diffRows(revealed(source), { style, ...(path === undefined ? {} : { path }) })];
}

function dangerRows(danger: string, widthCells: number, { style, glyphs }: Appearance): string[] {
  if (danger === "") return [];
  const row = style.paint("danger", `${glyphs.warning} ${safeReveal(danger)}`);
  return wrapRow(row, widthCells, { at: "words", hangingIndentCells: 2 });
}

/** The rows of each line. */
function changeRows(diff: string, { path }: Approval, widthCells: number, { style }: Appearance): string[][] {
  const rows = diffRows(revealed(diff), { style, ...(path === "" ? {} : { path }) });
  return rows.map((row) => wrapRow(row, widthCells, { at: "cells", hangingIndentCells: 1 }));
}

// Spells out invisible characters, except tabs.
function revealed(diff: string): string {
  return diff
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(safeReveal).join("\t"))
    .join("\n");
}
