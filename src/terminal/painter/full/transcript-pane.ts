// The transcript on the full screen: it follows the end, or stays where the user scrolled to. Only the page is wrapped,
// so a frame costs the same for any length.
import type { Size } from "../frame.js";
import {
  fittedTo,
  isAtEnd,
  lastRows,
  openViewer,
  pageOf,
  pageRows,
  reduceViewer,
  rowsOf,
  type ViewerPage,
  type ViewerState,
  withoutFirstLines,
} from "../viewer/viewer-state.js";
import type { PaneAction } from "./pane-keys.js";

export class TranscriptPane {
  private readonly kept = new KeptLines();
  private now: ViewerState | null = null;
  /** The part of the window for a page, including its last row. */
  private area: Size = { columns: 80, rows: 23 };
  /** The first line of the current page; following goes no further up. */
  private pageStart = 0;
  /** Wrapped rows of the lines on the page, at the width of `area`. */
  private wrapped = new Map<string, string[]>();

  /** null while the end is followed. */
  get reading(): ViewerState | null {
    return this.now;
  }

  add(lines: readonly string[]): void {
    const dropped = this.kept.add(lines);
    if (dropped === 0) return;
    this.pageStart = Math.max(0, this.pageStart - dropped);
    if (this.now !== null) this.now = withoutFirstLines(this.now, dropped);
  }

  /** Begins an empty page below the lines so far. */
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

  fit(area: Size): void {
    if (area.columns !== this.area.columns) this.wrapped.clear();
    else if (area.rows === this.area.rows) return;
    this.area = area;
    if (this.now !== null) this.now = fittedTo(this.now, area);
  }

  lastRows(rowsMax: number): string[] {
    const { columns } = this.area;
    return this.remembering((wrap) => lastRows(this.kept.lines, rowsMax, { columns, from: this.pageStart, wrap }));
  }

  /** The page, padded to the height of the area. */
  page(state: ViewerState): ViewerPage {
    const page = this.remembering((wrap) => pageOf(state, wrap));
    while (page.rows.length < pageRows(state)) page.rows.push("");
    return page;
  }

  // Keeps the rows that were used, and no others.
  private remembering<T>(lay: (wrap: typeof rowsOf) => T): T {
    const used = new Map<string, string[]>();
    const laid = lay((line, columns) => {
      const rows = this.wrapped.get(line) ?? used.get(line) ?? rowsOf(line, columns);
      used.set(line, rows);
      return rows;
    });
    this.wrapped = used;
    return laid;
  }
}

/** About eight megabytes at most. The viewer and the scrollback go further back. */
const KEPT_LINES_MAX = 20_000;
const KEPT_UNITS_MAX = 4 * 1024 * 1024;
/** Lines beyond the maximum before the list is cut, so that cutting is rare. */
const SLACK_LINES = 2_000;

export class KeptLines {
  readonly lines: string[] = [];
  private units = 0;

  /** Returns how many old lines were dropped. */
  add(lines: readonly string[]): number {
    for (const line of lines) {
      this.lines.push(line);
      this.units += line.length;
    }
    const isOver = this.lines.length > KEPT_LINES_MAX + SLACK_LINES || this.units > KEPT_UNITS_MAX;
    return isOver ? this.cut() : 0;
  }

  private cut(): number {
    let count = Math.max(0, this.lines.length - KEPT_LINES_MAX);
    let units = this.units;
    for (let at = 0; at < count; at += 1) units -= this.lines[at]?.length ?? 0;
    // A little below the maximum, so that cutting is rare. The last line stays.
    for (; units > (KEPT_UNITS_MAX * 3) / 4 && count < this.lines.length - 1; count += 1) {
      units -= this.lines[count]?.length ?? 0;
    }
    this.lines.splice(0, count);
    this.units = units;
    return count;
  }
}
