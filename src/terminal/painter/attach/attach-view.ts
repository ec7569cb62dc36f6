// State and reading together: which text is in front of the person, and how an action on it, a line that comes or another
// window changes what is read. Pure; the runner keeps the value and asks for the next.
import { type AttachState, activeTab, isSamePlace } from "../../../session/attach/attach-state.js";
import { latestLines } from "../../../session/attach/log-state.js";
import type { Size } from "../frame.js";
import type { AttachLook } from "./attach-look.js";
import { helpLines } from "./help-text.js";
import { logRows } from "./log-lines.js";
import { opened, type Reading, type ReadingAction, type ReadingText, readOn, refreshed } from "./reading.js";

export interface ViewContext {
  readonly state: AttachState;
  readonly area: Size;
  readonly tick: number;
  readonly look: AttachLook;
}

/** An action on the text in front; reading begins with it when it has not begun. */
export function textActed(reading: Reading | null, action: ReadingAction, context: ViewContext): Reading | null {
  const hidden = hiddenLines(context.state) > 0 ? "some" : "none";
  if (reading !== null) return readOn(reading, action, hidden);
  if (action.type === "follow" || activeTab(context.state) === null) return null;
  return readOn(opened("log", logText(context), context.area), action, hidden);
}

/** Something with all its lines, in the place of the log. The rows are safe already. */
export function wholeOpened(rows: readonly string[], { area }: Pick<ViewContext, "area">): Reading {
  const lines = rows.map((row) => ` ${row}`);
  return opened("whole", { lines, numbers: lines.map((_, index) => index) }, area);
}

/** What is read after the state or the window changed: the same place, if it is still there. */
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
  const book = activeTab(state)?.book;
  return book === undefined || state.logs === "all" ? 0 : book.lines.length - latestLines(book).length;
}

function helpText({ state, area, look }: ViewContext): ReadingText {
  const lines = helpLines(state, area.columns, look);
  return { lines, numbers: lines.map((_, index) => index) };
}

function logText({ state, area, tick, look }: ViewContext): ReadingText {
  const all = activeTab(state)?.book.lines ?? [];
  const names = all.map(({ handler }) => handler);
  const rows = logRows(all, names, { columns: area.columns, tick, look });
  return { lines: rows.flat(), numbers: rows.flatMap((part, index) => part.map(() => all[index]?.number ?? 0)) };
}
