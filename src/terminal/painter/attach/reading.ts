// Reading in the attached view: the end of the log is followed until the user scrolls up or searches; then all kept
// lines are open, and the place stays while lines come and go.
import { type AttachState, activeTab, isSamePlace } from "../../../session/attach/attach-state.js";
import { latestLines } from "../../../session/attach/log-state.js";
import type { Appearance } from "../blocks/glyphs.js";
import type { Size } from "../frame.js";
import {
  fittedTo,
  isAtEnd,
  openViewer,
  reduceViewer,
  type ViewerAction,
  type ViewerState,
  withoutFirstLines,
} from "../viewer/viewer-state.js";
import { helpLines } from "./help-text.js";
import { logRows } from "./log-lines.js";

export type ReadingAction = ViewerAction | { readonly type: "follow" };

/** Rows, and for each the number of its line, ascending. */
interface ReadingText {
  readonly lines: readonly string[];
  readonly numbers: readonly number[];
}

/** Only "log" grows; "whole" is one value with all its lines. */
export interface Reading {
  readonly what: "log" | "help" | "whole";
  readonly viewer: ViewerState;
  readonly numbers: readonly number[];
}

/** `area` is the window without the footer. */
function opened(what: Reading["what"], text: ReadingText, area: Size): Reading {
  const viewer = openViewer({ lines: text.lines, marks: [] }, withFooter(area));
  const start = what === "log" ? viewer : reduceViewer(viewer, { type: "go", to: "start" });
  return { what, viewer: start, numbers: text.numbers };
}

/**
 * The next place; null to follow the end again. If following hides lines (`hidden`), scrolling up keeps reading even
 * when all of them fit.
 */
function readOn(reading: Reading, action: ReadingAction, hidden: "some" | "none"): Reading | null {
  if (action.type === "follow") return null;
  const viewer = reduceViewer(reading.viewer, action);
  const next = { ...reading, viewer };
  if (reading.what !== "log" || viewer.search.phase !== "off" || !isAtEnd(viewer)) return next;
  const goesUp =
    (action.type === "scroll" && action.rows < 0) || (action.type === "page" && action.direction === "back");
  return goesUp && hidden === "some" ? next : null;
}

/** The same place after lines were dropped above, added below, or the window changed. */
function refreshed(reading: Reading, text: ReadingText, area: Size): Reading {
  const first = text.numbers[0] ?? 0;
  const dropped = reading.numbers.findIndex((number) => number >= first);
  const moved = withoutFirstLines(reading.viewer, dropped < 0 ? reading.numbers.length : dropped);
  const viewer = { ...moved, document: { lines: text.lines, marks: [] } };
  return { ...reading, viewer: fittedTo(viewer, withFooter(area)), numbers: text.numbers };
}

// The viewer counts one row as its own.
function withFooter({ columns, rows }: Size): Size {
  return { columns, rows: Math.max(1, rows) + 1 };
}

export interface ViewContext {
  readonly state: AttachState;
  readonly area: Size;
  readonly tick: number;
  readonly look: Appearance;
}

/** An action on the text; it begins reading if needed. */
export function textActed(reading: Reading | null, action: ReadingAction, context: ViewContext): Reading | null {
  const hidden = hiddenLines(context.state) > 0 ? "some" : "none";
  if (reading !== null) return readOn(reading, action, hidden);
  if (action.type === "follow" || activeTab(context.state) === null) return null;
  return readOn(opened("log", logText(context), context.area), action, hidden);
}

/** Opens rows, which must be safe, in place of the log. */
export function wholeOpened(rows: readonly string[], { area }: Pick<ViewContext, "area">): Reading {
  const lines = rows.map((row) => ` ${row}`);
  return opened("whole", { lines, numbers: lines.map((_, index) => index) }, area);
}

/** The same place after a change of state or window. */
export function textFollowed(reading: Reading | null, before: AttachState, context: ViewContext): Reading | null {
  const { state, area } = context;
  if (!isSamePlace(before.active, state.active)) {
    return state.active.kind === "help" ? opened("help", helpText(context), area) : null;
  }
  if (reading === null || reading.what === "whole") return reading && refit(reading, area);
  if (reading.what === "help") return refreshed(reading, helpText(context), area);
  return refreshed(reading, logText(context), area);
}

function refit(reading: Reading, area: Size): Reading {
  return refreshed(reading, { lines: reading.viewer.document.lines, numbers: reading.numbers }, area);
}

function hiddenLines(state: AttachState): number {
  const log = activeTab(state)?.log;
  return log === undefined || state.logs === "all" ? 0 : log.lines.length - latestLines(log).length;
}

function helpText({ state, area, look }: ViewContext): ReadingText {
  const lines = helpLines(state, area.columns, look);
  return { lines, numbers: lines.map((_, index) => index) };
}

function logText({ state, area, tick, look }: ViewContext): ReadingText {
  const all = activeTab(state)?.log.lines ?? [];
  const names = all.map(({ handler }) => handler);
  const rows = logRows(all, names, { columns: area.columns, tick, look });
  return { lines: rows.flat(), numbers: rows.flatMap((part, index) => part.map(() => all[index]?.number ?? 0)) };
}
