// Reads what a line means in its place: which lists and quotes it continues or opens, and what begins behind them. It
// changes nothing, so a growing line can be read again.
import * as starts from "./block-starts.js";
import type { Container, Item } from "./container.js";

export type OpenLeaf =
  | { readonly kind: "none" | "heading" | "indented" }
  | { readonly kind: "table" }
  | { readonly kind: "fence"; readonly fence: starts.Fence }
  | { readonly kind: "html"; readonly end: RegExp | "blank" }
  /** `header` is the text while it may become a heading or table. */
  | { readonly kind: "paragraph"; readonly header: string | undefined; readonly lines: number };

export type Opened =
  | { readonly kind: "quote" }
  | { readonly kind: "item"; readonly mark: starts.ItemMark; readonly indentCells: number };

export type Start =
  | { readonly kind: "blank" | "fence-end" | "rule" }
  /** "raw" continues code or HTML. */
  | { readonly kind: "raw" | "indented" | "table-row" | "text"; readonly text: string }
  | { readonly kind: "html"; readonly text: string; readonly end: RegExp | "blank" }
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "setext"; readonly level: number }
  | { readonly kind: "fence"; readonly fence: starts.Fence }
  | { readonly kind: "table"; readonly aligns: readonly starts.Align[] }
  | {
      readonly kind: "definition";
      readonly text: string;
      readonly label: string;
      readonly href: string;
      readonly title: string;
    };

export interface Reading {
  /** How many open containers continue. */
  readonly matched: number;
  readonly opened: readonly Opened[];
  readonly start: Start;
}

/** Deeper marks of lists and quotes are text. */
const NESTED_MAX = 100;

export function readLine(line: string, containers: readonly Container[], leaf: OpenLeaf): Reading {
  const { matched, rest } = matchContainers(line, containers);
  const isInside = matched === containers.length;
  const raw = isInside ? readRaw(rest, leaf) : undefined;
  if (raw !== undefined) return { matched, opened: [], start: raw };
  return readStarts(rest, matched, isInside ? "inside" : "outside", leaf);
}

function matchContainers(line: string, containers: readonly Container[]): { matched: number; rest: string } {
  let rest = line;
  let matched = 0;
  for (const container of containers) {
    const next = container.kind === "quote" ? insideQuote(rest) : insideItem(rest, container);
    if (next === undefined) break;
    rest = next;
    matched++;
  }
  return { matched, rest };
}

function insideQuote(rest: string): string | undefined {
  const indent = starts.indentOf(rest);
  if (indent.cells > 3 || rest[indent.units] !== ">") return undefined;
  return starts.withoutIndent(rest.slice(indent.units + 1), 1);
}

function insideItem(rest: string, { contentCells, isEmpty }: Item): string | undefined {
  const indent = starts.indentOf(rest);
  if (indent.units === rest.length) return isEmpty ? undefined : "";
  return indent.cells >= contentCells ? starts.withoutIndent(rest, contentCells) : undefined;
}

function readRaw(rest: string, leaf: OpenLeaf): Start | undefined {
  const isBlank = starts.isBlank(rest);
  if (leaf.kind === "fence") {
    if (starts.closesFence(rest, leaf.fence)) return { kind: "fence-end" };
    const cells = Math.min(leaf.fence.indentCells, starts.indentOf(rest).cells);
    return { kind: "raw", text: cells === 0 ? rest : starts.withoutIndent(rest, cells) };
  }
  if (leaf.kind === "html") return isBlank && leaf.end === "blank" ? undefined : { kind: "raw", text: rest };
  if (leaf.kind !== "indented") return undefined;
  if (isBlank) return { kind: "raw", text: starts.withoutIndent(rest, 4) };
  return starts.indentOf(rest).cells >= 4 ? { kind: "raw", text: starts.withoutIndent(rest, 4) } : undefined;
}

function readStarts(line: string, matched: number, place: "inside" | "outside", leaf: OpenLeaf): Reading {
  const opened: Opened[] = [];
  let rest = line;
  for (;;) {
    const indent = starts.indentOf(rest);
    const text = rest.slice(indent.units);
    if (text === "") return { matched, opened, start: { kind: "blank" } };
    const isDirect = place === "inside" && opened.length === 0;
    const mayContinue = leaf.kind === "paragraph" && opened.length === 0;
    if (indent.cells >= 4) {
      const start: Start = mayContinue
        ? { kind: "text", text }
        : { kind: "indented", text: starts.withoutIndent(rest, 4) };
      return { matched, opened, start };
    }
    const mayNest = matched + opened.length < NESTED_MAX;
    const container = mayNest ? containerOf(text, indent.cells, isDirect ? leaf : NO_LEAF) : undefined;
    if (container === undefined)
      return {
        matched,
        opened,
        start: leafStart(text, indent.cells, { direct: isDirect ? leaf : NO_LEAF, mayContinue }),
      };
    opened.push(container.opened);
    rest = container.rest;
  }
}

const NO_LEAF: OpenLeaf = { kind: "none" };

function containerOf(text: string, indentCells: number, leaf: OpenLeaf): { opened: Opened; rest: string } | undefined {
  if (text.startsWith(">")) return { opened: { kind: "quote" }, rest: starts.withoutIndent(text.slice(1), 1) };
  if (tableAligns(text, leaf) !== undefined || starts.isRule(text) || setextOf(text, leaf) !== undefined)
    return undefined;
  const mark = starts.itemOf(text);
  if (mark === undefined) return undefined;
  // Inside a paragraph "- " alone or "1990. " is more likely text.
  const isDoubtful = mark.rest === "" || (mark.kind === "ordered" && mark.number !== 1);
  if (leaf.kind === "paragraph" && isDoubtful) return undefined;
  return { opened: { kind: "item", mark, indentCells }, rest: mark.rest };
}

/** `direct` is the open block if the line is right inside it; a paragraph may also continue from outside. */
interface Continuable {
  readonly direct: OpenLeaf;
  readonly mayContinue: boolean;
}

function leafStart(text: string, indentCells: number, { direct, mayContinue }: Continuable): Start {
  const aligns = tableAligns(text, direct);
  if (aligns !== undefined) return { kind: "table", aligns };
  const heading = starts.headingOf(text);
  if (heading !== undefined) return { kind: "heading", ...heading };
  const fence = starts.fenceOf(text, indentCells);
  if (fence !== undefined) return { kind: "fence", fence };
  const html = starts.htmlOf(text, mayContinue ? "in-paragraph" : "elsewhere");
  if (html !== undefined) return { kind: "html", text, end: html.end };
  const level = setextOf(text, direct);
  if (level !== undefined) return { kind: "setext", level };
  if (starts.isRule(text)) return { kind: "rule" };
  if (direct.kind === "table" && starts.hasPipe(text)) return { kind: "table-row", text };
  const definition = mayContinue ? undefined : starts.definitionOf(text);
  return definition === undefined ? { kind: "text", text } : { kind: "definition", text, ...definition };
}

function setextOf(text: string, leaf: OpenLeaf): number | undefined {
  return leaf.kind === "paragraph" && leaf.header !== undefined ? starts.setextLevel(text) : undefined;
}

function tableAligns(text: string, leaf: OpenLeaf): starts.Align[] | undefined {
  if (leaf.kind !== "paragraph" || leaf.header === undefined || leaf.lines !== 1) return undefined;
  return starts.alignsOf(text, leaf.header);
}

/** Whether a growing line is surely prose, so that its text can be taken as it comes. */
export function isCertain({ opened, start }: Reading, leaf: OpenLeaf): boolean {
  if (start.kind === "heading") return start.text.trim() !== "";
  if (start.kind !== "text") return false;
  if (opened.length === 0) {
    if (leaf.kind === "table") return false;
    if (/^[|:]/.test(start.text) && leaf.kind === "paragraph" && leaf.lines === 1 && starts.hasPipe(leaf.header ?? ""))
      return false;
  }
  return starts.isSurelyProse(start.text);
}
