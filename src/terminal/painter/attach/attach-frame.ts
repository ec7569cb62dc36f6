// The whole window of the attached view: tabs, then the log or whatever is read, then what is the matter, the fields of the
// tab or the line that is typed in, and the footer. A question of an agent's takes the place of the fields.
//
//   | BUILD 2  SERVER  TESTS 1✕                    ?:help |
//   | 12:04:31 watch    rebuilt 3 files in 0.2 s          |
//   | 12:04:33 tests    ✕ 1 failed, 212 passed            |
//   |                                                     |
//   | ✕ Mode is one of development, production            |
//   |❯ Mode  [ development ]   Browser  [ off ]           |
//   | 1/3  ↑↓ logs · ←→ fields · tab next                 |
import { type AttachState, activeTab, fieldNamed } from "../../../session/attach/attach-state.js";
import { latestLines } from "../../../session/attach/log-state.js";
import { safeLine } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import { fitted } from "../dialogs/dialog-rows.js";
import type { CellPosition, Frame, Size } from "../frame.js";
import { footer } from "./attach-footer.js";
import type { AttachLook } from "./attach-look.js";
import { fieldRows } from "./field-rows.js";
import { logRows } from "./log-lines.js";
import { endOf, pageOf, type Reading } from "./reading.js";
import { type SessionMark, tabLine } from "./tab-line.js";

export interface AttachParts {
  readonly state: AttachState;
  readonly reading: Reading | null;
  readonly sessions: readonly SessionMark[];
  /** The line that is typed in, at a width; null when there is none. */
  readonly input: ((widthCells: number) => Frame) | null;
  /** A question, and whether it has the keys. */
  readonly dialog: ((widthCells: number, rowsMax: number) => Frame) | null;
  readonly tick: number;
}

/** A reason may take a few rows; all of it is in the log as well. */
const NOTICE_ROWS_MAX = 3;
const DIALOG_ROWS_MIN = 4;

/** Where the text is in a window of this size; the rest is for the rows around it. */
export function textArea(parts: AttachParts, size: Size, look: AttachLook): Size {
  const rows = size.rows - headRows(size) - below(parts, size, look).rows.length - 1;
  return { columns: size.columns, rows: Math.max(1, rows) };
}

export function attachFrame(parts: AttachParts, size: Size, look: AttachLook): Frame {
  const { state, reading } = parts;
  const head = headRows(size) === 0 ? [] : [tabLine(state, parts.sessions, size.columns, look)];
  const under = below(parts, size, look);
  const area = textArea(parts, size, look);
  const page = reading === null ? following(parts, area, look) : { ...pageOf(reading), linesHidden: 0 };
  const last = footer({ state, reading, ...page }, size.columns, look);
  const body = [...page.rows, ...Array.from({ length: Math.max(0, area.rows - page.rows.length) }, () => "")];
  return stacked([{ rows: head, cursor: null }, { rows: body, cursor: null }, under, last], size);
}

/** Only a window that has no room for it goes without tabs. */
export function headRows({ rows }: Size): number {
  return rows < 4 ? 0 : 1;
}

function following({ state, tick }: AttachParts, area: Size, look: AttachLook) {
  const tab = activeTab(state);
  if (tab === null) return { rows: [], linesBelow: 0, linesHidden: 0 };
  const shown = state.logs === "all" ? tab.book.lines : latestLines(tab.book);
  const names = shown.map(({ handler }) => handler);
  const lines = logRows(shown.slice(-area.rows), names, { columns: area.columns, tick, look }).flat();
  return { rows: endOf(lines, area), linesBelow: 0, linesHidden: tab.book.lines.length - shown.length };
}

function below(parts: AttachParts, size: Size, look: AttachLook): Frame {
  const { state, dialog } = parts;
  const width = size.columns - 1;
  if (dialog !== null) return dialog(width, Math.max(DIALOG_ROWS_MIN, Math.floor((size.rows * 2) / 3) - 2));
  const rowsMax = Math.max(1, Math.floor(size.rows / 4));
  return stacked([noticeFrame(state, width, rowsMax, look), fieldsFrame(parts, width, rowsMax, look)], null);
}

function noticeFrame({ notice }: AttachState, width: number, rowsMax: number, { style, glyphs }: AttachLook): Frame {
  if (notice === null) return NOTHING;
  const role = { info: "info", warn: "warn", error: "danger" } as const;
  const sign = { info: glyphs.notice, warn: glyphs.warning, error: glyphs.failed }[notice.level];
  const text = style.paint(role[notice.level], `${sign} ${safeLine(notice.text)}`);
  const rows = wrapRow(text, Math.max(1, width - 1), { at: "words", hangingIndentCells: 2 });
  return { rows: rows.slice(0, Math.min(rowsMax, NOTICE_ROWS_MAX)).map((row) => ` ${row}`), cursor: null };
}

function fieldsFrame(parts: AttachParts, width: number, rowsMax: number, look: AttachLook): Frame {
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
  { style, glyphs }: AttachLook,
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

// One below the other. When a window is too low for all of it, the beginning goes: the end is where one types.
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
