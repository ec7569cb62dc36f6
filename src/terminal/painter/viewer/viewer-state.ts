// Reading a transcript on the full screen: where the page begins, what is searched for, and how each action changes that.
// Pure, and independent of the length of the transcript: only the lines on the page are ever wrapped.
import { wrapRow } from "../../../text/wrap.js";
import type { Size } from "../frame.js";
import { nextMatch } from "./line-search.js";

/** What is read: rows of safe text, as wide as they like, and where the person's own words begin. */
export interface ViewerDocument {
  readonly lines: readonly string[];
  /** Indexes of lines, ascending: the places to jump to. */
  readonly marks: readonly number[];
}

/** A screen row of the document: the row-th of the rows that a line takes at the width at hand. */
export interface ViewerPlace {
  readonly line: number;
  readonly row: number;
}

export type ViewerSearch =
  | { readonly phase: "off" }
  /** The person types; the page stays where it was until a match is found. */
  | { readonly phase: "typing"; readonly query: string; readonly origin: ViewerPlace }
  | { readonly phase: "found"; readonly query: string; readonly line: number }
  | { readonly phase: "missing"; readonly query: string };

export interface ViewerState {
  readonly document: ViewerDocument;
  /** Whether the document grows; then who is at its end stays there. */
  readonly growth: "grows" | "done";
  /** Whether the agent waits for an answer, which can be given when the viewer is closed. */
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

/** Opens at the end: what was said last is what one looks for first. */
export function openViewer(document: ViewerDocument, size: Size, growth: ViewerState["growth"] = "done"): ViewerState {
  const begin = { top: { line: 0, row: 0 }, search: { phase: "off" }, waits: "for nothing" } as const;
  const state: ViewerState = { document, growth, size, ...begin };
  return { ...state, top: lastTop(state) };
}

/** One row of the window is the viewer's own. */
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

/** Whether there is nothing below the page. */
export function isAtEnd(state: ViewerState): boolean {
  const end = lastTop(state);
  return earlier(end, state.top) === end;
}

/** The screen rows of one line. */
export function rowsOf(line: string, columns: number): string[] {
  return wrapRow(line, Math.max(1, columns), { at: "cells" });
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

// The top of the last page: as far as one can go down with the page still full.
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

// The line at the top stays there; which of its rows it was has no meaning at another width.
function resized(state: ViewerState, size: Size): ViewerState {
  const next = { ...state, size, top: { line: state.top.line, row: 0 } };
  return { ...next, top: isAtEnd(state) ? lastTop(next) : earlier(next.top, lastTop(next)) };
}

// Who looks for something, or has found it, reads there; the page does not run away from him.
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

// While one types, the first match from where one was is shown at once.
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
  return { ...state, search: { phase: "found", query, line }, top: topShowing(state, line) };
}

// A match comes to stand a third down the page, with what led to it above.
function topShowing(state: ViewerState, line: number): ViewerPlace {
  return earlier(placeAbove(state, { line, row: 0 }, Math.floor(pageRows(state) / 3)), lastTop(state));
}
