// The alternate screen: rows have numbers and nothing scrolls. It opens over the inline screen, which is held meanwhile
// and stays as it is.
import { rowWidth, sliceRow } from "../../text/row.js";
import type { CellPosition, Frame, Size } from "./frame.js";
import type { ApplyTerminalEffects } from "./inline-screen.js";
import { placed } from "./pen.js";
import { closedRow, rowChange } from "./row-change.js";
import * as seq from "./sequences.js";
import { ALTERNATE_ENTER, ALTERNATE_LEAVE, CURSOR_HIDE, CURSOR_SHOW, WRAP_OFF, WRAP_ON } from "./sequences.js";

export type FullView = (size: Size) => Frame;

export class FullScreen {
  private readonly apply: ApplyTerminalEffects;
  private readonly view: FullView;
  private size: Size;
  private painted: FullPainted | null = null;
  private state: "closed" | "open" = "closed";
  private terminal: "drained" | "full" = "drained";

  constructor(apply: ApplyTerminalEffects, size: Size, view: FullView) {
    this.apply = apply;
    this.size = size;
    this.view = view;
  }

  open(): void {
    if (this.state === "open") return;
    this.state = "open";
    this.painted = null;
    this.apply(ALTERNATE_ENTER + CURSOR_HIDE + WRAP_OFF);
    this.draw();
  }

  resize(size: Size): void {
    this.size = size;
    this.draw();
  }

  /** Draws one frame, unless the terminal still has output to read. */
  draw(): void {
    if (this.state === "closed" || this.terminal === "full") return;
    const { bytes, painted } = fullPatch(this.painted, this.view(this.size), this.size);
    this.painted = painted;
    if (bytes !== "") this.terminal = this.apply(bytes);
  }

  drained(): void {
    this.terminal = "drained";
    this.draw();
  }

  close(): void {
    if (this.state === "closed") return;
    this.state = "closed";
    this.apply(WRAP_ON + CURSOR_SHOW + ALTERNATE_LEAVE);
  }
}

/** One string per row of the window. */
interface FullPainted {
  readonly rows: readonly string[];
  readonly cursor: CellPosition | null;
  readonly size: Size;
}

function fullPatch(before: FullPainted | null, frame: Frame, size: Size): { bytes: string; painted: FullPainted } {
  const painted: FullPainted = { rows: windowRows(frame, size), cursor: cursorInside(frame, size), size };
  const isKnown = before !== null && before.size.columns === size.columns && before.size.rows === size.rows;
  const strokes = painted.rows
    .map((row, index) => (isKnown ? changedRow(before.rows[index] ?? "", row, index) : wholeRow(row, index)))
    .join("");
  const cursor = cursorBytes(before, painted, strokes !== "");
  if (strokes === "") return { bytes: cursor, painted };
  return { bytes: seq.SYNC_BEGIN + strokes + cursor + seq.SYNC_END, painted };
}

function windowRows(frame: Frame, size: Size): string[] {
  return Array.from({ length: size.rows }, (_, index) => {
    const row = frame.rows[index] ?? "";
    return rowWidth(row) <= size.columns ? row : sliceRow(row, 0, size.columns);
  });
}

function cursorInside({ cursor }: Frame, size: Size): CellPosition | null {
  return cursor !== null && cursor.row < size.rows && cursor.column < size.columns ? cursor : null;
}

function wholeRow(row: string, index: number): string {
  return seq.cursorAt(index, 0) + seq.ERASE_RIGHT + placed(closedRow(row), 0);
}

function changedRow(before: string, after: string, index: number): string {
  if (before === after) return "";
  const change = rowChange(before, after);
  const clear = change.leftoverCells > 0 ? seq.ERASE_RIGHT : "";
  return seq.cursorAt(index, change.column) + placed(change.body, change.column) + clear;
}

// The cursor is put back after drawing, and shown or hidden only on a change.
function cursorBytes(before: FullPainted | null, after: FullPainted, hasDrawn: boolean): string {
  const was = before?.cursor ?? null;
  const is = after.cursor;
  if (is === null) return was === null ? "" : seq.CURSOR_HIDE;
  const isMoved = hasDrawn || was === null || was.row !== is.row || was.column !== is.column;
  return (isMoved ? seq.cursorAt(is.row, is.column) : "") + (was === null ? seq.CURSOR_SHOW : "");
}
