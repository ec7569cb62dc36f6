// The whole window of the attached view: tabs, log or text, notice, fields or input line, footer. A dialog takes the
// place of the fields.
//
//   | BUILD 2  SERVER  TESTS 1✕                    ?:help |
//   | 12:04:31 watch    rebuilt 3 files in 0.2 s          |
//   | 12:04:33 tests    ✕ 1 failed, 212 passed            |
//   |                                                     |
//   | ✕ Mode is one of development, production            |
//   |❯ Mode  [ development ]   Browser  [ off ]           |
//   | 1/3  ↑↓ logs · ←→ fields · tab next                 |
import {
  type AttachState,
  activeTab,
  type DaemonTab,
  type Field,
  fieldNamed,
} from "../../../session/attach/attach-state.js";
import { shownValue } from "../../../session/attach/field-actions.js";
import { linesFor } from "../../../session/attach/log-state.js";
import { humanCount, humanDuration, humanLines } from "../../../text/humanize.js";
import { rowWidth } from "../../../text/row.js";
import { safeLine } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";
import { fitted } from "../dialogs/dialog-rows.js";
import type { CellPosition, Frame, Size } from "../frame.js";
import { lastRows, pageOf } from "../viewer/viewer-state.js";
import { isOneKey, keySigns } from "./help-text.js";
import { logRows } from "./log-lines.js";
import type { Reading } from "./reading.js";
import { type SessionMark, tabLine } from "./tab-line.js";

export interface AttachParts {
  readonly state: AttachState;
  readonly reading: Reading | null;
  readonly sessions: readonly SessionMark[];
  readonly input: ((widthCells: number) => Frame) | null;
  readonly dialog: ((widthCells: number, rowsMax: number) => Frame) | null;
  readonly tick: number;
}

/** The whole notice is in the log as well. */
const NOTICE_ROWS_MAX = 3;
const LOW_WINDOW_ROWS = 14;

export function textArea(parts: AttachParts, size: Size, look: Appearance): Size {
  const rows = size.rows - headRows(size) - below(parts, size, look).rows.length - 1;
  return { columns: size.columns, rows: Math.max(1, rows) };
}

export function attachFrame(parts: AttachParts, size: Size, look: Appearance): Frame {
  const { state, reading } = parts;
  const head = headRows(size) === 0 ? [] : [tabLine(state, parts.sessions, size.columns, look)];
  const under = below(parts, size, look);
  const area = textArea(parts, size, look);
  const page = reading === null ? following(parts, area, look) : { ...pageOf(reading.viewer), linesHidden: 0 };
  const last = footer({ state, reading, ...page }, size.columns, look);
  const body = [...page.rows, ...Array.from({ length: Math.max(0, area.rows - page.rows.length) }, () => "")];
  return stacked([{ rows: head, cursor: null }, { rows: body, cursor: null }, under, last], size);
}

export function headRows({ rows }: Size): number {
  return rows < 4 ? 0 : 1;
}

function following({ state, tick }: AttachParts, area: Size, look: Appearance) {
  const tab = activeTab(state);
  if (tab === null) return { rows: [], linesBelow: 0, linesHidden: 0 };
  const shown = state.logs === "all" ? tab.log.lines : linesFor(tab.log, area.rows);
  const names = shown.map(({ handler }) => handler);
  const lines = logRows(shown.slice(-area.rows), names, { columns: area.columns, tick, look }).flat();
  return { rows: lastRows(lines, area.rows, area), linesBelow: 0, linesHidden: tab.log.lines.length - shown.length };
}

function below(parts: AttachParts, size: Size, look: Appearance): Frame {
  const { state, dialog } = parts;
  const width = size.columns - 1;
  if (dialog !== null) return dialog(width, dialogRows(size));
  const rowsMax = Math.max(1, Math.floor(size.rows / 4));
  return stacked([noticeFrame(state, width, rowsMax, look), fieldsFrame(parts, width, rowsMax, look)], null);
}

// In a low window a question has every row but the last: what is cut off is above it.
function dialogRows({ rows }: Size): number {
  return rows < LOW_WINDOW_ROWS ? Math.max(1, rows - 1) : Math.floor((rows * 2) / 3) - 2;
}

function noticeFrame({ notice }: AttachState, width: number, rowsMax: number, { style, glyphs }: Appearance): Frame {
  if (notice === null) return NOTHING;
  const role = { info: "info", warn: "warn", error: "danger" } as const;
  const sign = { info: glyphs.notice, warn: glyphs.warning, error: glyphs.failed }[notice.level];
  const text = style.paint(role[notice.level], `${sign} ${safeLine(notice.text)}`);
  const rows = wrapRow(text, Math.max(1, width - 1), { at: "words", hangingIndentCells: 2 });
  return { rows: rows.slice(0, Math.min(rowsMax, NOTICE_ROWS_MAX)).map((row) => ` ${row}`), cursor: null };
}

function fieldsFrame(parts: AttachParts, width: number, rowsMax: number, look: Appearance): Frame {
  const { state, input } = parts;
  if (state.editing !== null && input !== null) return inputFrame(state, input, width, look);
  const tab = activeTab(state);
  return tab === null ? NOTHING : { rows: fieldRows(tab, state, { columns: width, rowsMax }, look), cursor: null };
}

/** `❯ Mode  [ production▏ ]` */
function inputFrame(
  state: AttachState,
  input: (widthCells: number) => Frame,
  width: number,
  { style, glyphs }: Appearance,
): Frame {
  const { editing } = state;
  const field = editing === null || editing.kind === "action" ? null : fieldNamed(state, editing.field);
  const label = fitted(safeLine(field?.label ?? "Action"), Math.max(4, Math.floor(width / 2)), glyphs);
  const isWaiting = editing?.kind === "wizard" && editing.phase === "waiting";
  const lead = `${style.paint("accent", glyphs.selected)} ${style.paint("bold", label)}  ${style.paint("dim", "[")} `;
  const leadCells = textWidth(glyphs.selected) + 1 + textWidth(label) + 4;
  if (isWaiting) return { rows: [`${lead}${glyphs.waiting} ${style.paint("dim", "]")}`], cursor: null };
  const line = input(Math.max(2, width - leadCells - 2));
  const rows = [`${lead}${line.rows[0] ?? ""} ${style.paint("dim", "]")}`];
  return { rows, cursor: line.cursor === null ? null : { row: 0, column: leadCells + line.cursor.column } };
}

const NOTHING: Frame = { rows: [], cursor: null };

// Stacks frames. When not all fit, the beginning is cut: the end is where the user types.
export function stacked(parts: readonly Frame[], size: Size | null): Frame {
  const rows = parts.flatMap((part) => part.rows);
  let cursor: CellPosition | null = null;
  let offset = 0;
  for (const part of parts) {
    if (part.cursor !== null) cursor = { row: offset + part.cursor.row, column: part.cursor.column };
    offset += part.rows.length;
  }
  const cut = size === null ? 0 : Math.max(0, rows.length - size.rows);
  if (cursor !== null) cursor = cursor.row < cut ? null : { ...cursor, row: cursor.row - cut };
  return { rows: rows.slice(cut), cursor };
}

interface FooterParts {
  readonly state: AttachState;
  readonly reading: Reading | null;
  readonly linesBelow: number;
  /** Lines that are hidden while the end is followed. */
  readonly linesHidden: number;
}

function footer(parts: FooterParts, columns: number, look: Appearance): Frame {
  const search = parts.reading?.viewer.search;
  if (search?.phase === "typing") {
    const row = fitted(` find ${safeLine(search.query)}`, Math.max(1, columns - 1), look.glyphs);
    return { rows: [row], cursor: { row: 0, column: textWidth(row) } };
  }
  const { style, glyphs } = look;
  const trouble = connectionWords(parts.state, look);
  const words = [...trouble, ...hints(parts, look)];
  const separator = ` ${glyphs.separator} `;
  while (words.length > 1 && textWidth(words.join(separator)) + 1 > columns) words.pop();
  const row = fitted(` ${words.join(separator)}`, columns, glyphs);
  return { rows: [style.paint(trouble.length > 0 ? "warn" : "dim", row)], cursor: null };
}

function connectionWords({ connection }: AttachState, { glyphs }: Appearance): string[] {
  if (connection.phase === "connected") return [];
  if (connection.phase === "connecting") return [`${glyphs.waiting} connecting`];
  // At a hub there is no daemon, and no time that is known.
  if (connection.retryInMs === 0) return [`${glyphs.warning} lost the connection; reconnecting`];
  return [`${glyphs.warning} lost the daemon; reconnecting in ${humanDuration(connection.retryInMs)}`];
}

function hints(parts: FooterParts, look: Appearance): string[] {
  const { state, reading } = parts;
  if (state.editing !== null) return editingHints(state.editing);
  return reading === null ? followingHints(parts, look) : readingHints(reading, parts, look);
}

function editingHints(editing: NonNullable<AttachState["editing"]>): string[] {
  if (editing.kind === "wizard" && editing.phase === "waiting") return ["waiting for the next question", "esc cancel"];
  return ["enter send", "esc cancel"];
}

function followingHints({ state, linesHidden }: FooterParts, { glyphs }: Appearance): string[] {
  const { upDown, leftRight } = keySigns(glyphs);
  const fields = activeTab(state)?.fields ?? [];
  const at = fields.findIndex(({ key }) => key === activeTab(state)?.focus);
  const position = fields.length === 0 ? "" : `${at + 1}/${fields.length}  `;
  const log = linesHidden > 0 ? `${upDown} logs (${humanCount(linesHidden)} more)` : `${upDown} logs`;
  return [
    `${position}${log}`,
    ...(fields.length === 0 ? ["/ search"] : [`${leftRight} fields`]),
    "tab next",
    "ctrl+c quit (it keeps running)",
  ];
}

function readingHints({ what, viewer }: Reading, { linesBelow }: FooterParts, { glyphs }: Appearance): string[] {
  const { search } = viewer;
  const below = `${glyphs.more} ${humanLines(linesBelow)} below`;
  const more = linesBelow === 0 ? [] : [below];
  const found = search.phase === "missing" ? [`no "${safeLine(search.query)}"`] : more;
  if (search.phase === "found") return [...found, "n next", "N back", "esc done"];
  if (search.phase !== "off") return [...found, "esc done"];
  if (what !== "log") return [...found, "esc back", "/ search", "tab next"];
  return [...found, "end: follow", "/ search", "tab next"];
}

/** Enter opens a longer value. */
const VALUE_CELLS_MAX = 40;
const MARK_CELLS = 2;
const GAP = " ";

export function fieldRows(
  tab: DaemonTab,
  state: Pick<AttachState, "pending" | "running">,
  { columns, rowsMax }: { columns: number; rowsMax: number },
  look: Appearance,
): string[] {
  const rows: string[] = [];
  let focusedRow = 0;
  for (const field of tab.fields) {
    const isFocused = field.key === tab.focus;
    const text = fitted(marked(field, isFocused ? "focused" : "other", state, look), columns, look.glyphs);
    const last = rows.at(-1);
    const beside = last === undefined ? null : `${last}${GAP}${text}`;
    if (beside === null || rowWidth(beside) > columns) rows.push(text);
    else rows[rows.length - 1] = beside;
    if (isFocused) focusedRow = rows.length - 1;
  }
  const from = Math.max(0, Math.min(focusedRow - rowsMax + 1, rows.length - rowsMax));
  return rows.slice(from, from + rowsMax).map((row) => row.trimEnd());
}

function marked(
  field: Field,
  focus: "focused" | "other",
  state: Pick<AttachState, "pending" | "running">,
  look: Appearance,
): string {
  const { style, glyphs } = look;
  const mark = focus === "focused" ? style.paint("accent", glyphs.selected) : " ";
  const label = safeLine(field.label);
  const name = focus === "focused" ? style.paint("bold", label) : label;
  return `${mark}${" ".repeat(MARK_CELLS - 1)}${name}${contentOf(field, state, look)}`;
}

function contentOf(field: Field, state: Pick<AttachState, "pending" | "running">, look: Appearance): string {
  const { style, glyphs } = look;
  const value = fitted(safeLine(shownValue(state, field)), VALUE_CELLS_MAX, glyphs);
  const waiting = state.pending.has(field.key) || state.running.has(field.key);
  if (field.kind === "display") return `  ${value}`;
  if (field.kind === "execution") {
    const keys = field.shortcuts.filter(({ key }) => isOneKey(key)).map(({ key }) => safeLine(key));
    const signs = [waiting ? glyphs.waiting : keySigns(glyphs).enter, ...keys].join(" ");
    return ` ${style.paint("dim", signs)}`;
  }
  // An interactive field has no value before it is started.
  if (field.kind === "interactive" && value === "" && !waiting) return ` ${style.paint("dim", glyphs.more)}`;
  const sign = waiting ? ` ${style.paint("warn", glyphs.waiting)}` : "";
  return `  ${style.paint("dim", "[")} ${style.paint("accent", value)}${sign} ${style.paint("dim", "]")}`;
}
