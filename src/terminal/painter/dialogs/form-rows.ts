// A form as rows: labels beside their fields, or above them where it is narrow. The focused field has its description
// below, and problems stand under their field.
//
//   ❯ Name     v1.4▏
//              ✕ begin with a v
//     Channel  < stable >  1 of 3
//     Notify   [x] yes
import type { FormField } from "../../../contract/dialogs.js";
import { safeLine } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";
import type { Frame } from "../frame.js";
import { problemRows } from "./dialog-frame.js";

export interface FieldRows {
  readonly field: FormField;
  readonly frame: (widthCells: number) => Frame;
  readonly problem: string;
}

const POINTER_CELLS = 2;
const GAP_CELLS = 2;
const LABEL_PART_MAX = 0.4;

export function formRows(
  fields: readonly FieldRows[],
  focus: number,
  { widthCells, rowsMax, look }: { widthCells: number; rowsMax: number; look: Appearance },
): Frame {
  const labelCells = labelColumn(fields, widthCells);
  const frames = fields.map((field, index) =>
    fieldFrame(field, { widthCells, labelCells, focus: index === focus ? "here" : "elsewhere", look }),
  );
  return aroundFocus(frames, focus, rowsMax, look);
}

/** The width of the label column; 0 when labels stand above. */
function labelColumn(fields: readonly FieldRows[], widthCells: number): number {
  const cells = Math.max(0, ...fields.map(({ field }) => textWidth(labelOf(field))));
  return cells <= Math.floor(widthCells * LABEL_PART_MAX) ? cells : 0;
}

function labelOf({ label, name, required }: FormField): string {
  return (safeLine(label) || safeLine(name)) + (required === true ? " *" : "");
}

interface FieldPlace {
  readonly widthCells: number;
  readonly labelCells: number;
  readonly focus: "here" | "elsewhere";
  readonly look: Appearance;
}

/** The rows of a field, and the one that must stay visible. */
type FieldFrame = Frame & { readonly focusRow: number };

function fieldFrame({ field, frame, problem }: FieldRows, place: FieldPlace): FieldFrame {
  const { widthCells, labelCells, focus, look } = place;
  const { style, glyphs } = look;
  const isBeside = labelCells > 0;
  const indentCells = isBeside ? POINTER_CELLS + labelCells + GAP_CELLS : POINTER_CELLS * 2;
  const room = Math.max(4, widthCells - indentCells);
  const indent = " ".repeat(indentCells);
  const pointer = focus === "here" ? `${style.paint("accent", glyphs.selected)} ` : "  ";
  const label = labelOf(field);
  const name = focus === "here" ? style.paint("bold", label) : label;
  const own = frame(room);
  const about = focus === "here" ? wrapRow(style.paint("dim", safeLine(field.description ?? "")), room, words) : [];
  const under = [...problemRows(problem, room, look), ...about.filter((row) => row !== "")];
  const padding = isBeside ? " ".repeat(labelCells - textWidth(label) + GAP_CELLS) : "";
  const first = isBeside ? [`${pointer}${name}${padding}${own.rows[0] ?? ""}`] : labelAbove(pointer, name, widthCells);
  const rest = isBeside ? own.rows.slice(1) : own.rows;
  const { cursor } = own;
  const rowsAbove = isBeside ? 0 : first.length;
  return {
    rows: [...first, ...[...rest, ...under].map((row) => indent + row)],
    focusRow: rowsAbove + (cursor?.row ?? 0),
    cursor:
      cursor === null || focus === "elsewhere"
        ? null
        : { row: cursor.row + rowsAbove, column: cursor.column + indentCells },
  };
}

const words = { at: "words" } as const;

function labelAbove(pointer: string, name: string, widthCells: number): string[] {
  const rows = wrapRow(name, Math.max(1, widthCells - POINTER_CELLS), words);
  return rows.map((row, index) => (index === 0 ? pointer : "  ") + row);
}

// Shows whole fields around the focus and counts the others.
function aroundFocus(all: readonly FieldFrame[], focus: number, rowsMax: number, look: Appearance): Frame {
  const isWhole = all.reduce((sum, { rows }) => sum + rows.length, 0) <= rowsMax;
  const room = isWhole ? rowsMax : Math.max(1, rowsMax - 1);
  const frames = all.map((frame, index) => (index === focus ? cutToRoom(frame, room) : frame));
  const { from, to } = fittingFields(frames, focus, room);
  const above = frames.slice(from, focus).reduce((sum, frame) => sum + frame.rows.length, 0);
  const cursor = frames[focus]?.cursor ?? null;
  const hidden = frames.length - (to - from);
  const words = look.style.paint("dim", `  ${look.glyphs.more} ${hidden} more`);
  return {
    rows: [...frames.slice(from, to).flatMap(({ rows }) => rows), ...(hidden === 0 || rowsMax < 2 ? [] : [words])],
    cursor: cursor === null ? null : { row: above + cursor.row, column: cursor.column },
  };
}

function cutToRoom(frame: FieldFrame, room: number): FieldFrame {
  const { rows, cursor, focusRow } = frame;
  if (rows.length <= room) return frame;
  const from = Math.max(0, focusRow - room + 1);
  return {
    rows: rows.slice(from, from + room),
    focusRow: focusRow - from,
    cursor: cursor === null ? null : { row: cursor.row - from, column: cursor.column },
  };
}

function fittingFields(frames: readonly Frame[], focus: number, room: number): { from: number; to: number } {
  const rowsOf = (index: number) => frames[index]?.rows.length ?? Number.POSITIVE_INFINITY;
  let from = focus;
  let to = Math.min(frames.length, focus + 1);
  let used = frames[focus]?.rows.length ?? 0;
  for (let before = -1; before !== used; ) {
    before = used;
    if (used + rowsOf(to) <= room) used += rowsOf(to++);
    if (used + rowsOf(from - 1) <= room) used += rowsOf(--from);
  }
  return { from, to };
}
