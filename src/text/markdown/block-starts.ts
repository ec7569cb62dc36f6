// Recognises which block a line begins, once the marks of lists and quotes are removed. `line-reader.ts` decides by
// context.
import { type Language, languageOfFence } from "../code/languages.js";

export type Align = "left" | "right" | "centre";

export interface Fence {
  readonly mark: "`" | "~";
  readonly length: number;
  readonly indentCells: number;
  readonly info: string;
  readonly language: Language | undefined;
}

export interface ItemMark {
  readonly kind: "bullet" | "ordered";
  /** The bullet, or the mark behind the number; equal for siblings. */
  readonly sign: string;
  readonly number: number;
  readonly contentCells: number;
  readonly rest: string;
}

const RULE = /^(?:\*[ \t]*){3,}$|^(?:-[ \t]*){3,}$|^(?:_[ \t]*){3,}$/;
const HEADING = /^(#{1,6})(?:[ \t]+(.*)|)$/s;
const FENCE = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/s;
const BULLET = /^([-+*])(?=[ \t]|$)/;
const ORDERED = /^(\d{1,9})([.)])(?=[ \t]|$)/;
const SETEXT = /^(=+|-+)[ \t]*$/;
const DEFINITION = /^\[([^[\]\\]{1,200})\]:[ \t]*<?([^\s>]+)>?(?:[ \t]+["'(](.*)["')])?[ \t]*$/;

/** The longest tag that begins a block by itself. */
const TAG_UNITS_MAX = 256;
const HTML_TAGS =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
const HTML_BLOCK = new RegExp(`^</?(?:${HTML_TAGS})(?=[ \\t>]|/>|$)`, "i");
const HTML_RAW = /^<(script|pre|style|textarea)(?=[ \t>]|$)/i;
const HTML_COMMENT = /^<!--/;
const HTML_TAG_ALONE =
  /^<(?:[a-zA-Z][\w-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|\/[a-zA-Z][\w-]*\s*)>[ \t]*$/;

/** Only spaces and tabs are blank: other invisible characters are text. */
export function isBlank(line: string): boolean {
  return indentOf(line).units === line.length;
}

/** The indent; a tab reaches to the next multiple of four. */
export function indentOf(line: string, column = 0): { cells: number; units: number } {
  let cells = 0;
  let units = 0;
  for (; ; units++) {
    if (line[units] === " ") cells++;
    else if (line[units] === "\t") cells += 4 - ((column + cells) % 4);
    else return { cells, units };
  }
}

/** Removes this many cells of indent; the rest of a tab stays as spaces. */
export function withoutIndent(line: string, cells: number, column = 0): string {
  const indent = indentOf(line, column);
  return " ".repeat(Math.max(0, indent.cells - cells)) + line.slice(indent.units);
}

export function isRule(text: string): boolean {
  return RULE.test(text);
}

export function headingOf(text: string): { level: number; text: string } | undefined {
  const match = HEADING.exec(text);
  return match === null ? undefined : { level: match[1]?.length ?? 1, text: match[2] ?? "" };
}

export function setextLevel(text: string): 1 | 2 | undefined {
  const match = SETEXT.exec(text);
  return match === null ? undefined : match[1]?.startsWith("=") ? 1 : 2;
}

export function fenceOf(text: string, indentCells: number): Fence | undefined {
  const match = FENCE.exec(text);
  if (match === null) return undefined;
  const marks = match[1] ?? match[3] ?? "";
  const info = (match[2] ?? match[4] ?? "").trim();
  return {
    mark: marks.startsWith("`") ? "`" : "~",
    length: marks.length,
    indentCells,
    info,
    language: languageOfFence(info),
  };
}

export const CLOSING_FENCE_UNITS_MAX = 1000;

export function closesFence(text: string, fence: Fence): boolean {
  if (text.length > CLOSING_FENCE_UNITS_MAX) return false;
  const match = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(text);
  return match !== null && match[1]?.[0] === fence.mark && match[1].length >= fence.length;
}

export function itemOf(text: string): ItemMark | undefined {
  const bullet = BULLET.exec(text);
  const ordered = bullet === null ? ORDERED.exec(text) : null;
  const mark = bullet?.[0] ?? ordered?.[0];
  if (mark === undefined) return undefined;
  const rest = text.slice(mark.length);
  const blanks = indentOf(rest, mark.length).cells;
  const isEmpty = isBlank(rest);
  // Five or more blanks are one blank and indented code.
  const gap = isEmpty || blanks > 4 ? 1 : blanks;
  return {
    kind: bullet === null ? "ordered" : "bullet",
    sign: bullet?.[1] ?? ordered?.[2] ?? "",
    number: Number.parseInt(ordered?.[1] ?? "0", 10),
    contentCells: mark.length + gap,
    rest: isEmpty ? "" : withoutIndent(rest, gap, mark.length),
  };
}

export function definitionOf(text: string): { label: string; href: string; title: string } | undefined {
  const match = DEFINITION.exec(text);
  if (match === null) return undefined;
  return {
    label: (match[1] ?? "").trim().replace(/\s+/g, " ").toLowerCase(),
    href: match[2] ?? "",
    title: match[3] ?? "",
  };
}

/** Where the HTML block ends: at a blank line, or with a matching line. */
export function htmlOf(text: string, place: "in-paragraph" | "elsewhere"): { end: RegExp | "blank" } | undefined {
  if (!text.startsWith("<")) return undefined;
  if (HTML_COMMENT.test(text)) return { end: /-->/ };
  const raw = HTML_RAW.exec(text)?.[1];
  if (raw !== undefined) return { end: new RegExp(`</${raw}>`, "i") };
  if (HTML_BLOCK.test(text) || (place === "elsewhere" && isTagAlone(text))) return { end: "blank" };
  return undefined;
}

function isTagAlone(text: string): boolean {
  return text.length <= TAG_UNITS_MAX && HTML_TAG_ALONE.test(text);
}

/** Whether a growing text can only become prose, whatever follows on its line. */
export function isSurelyProse(text: string): boolean {
  const doubtful = DOUBTFUL[text.charAt(0)];
  return doubtful === undefined ? !/^\d/.test(text) || SURELY_NO_NUMBER.test(text) : doubtful.test(text);
}

const SURELY_NO_NUMBER = /^\d{1,9}(?:[^\d.)]|[.)]\S)|^\d{10}/;

/** By first character: what surely is prose. */
const DOUBTFUL: Readonly<Record<string, RegExp>> = {
  "": /(?!)/,
  "#": /^#{1,6}[^#\s]|^#{7}/,
  ">": /(?!)/,
  "-": /^-+[^-\s:|]/,
  "+": /^\+\S/,
  "*": /^\*+[^*\s]/,
  _: /^_+[^_\s]/,
  "=": /^=+[^=\s]/,
  "`": /^`{1,2}[^`]/,
  "~": /^~{1,2}[^~]/,
  "<": /^<(?:[^a-zA-Z/!?]|[a-zA-Z][\w+.-]*:|.{256})/,
  "[": /^\[(?:[^[\]\\]{0,200}(?:\][^:]|[[\\])|[^[\]\\]{201})/,
};

const DELIMITERS = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** `| a | b\|c |` → `a`, `b|c`. An escaped pipe belongs to its cell. */
export function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "");
  const cells: string[] = [];
  let cell = "";
  for (let i = 0; i < inner.length; i++) {
    const unit = inner.charAt(i);
    if (unit === "\\" && inner[i + 1] === "|") {
      cell += "|";
      i++;
    } else if (unit === "|") {
      cells.push(cell.trim());
      cell = "";
    } else {
      cell += unit;
    }
  }
  if (cell.trim() !== "" || cells.length === 0) cells.push(cell.trim());
  return cells;
}

export function hasPipe(line: string): boolean {
  return /(?:^|[^\\])\|/.test(line);
}

/** The alignments, if `line` makes `header` the header of a table. */
export function alignsOf(line: string, header: string): Align[] | undefined {
  if (!DELIMITERS.test(line) || !hasPipe(header)) return undefined;
  const cells = cellsOf(line);
  return cells.length === cellsOf(header).length ? cells.map(alignOf) : undefined;
}

function alignOf(cell: string): Align {
  if (!cell.endsWith(":")) return "left";
  return cell.startsWith(":") ? "centre" : "right";
}
