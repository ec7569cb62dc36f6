// Reading in the attached view: while nobody scrolls, the end of the log is followed; scrolling up or searching opens all
// lines that are kept, and the place stays while lines come below and old ones go above.
import type { Size } from "../frame.js";
import { highlighted } from "../viewer/line-search.js";
import {
  openViewer,
  pageRows,
  reduceViewer,
  rowsOf,
  type ViewerAction,
  type ViewerState,
} from "../viewer/viewer-state.js";

export type ReadingAction = ViewerAction | { readonly type: "follow" };

/** What can be read: rows, and for each the number of the line it belongs to, ascending. */
export interface ReadingText {
  readonly lines: readonly string[];
  readonly numbers: readonly number[];
}

/** "log" goes on growing; "help" and "whole" (one value with all its lines) are what they are. */
export interface Reading {
  readonly what: "log" | "help" | "whole";
  readonly viewer: ViewerState;
  readonly numbers: readonly number[];
}

/** `area` is the part of the window for the text, without the footer that belongs to it. */
export function opened(what: Reading["what"], text: ReadingText, area: Size): Reading {
  const viewer = openViewer({ lines: text.lines, marks: [] }, withFooter(area));
  const start = what === "log" ? viewer : reduceViewer(viewer, { type: "go", to: "start" });
  return { what, viewer: start, numbers: text.numbers };
}

/**
 * The next place; null when the end of the log is followed again. `hidden` says whether following shows less than all
 * lines: then one who scrolls up stays with them, also when all of them fit.
 */
export function readOn(reading: Reading, action: ReadingAction, hidden: "some" | "none"): Reading | null {
  if (action.type === "follow") return null;
  const viewer = reduceViewer(reading.viewer, action);
  const next = { ...reading, viewer };
  if (reading.what !== "log" || viewer.search.phase !== "off" || !isAtEnd(viewer)) return next;
  const goesUp =
    (action.type === "scroll" && action.rows < 0) || (action.type === "page" && action.direction === "back");
  return goesUp && hidden === "some" ? next : null;
}

/** The text may have lost lines above and gained some below, and the window may have changed. */
export function refreshed(reading: Reading, text: ReadingText, area: Size): Reading {
  const first = text.numbers[0] ?? 0;
  const dropped = reading.numbers.findIndex((number) => number >= first);
  const moved = movedUp(reading.viewer, dropped < 0 ? reading.numbers.length : dropped);
  const viewer = { ...moved, document: { lines: text.lines, marks: [] } };
  return { ...reading, viewer: fitted(viewer, withFooter(area)), numbers: text.numbers };
}

/** The rows of the page, and how many lines stand below it. */
export function pageOf({ viewer }: Reading): { rows: string[]; linesBelow: number } {
  const { document, size, top, search } = viewer;
  const query = search.phase === "off" ? "" : search.query;
  const rowsMax = pageRows(viewer);
  const rows: string[] = [];
  let at = top.line;
  for (; at < document.lines.length && rows.length < rowsMax; at += 1) {
    const line = document.lines[at] ?? "";
    const wrapped = rowsOf(query === "" ? line : highlighted(line, query), size.columns);
    rows.push(...(at === top.line ? wrapped.slice(top.row) : wrapped));
  }
  return { rows: rows.slice(0, rowsMax), linesBelow: document.lines.length - at + (rows.length > rowsMax ? 1 : 0) };
}

/** The last rows of some lines, as many as there is room for. */
export function endOf(lines: readonly string[], area: Size): string[] {
  const parts: string[][] = [];
  let count = 0;
  for (let at = lines.length - 1; at >= 0 && count < area.rows; at -= 1) {
    const rows = rowsOf(lines[at] ?? "", area.columns);
    parts.push(rows);
    count += rows.length;
  }
  const all = parts.reverse().flat();
  return area.rows < 1 ? [] : all.slice(-area.rows);
}

// The viewer counts one row of its window as its own.
function withFooter({ columns, rows }: Size): Size {
  return { columns, rows: Math.max(1, rows) + 1 };
}

function fitted(viewer: ViewerState, size: Size): ViewerState {
  if (size.columns !== viewer.size.columns) return reduceViewer(viewer, { type: "resize", size });
  return reduceViewer({ ...viewer, size }, { type: "scroll", rows: 0 });
}

function isAtEnd(viewer: ViewerState): boolean {
  const end = reduceViewer(viewer, { type: "go", to: "end" }).top;
  return viewer.top.line === end.line && viewer.top.row === end.row;
}

function movedUp(viewer: ViewerState, count: number): ViewerState {
  if (count === 0) return viewer;
  const up = (line: number) => Math.max(0, line - count);
  const { top, search } = viewer;
  const placeUp = (place: ViewerState["top"]) => (place.line >= count ? { ...place, line: up(place.line) } : START);
  if (search.phase === "typing")
    return { ...viewer, top: placeUp(top), search: { ...search, origin: placeUp(search.origin) } };
  if (search.phase === "found") return { ...viewer, top: placeUp(top), search: { ...search, line: up(search.line) } };
  return { ...viewer, top: placeUp(top) };
}

const START = { line: 0, row: 0 } as const;
