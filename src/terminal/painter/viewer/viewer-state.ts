// The state of the viewer: where the page begins, the search, and how each action changes it. Only the lines on
// the page are wrapped.
import { wrapRow } from "../../../text/wrap.js";
import type { Size } from "../frame.js";
import { highlighted, matchingLines, nextMatch } from "./line-search.js";

/** Rows of safe text of any width. */
export interface ViewerDocument {
  readonly lines: readonly string[];
  /** Lines to jump to, ascending. */
  readonly marks: readonly number[];
}

/** The row-th screen row of a line. */
export interface ViewerPlace {
  readonly line: number;
  readonly row: number;
}

type ViewerSearch =
  | { readonly phase: "off" }
  /** The query is being typed; the page moves when a match is found. */
  | { readonly phase: "typing"; readonly query: string; readonly origin: ViewerPlace }
  /** `line` is the current match: the nth of so many lines that match. */
  | {
      readonly phase: "found";
      readonly query: string;
      readonly line: number;
      readonly nth: number;
      readonly of: number;
    }
  | { readonly phase: "missing"; readonly query: string };

export interface ViewerState {
  readonly document: ViewerDocument;
  /** A page at the end of a growing document follows it. */
  readonly growth: "grows" | "done";
  /** An ask can be answered after the viewer is closed. */
  readonly waits: "for an answer" | "for nothing";
  readonly size: Size;
  readonly top: ViewerPlace;
  readonly search: ViewerSearch;
}

export type Direction = "forward" | "back";

export type ViewerAction =
  | { readonly type: "scroll"; readonly rows: number }
  | { readonly type: "page"; readonly direction: Direction }
  | { readonly type: "go"; readonly to: "start" | "end" }
  | { readonly type: "jump"; readonly direction: Direction }
  | { readonly type: "resize"; readonly size: Size }
  | { readonly type: "grow"; readonly document: ViewerDocument }
  | { readonly type: "agent.waits"; readonly waits: ViewerState["waits"] }
  | { readonly type: "search.begin" }
  | { readonly type: "search.edit"; readonly query: string }
  | { readonly type: "search.accept" }
  | { readonly type: "search.cancel" }
  | { readonly type: "search.again"; readonly direction: Direction };

export function openViewer(document: ViewerDocument, size: Size, growth: ViewerState["growth"] = "done"): ViewerState {
  const begin = { top: { line: 0, row: 0 }, search: { phase: "off" }, waits: "for nothing" } as const;
  const state: ViewerState = { document, growth, size, ...begin };
  return { ...state, top: lastTop(state) };
}

export function pageRows({ size }: Pick<ViewerState, "size">): number {
  return Math.max(1, size.rows - 1);
}

export function reduceViewer(state: ViewerState, action: ViewerAction): ViewerState {
  switch (action.type) {
    case "scroll":
      return scrolled(state, action.rows);
    case "page":
      return scrolled(state, (action.direction === "forward" ? 1 : -1) * Math.max(1, pageRows(state) - 1));
    case "go":
      return { ...state, top: action.to === "start" ? { line: 0, row: 0 } : lastTop(state) };
    case "jump":
      return jumped(state, action.direction);
    case "resize":
      return resized(state, action.size);
    case "grow":
      return grown(state, action.document);
    case "agent.waits":
      return { ...state, waits: action.waits };
    case "search.begin":
      return { ...state, search: { phase: "typing", query: "", origin: state.top } };
    case "search.edit":
      return edited(state, action.query);
    case "search.accept":
      return accepted(state);
    case "search.cancel":
      return {
        ...state,
        search: { phase: "off" },
        top: state.search.phase === "typing" ? state.search.origin : state.top,
      };
    case "search.again":
      return searchedAgain(state, action.direction);
  }
}

export function isAtEnd(state: ViewerState): boolean {
  const end = lastTop(state);
  return earlier(end, state.top) === end;
}

export function rowsOf(line: string, columns: number): string[] {
  return wrapRow(line, Math.max(1, columns), { at: "cells" });
}

export interface ViewerPage {
  readonly rows: string[];
  readonly linesBelow: number;
}

/** The rows of the page with its matches highlighted; `wrap` may remember rows. */
export function pageOf({ document, size, top, search }: ViewerState, wrap: typeof rowsOf = rowsOf): ViewerPage {
  const { lines } = document;
  const query = search.phase === "off" ? "" : search.query;
  const rowsMax = pageRows({ size });
  const rows: string[] = [];
  let at = top.line;
  for (; at < lines.length && rows.length < rowsMax; at += 1) {
    const line = lines[at] ?? "";
    const isCurrent = search.phase !== "found" || search.line === at;
    const wrapped = wrap(query === "" ? line : highlighted(line, query, isCurrent ? "current" : "other"), size.columns);
    rows.push(...(at === top.line ? wrapped.slice(top.row) : wrapped));
  }
  return { rows: rows.slice(0, rowsMax), linesBelow: lines.length - at + (rows.length > rowsMax ? 1 : 0) };
}

/** The last rows of these lines, at most `rowsMax`. Lines before `from` are not shown. */
export function lastRows(
  lines: readonly string[],
  rowsMax: number,
  { columns, from = 0, wrap = rowsOf }: { columns: number; from?: number; wrap?: typeof rowsOf },
): string[] {
  const parts: string[][] = [];
  let count = 0;
  for (let at = lines.length - 1; at >= from && count < rowsMax; at -= 1) {
    const rows = wrap(lines[at] ?? "", columns);
    parts.push(rows);
    count += rows.length;
  }
  return rowsMax < 1 ? [] : parts.reverse().flat().slice(-rowsMax);
}

/** The first `count` lines were dropped: the same lines have smaller numbers now. */
export function withoutFirstLines(state: ViewerState, count: number): ViewerState {
  const { search } = state;
  const moved = ({ line, row }: ViewerPlace) => (line >= count ? { line: line - count, row } : { line: 0, row: 0 });
  const top = moved(state.top);
  if (search.phase === "typing") return { ...state, top, search: { ...search, origin: moved(search.origin) } };
  if (search.phase === "found") return { ...state, top, search: { ...search, line: Math.max(0, search.line - count) } };
  return { ...state, top };
}

/** Another size: at the same width the row at the top stays there, at another one only its line can. */
export function fittedTo(state: ViewerState, size: Size): ViewerState {
  if (size.columns !== state.size.columns) return reduceViewer(state, { type: "resize", size });
  return reduceViewer({ ...state, size }, { type: "scroll", rows: 0 });
}

function scrolled(state: ViewerState, rows: number): ViewerState {
  const top = rows < 0 ? placeAbove(state, state.top, -rows) : placeBelow(state, state.top, rows);
  return { ...state, top: earlier(top, lastTop(state)) };
}

function placeAbove(state: ViewerState, from: ViewerPlace, rows: number): ViewerPlace {
  let { line, row } = from;
  let left = rows;
  while (left > row && line > 0) {
    left -= row + 1;
    line -= 1;
    row = lineRows(state, line) - 1;
  }
  return { line, row: Math.max(0, row - left) };
}

function placeBelow(state: ViewerState, from: ViewerPlace, rows: number): ViewerPlace {
  let { line, row } = from;
  let left = rows;
  for (; line < state.document.lines.length; line += 1, row = 0) {
    const below = lineRows(state, line) - 1 - row;
    if (left <= below) return { line, row: row + left };
    left -= below + 1;
  }
  return lastTop(state);
}

// The top of the last full page.
function lastTop(state: ViewerState): ViewerPlace {
  const last = state.document.lines.length - 1;
  if (last < 0) return { line: 0, row: 0 };
  return placeAbove(state, { line: last, row: lineRows(state, last) - 1 }, pageRows(state) - 1);
}

function earlier(a: ViewerPlace, b: ViewerPlace): ViewerPlace {
  return a.line < b.line || (a.line === b.line && a.row <= b.row) ? a : b;
}

function lineRows({ document, size }: ViewerState, line: number): number {
  return rowsOf(document.lines[line] ?? "", size.columns).length;
}

// The line at the top stays; its row has no meaning at another width.
function resized(state: ViewerState, size: Size): ViewerState {
  const next = { ...state, size, top: { line: state.top.line, row: 0 } };
  return { ...next, top: isAtEnd(state) ? lastTop(next) : earlier(next.top, lastTop(next)) };
}

// During a search the page does not follow the end.
function grown(state: ViewerState, document: ViewerDocument): ViewerState {
  const next = { ...state, document };
  return state.search.phase === "off" && isAtEnd(state) ? { ...next, top: lastTop(next) } : next;
}

function jumped(state: ViewerState, direction: Direction): ViewerState {
  const { marks } = state.document;
  const { line, row } = state.top;
  const target =
    direction === "forward"
      ? marks.find((mark) => mark > line)
      : marks.findLast((mark) => mark < line || (mark === line && row > 0));
  if (target === undefined) return state;
  return { ...state, top: earlier({ line: target, row: 0 }, lastTop(state)) };
}

// The first match is shown while the query is typed.
function edited(state: ViewerState, query: string): ViewerState {
  if (state.search.phase !== "typing") return state;
  const { origin } = state.search;
  const found =
    query === "" ? null : nextMatch(state.document.lines, query, { from: origin.line, direction: "forward" });
  return {
    ...state,
    search: { phase: "typing", query, origin },
    top: found === null ? origin : topShowing(state, found),
  };
}

function accepted(state: ViewerState): ViewerState {
  if (state.search.phase !== "typing") return state;
  const { query, origin } = state.search;
  if (query === "") return { ...state, search: { phase: "off" } };
  return found(state, query, { from: origin.line, direction: "forward" });
}

function searchedAgain(state: ViewerState, direction: Direction): ViewerState {
  const { search } = state;
  if (search.phase !== "found") return state;
  const from = direction === "forward" ? search.line + 1 : search.line - 1;
  return found(state, search.query, { from, direction });
}

function found(state: ViewerState, query: string, options: { from: number; direction: Direction }): ViewerState {
  const line = nextMatch(state.document.lines, query, options);
  if (line === null) return { ...state, search: { phase: "missing", query } };
  const all = matchingLines(state.document.lines, query);
  const place = { nth: all.indexOf(line) + 1, of: all.length };
  return { ...state, search: { phase: "found", query, line, ...place }, top: topShowing(state, line) };
}

// A match is shown a third down the page.
function topShowing(state: ViewerState, line: number): ViewerPlace {
  return earlier(placeAbove(state, { line, row: 0 }, Math.floor(pageRows(state) / 3)), lastTop(state));
}
