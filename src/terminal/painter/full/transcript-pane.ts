// The transcript on the full screen: it follows the end, or stays where the person has scrolled to while lines arrive
// below. Only what is on the page is ever wrapped, so a frame costs the same however long the session is.
import type { Size } from "../frame.js";
import { highlighted } from "../viewer/line-search.js";
import {
  openViewer,
  pageRows,
  reduceViewer,
  rowsOf,
  type ViewerPlace,
  type ViewerState,
} from "../viewer/viewer-state.js";
import { KeptLines } from "./kept-lines.js";
import type { PaneAction } from "./pane-keys.js";

export interface PanePage {
  readonly rows: readonly string[];
  /** How many lines stand below the page. */
  readonly linesBelow: number;
}

export class TranscriptPane {
  private readonly kept = new KeptLines();
  private now: ViewerState | null = null;
  /** The part of the window that a page takes, its own last row included. */
  private area: Size = { columns: 80, rows: 23 };
  /** The first line of the page that was begun last; following goes no further up. */
  private pageStart = 0;
  /** The rows of the lines on the page, at the width of `area`: a long line is not wrapped again for every frame. */
  private wrapped = new Map<string, string[]>();

  /** Where the person reads; null while the end is followed. */
  get reading(): ViewerState | null {
    return this.now;
  }

  add(lines: readonly string[]): void {
    const dropped = this.kept.add(lines);
    if (dropped === 0) return;
    this.pageStart = Math.max(0, this.pageStart - dropped);
    if (this.now !== null) this.now = movedUp(this.now, dropped);
  }

  /** An empty page; what was there is above it. */
  startPage(): void {
    this.pageStart = this.kept.lines.length;
    this.now = null;
  }

  act(action: PaneAction): void {
    if (action.type === "follow") this.now = null;
    else {
      const before = this.now ?? openViewer({ lines: this.kept.lines, marks: [] }, this.area);
      const after = reduceViewer(before, action);
      this.now = after.search.phase === "off" && isAtEnd(after) ? null : after;
    }
  }

  /** How large a page is from now on. */
  fit(area: Size): void {
    if (area.columns === this.area.columns && area.rows === this.area.rows) return;
    const isSameWidth = area.columns === this.area.columns;
    if (!isSameWidth) this.wrapped.clear();
    this.area = area;
    if (this.now === null) return;
    // At the same width the row at the top stays there; at another one only its line can.
    this.now = isSameWidth
      ? reduceViewer({ ...this.now, size: area }, { type: "scroll", rows: 0 })
      : reduceViewer(this.now, { type: "resize", size: area });
  }

  /** The last rows of the transcript, at most so many. */
  lastRows(rowsMax: number): string[] {
    const { lines } = this.kept;
    const used = new Map<string, string[]>();
    const parts: string[][] = [];
    let count = 0;
    for (let at = lines.length - 1; at >= this.pageStart && count < rowsMax; at -= 1) {
      const rows = this.rowsOf(lines[at] ?? "", used);
      parts.push(rows);
      count += rows.length;
    }
    this.wrapped = used;
    const all = parts.reverse().flat();
    return rowsMax === 0 ? [] : all.slice(-rowsMax);
  }

  /** The page where the person reads. */
  page(state: ViewerState): PanePage {
    const { lines } = this.kept;
    const query = state.search.phase === "off" ? "" : state.search.query;
    const used = new Map<string, string[]>();
    const rows: string[] = [];
    const rowsMax = pageRows({ size: this.area });
    let at = state.top.line;
    for (; at < lines.length && rows.length < rowsMax; at += 1) {
      const line = lines[at] ?? "";
      const wrapped = this.rowsOf(query === "" ? line : highlighted(line, query), used);
      rows.push(...(at === state.top.line ? wrapped.slice(state.top.row) : wrapped));
    }
    this.wrapped = used;
    const linesBelow = lines.length - at + (rows.length > rowsMax ? 1 : 0);
    while (rows.length < rowsMax) rows.push("");
    return { rows: rows.slice(0, rowsMax), linesBelow };
  }

  private rowsOf(line: string, used: Map<string, string[]>): string[] {
    const rows = this.wrapped.get(line) ?? used.get(line) ?? rowsOf(line, this.area.columns);
    used.set(line, rows);
    return rows;
  }
}

function isAtEnd(state: ViewerState): boolean {
  const end = reduceViewer(state, { type: "go", to: "end" }).top;
  return state.top.line === end.line && state.top.row === end.row;
}

// Lines were given up above: the same lines have smaller numbers now.
function movedUp(state: ViewerState, count: number): ViewerState {
  const { search } = state;
  const top = placeUp(state.top, count);
  if (search.phase === "typing") return { ...state, top, search: { ...search, origin: placeUp(search.origin, count) } };
  if (search.phase === "found") return { ...state, top, search: { ...search, line: Math.max(0, search.line - count) } };
  return { ...state, top };
}

function placeUp({ line, row }: ViewerPlace, count: number): ViewerPlace {
  return line >= count ? { line: line - count, row } : { line: 0, row: 0 };
}
