// Closed blocks as lines for the scrollback. Structure comes from one sign per block, weight and colour; there is no
// frame and no gutter, so that copies are clean.
import type { NotifyLevel } from "../../../contract/notices.js";
import type { Block } from "../../../session/transcript/block.js";
import type { Role } from "../../../text/look.js";
import { safeLine, safeLines, safeSgrLines } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import { pictureWords } from "../pictures/picture-facts.js";
import type { Appearance, Glyphs } from "./glyphs.js";
import { moreRow, toolRows } from "./tool-rows.js";

export interface BlockRowsOptions extends Appearance {
  readonly outputLinesMax: number;
  /** Where prose is wrapped; without it the terminal wraps. */
  readonly proseCells?: number;
}

/** Prose and thinking settle while they stream. */
export type WholeBlock = Exclude<Block, { kind: "prose" | "thinking" }>;

export function blockRows(block: WholeBlock, options: BlockRowsOptions): string[] {
  const { style, glyphs } = options;
  switch (block.kind) {
    case "prompt":
      return promptRows(block.text, options);
    case "tool":
      return toolRows(block, options);
    case "notice":
      return noticeRows(block.level, block.text, options);
    case "asked":
      return askedRows(block, options);
    case "log":
      return safeSgrLines(block.text).map((line) => style.paint("dim", line));
    case "image":
      return [style.paint("dim", `${glyphs.notice} ${pictureWords(block)}`)];
  }
}

/** A longer message is folded like the output of a tool. */
const PROMPT_LINES_MAX = 20;

function promptRows(text: string, options: BlockRowsOptions): string[] {
  const { style, glyphs, outputLinesMax, proseCells = Number.POSITIVE_INFINITY } = options;
  const lines = safeLines(text);
  const shown = lines.length <= PROMPT_LINES_MAX ? lines : lines.slice(0, outputLinesMax);
  const rows = shown.flatMap((line) => wordLines(line, proseCells - 2));
  return [
    ...rows.map((line, index) => style.paint("user", index === 0 ? `${glyphs.prompt} ${line}` : `  ${line}`)),
    ...moreRow(lines.length - shown.length, options).map((row) => `  ${row}`),
  ];
}

function askedRows({ title, outcome }: Extract<Block, { kind: "asked" }>, options: BlockRowsOptions): string[] {
  const { style, glyphs, proseCells } = options;
  const row = `${style.paint("info", glyphs.answered)} ${safeLine(title)}  ${style.paint("dim", safeLine(outcome))}`;
  return proseCells === undefined ? [row] : wrapRow(row, proseCells, { at: "words", hangingIndentCells: 2 });
}

// The lines below an error, such as a stack, are limited like the output of a tool.
//
//   ✕ TypeError: out is undefined
//     at join (parser.ts:42)
//     … 38 more lines  ctrl+o
function noticeRows(level: NotifyLevel, text: string, options: BlockRowsOptions): string[] {
  const { style, glyphs, proseCells, outputLinesMax } = options;
  const [sign, role] = NOTICE_SIGNS[level];
  const whole = safeLines(text);
  const shown = level === "error" ? whole.slice(0, 1 + outputLinesMax) : whole;
  const lines = shown.flatMap((line) => wordLines(line, (proseCells ?? Number.POSITIVE_INFINITY) - 2));
  return [
    ...lines.map((line, index) => (index === 0 ? `${style.paint(role, glyphs[sign])} ${line}` : `  ${line}`)),
    ...moreRow(whole.length - shown.length, options).map((row) => `  ${row}`),
  ];
}

const COLUMN_CELLS_MIN = 24;

// Long words and indented lines are left to the terminal, so that they can be copied. A line of two columns keeps them
// where there is room.
//
//   /queue [clear | edit]  the prompts that wait;        /queue [clear | edit]  the prompts
//                          edit takes the last back          that wait; edit takes the last back
function wordLines(line: string, widthCells: number): string[] {
  if (textWidth(line) <= widthCells || /^ {2}/.test(line)) return [line];
  const columns = /^(\S.*? {2,})(\S.*)$/.exec(line);
  if (columns === null) return wrappedWords(line, widthCells);
  const [, first = "", second = ""] = columns;
  const indent = " ".repeat(textWidth(first));
  const isRoomy = widthCells - textWidth(first) >= COLUMN_CELLS_MIN;
  if (isRoomy) {
    return wrappedWords(second, widthCells - textWidth(first)).map((row, at) => (at === 0 ? first : indent) + row);
  }
  const [head = "", ...rest] = wrappedWords(`${first.trimEnd()}  ${second}`, widthCells - 2);
  return [head, ...rest.map((row) => `  ${row}`)];
}

function wrappedWords(line: string, widthCells: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && textWidth(longer) > widthCells) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}

const NOTICE_SIGNS = {
  error: ["failed", "danger"],
  warn: ["warning", "warn"],
  success: ["done", "ok"],
  info: ["notice", "info"],
} as const satisfies Readonly<Record<NotifyLevel, readonly [keyof Glyphs, Role]>>;

const CLOSE_KINDS: ReadonlySet<Block["kind"]> = new Set(["tool", "asked", "log"]);

export interface BlockAbove {
  readonly kind: Block["kind"];
  readonly rows: number;
}

export function standsClose(kind: Block["kind"], above: BlockAbove): boolean {
  return above.kind === kind && CLOSE_KINDS.has(kind) && (kind !== "tool" || above.rows <= 1);
}
