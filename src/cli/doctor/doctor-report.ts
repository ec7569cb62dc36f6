// The findings on paper: for the user one row each with what to do below it, for a program as JSON.
//
//     Terminal
//       ● size        120 × 40
//       ▲ keyboard    it reports no newer protocol; some keys may look alike
//                     → if shift+enter sends instead of beginning a new line, use alt+enter

import type { Glyphs } from "../../terminal/painter/blocks/glyphs.js";
import type { Look, Role } from "../../text/look.js";
import { textWidth } from "../../text/width.js";
import { jsonPage } from "../../views/mini/json-line.js";
import type { TerminalVisit } from "./terminal-findings.js";

export interface Diagnosis {
  readonly version: string;
  readonly terminal: readonly Finding[];
  readonly machine: readonly Finding[];
}

export interface ReportLook {
  /** Without colours it returns the text unchanged. */
  readonly paint: (look: Look, text: string) => string;
  readonly glyphs: Glyphs;
  readonly columns: number;
}

const TOPIC_CELLS = 12;
const INDENT_CELLS = 4 + TOPIC_CELLS;
const TEXT_CELLS_MIN = 24;

export function worstOf({ terminal, machine }: Diagnosis): Verdict {
  const verdicts = [...terminal, ...machine].map(({ verdict }) => verdict);
  return verdicts.includes("problem") ? "problem" : verdicts.includes("warn") ? "warn" : "ok";
}

export function reportText(diagnosis: Diagnosis, look: ReportLook): string {
  const { version, terminal, machine } = diagnosis;
  return [
    look.paint("bold", `Terminal`),
    ...terminal.flatMap((finding) => rowsOf(finding, look)),
    "",
    look.paint("bold", `This machine`),
    ...machine.flatMap((finding) => rowsOf(finding, look)),
    "",
    `${closing(diagnosis)}  ${look.paint("dim", `palaver ${version}`)}`,
    "",
  ].join("\n");
}

/** With the terminal's own answers, so that a report of a fault can be read without asking back. */
export function reportJson(diagnosis: Diagnosis, visit: TerminalVisit): string {
  const { version, terminal, machine } = diagnosis;
  const answers = visit.kind === "surveyed" ? visit.survey : null;
  return jsonPage({ version, verdict: worstOf(diagnosis), terminal, machine, answers });
}

const roles: Readonly<Record<Verdict, Role>> = { ok: "ok", warn: "warn", problem: "danger", unasked: "dim" };

function rowsOf({ topic, verdict, words, advice }: Finding, { paint, glyphs, columns }: ReportLook): string[] {
  const signs = { ok: glyphs.done, warn: glyphs.warning, problem: glyphs.failed, unasked: glyphs.waiting };
  const widthCells = Math.max(TEXT_CELLS_MIN, columns - INDENT_CELLS - 1);
  const [first = "", ...rest] = wrapped(words, widthCells);
  const arrow = `${glyphs.prompt} `;
  const todo = advice === null ? [] : wrapped(advice, widthCells - 2);
  return [
    `  ${paint(roles[verdict], signs[verdict])} ${topic.padEnd(TOPIC_CELLS)}${first}`,
    ...rest.map((row) => `${" ".repeat(INDENT_CELLS)}${row}`),
    ...todo.map((row, index) => `${" ".repeat(INDENT_CELLS)}${paint("accent", index === 0 ? arrow : "  ")}${row}`),
  ];
}

// A word that is longer than a row, such as a path, stays whole: it is there to be copied.
function wrapped(text: string, widthCells: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    if (row !== "" && textWidth(`${row} ${word}`) > widthCells) {
      rows.push(row);
      row = word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row];
}

function closing({ terminal, machine }: Diagnosis): string {
  const all = [...terminal, ...machine];
  const problems = all.filter(({ verdict }) => verdict === "problem").length;
  const warnings = all.filter(({ verdict }) => verdict === "warn").length;
  const counted = (count: number, word: string) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`]);
  const words = [...counted(problems, "problem"), ...counted(warnings, "warning")];
  return words.length === 0 ? "No problems found." : `${words.join(", ")}.`;
}

/** "unasked" is what could not be looked at here; it is neither well nor ill. */
type Verdict = "ok" | "warn" | "problem" | "unasked";

export interface Finding {
  readonly topic: string;
  readonly verdict: Verdict;
  readonly words: string;
  /** What the user can do; null when there is nothing to do. */
  readonly advice: string | null;
}

const found =
  (verdict: Verdict) =>
  (topic: string, words: string, advice: string | null = null): Finding => ({ topic, verdict, words, advice });

export const fine = found("ok");
/** Something works less well than it could. */
export const warning = found("warn");
/** Something does not work. */
export const problem = found("problem");
export const unasked = found("unasked");
