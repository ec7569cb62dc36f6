// Reading in the attached view: the end of the log is followed until the user scrolls up or searches; then all kept
// lines are open, and the place stays while lines come and go.
import { type AttachIntent, type AttachState, activeTab, isSamePlace } from "../../../session/attach/attach-state.js";
import { linesFor } from "../../../session/attach/log-state.js";
import type { Appearance } from "../blocks/glyphs.js";
import type { Size } from "../frame.js";
import { viewerIntent } from "../viewer/viewer-keys.js";
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
  const hidden = hiddenLines(context) > 0 ? "some" : "none";
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

function hiddenLines({ state, area }: ViewContext): number {
  const log = activeTab(state)?.log;
  return log === undefined || state.logs === "all" ? 0 : log.lines.length - linesFor(log, area.rows).length;
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

// The keys of the attached view, while no dialog and no input line has them. Any other key may be a handler's shortcut.
export type AttachKey =
  | { readonly to: "view"; readonly intent: AttachIntent }
  | { readonly to: "text"; readonly action: ReadingAction }
  /** The key is consumed and does nothing. */
  | { readonly to: "none" };

const view = (intent: AttachIntent): AttachKey => ({ to: "view", intent });
const text = (action: ReadingAction): AttachKey => ({ to: "text", action });

/** These switch tabs everywhere, also while typing. */
const everywhere: Readonly<Record<string, AttachKey>> = {
  "ctrl+pagedown": view({ type: "tab.step", by: 1 }),
  "ctrl+pageup": view({ type: "tab.step", by: -1 }),
  "ctrl+tab": view({ type: "tab.step", by: 1 }),
  "shift+ctrl+tab": view({ type: "tab.step", by: -1 }),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`alt+${index + 1}`, view({ type: "tab.pick", index })]),
  ),
};

const plain: Readonly<Record<string, AttachKey>> = {
  tab: view({ type: "tab.step", by: 1 }),
  "shift+tab": view({ type: "tab.step", by: -1 }),
  right: view({ type: "field.step", by: 1 }),
  left: view({ type: "field.step", by: -1 }),
  enter: view({ type: "field.act" }),
  "?": view({ type: "help.toggle" }),
  ":": view({ type: "action.enter" }),
  "ctrl+o": view({ type: "logs.toggle" }),
  "ctrl+c": view({ type: "leave" }),
  "ctrl+d": view({ type: "leave" }),
  up: text({ type: "scroll", rows: -1 }),
  down: text({ type: "scroll", rows: 1 }),
  pageup: text({ type: "page", direction: "back" }),
  pagedown: text({ type: "page", direction: "forward" }),
  home: text({ type: "go", to: "start" }),
  "ctrl+home": text({ type: "go", to: "start" }),
  end: text({ type: "follow" }),
  "ctrl+end": text({ type: "follow" }),
  "/": text({ type: "search.begin" }),
  "ctrl+f": text({ type: "search.begin" }),
};

const found: Readonly<Record<string, AttachKey>> = {
  n: text({ type: "search.again", direction: "forward" }),
  N: text({ type: "search.again", direction: "back" }),
  escape: text({ type: "search.cancel" }),
};

/** `key` is a name such as "pageup", or the typed text. */
export function attachKey(reading: Reading | null, key: string): AttachKey {
  const phase = reading?.viewer.search.phase ?? "off";
  if (reading !== null && phase === "typing") return typing(reading, key);
  const own = (phase === "off" ? undefined : found[key]) ?? everywhere[key] ?? plain[key];
  if (own !== undefined) return own;
  if (key === "escape") return backFrom(reading);
  return Array.from(key).length === 1 ? view({ type: "shortcut.press", key }) : { to: "none" };
}

/** The keys that work while another part of the view has the focus. */
export function tabKey(key: string): AttachIntent | null {
  const known = everywhere[key];
  return known?.to === "view" ? known.intent : null;
}

function backFrom(reading: Reading | null): AttachKey {
  if (reading === null) return { to: "none" };
  return reading.what === "help" ? view({ type: "help.toggle" }) : text({ type: "follow" });
}

// While a search is typed, no key reaches a shortcut.
function typing({ viewer }: Reading, key: string): AttachKey {
  const intent = viewerIntent(viewer, key);
  return intent === null || intent.type === "close" ? { to: "none" } : text(intent);
}
