// A line that overwrites itself with carriage returns or backspaces, as progress bars do. It is played on a strip of
// cells, and the result is what a terminal would finally show.
//
//     "  5 %\r 50 %\r100 %"   →   | 100 % |
//     "loading |\b/\b-"       →   | loading - |
import type { CursorControl } from "./hostile.js";
import { RowWriter } from "./row-cutter.js";
import { PLAIN, type Style } from "./sgr.js";
import { clusterWidth, graphemes } from "./width.js";

/** The second cell of a wide cluster. */
const COVERED = "";

export class OverwrittenLine {
  private readonly texts: string[] = [];
  private readonly styles: Style[] = [];
  private cursor = 0;

  write(text: string, style: Style): void {
    for (const cluster of graphemes(text)) {
      const cells = clusterWidth(cluster);
      if (cells === 0) this.join(cluster);
      else this.put(cluster, cells, style);
    }
  }

  move(control: CursorControl): void {
    if (control.kind === "erase") this.erase(control.what);
    else this.cursor = control.kind === "return" ? 0 : Math.max(0, this.cursor - 1);
  }

  /** The column of the next character. */
  column(): number {
    return this.cursor;
  }

  row(): string {
    const writer = new RowWriter();
    for (let cell = 0; cell < this.texts.length; cell++) {
      writer.add(this.texts[cell] ?? " ", this.styles[cell] ?? PLAIN, "");
    }
    return writer.finish();
  }

  private join(mark: string): void {
    let cell = this.cursor - 1;
    if (this.texts[cell] === COVERED) cell--;
    const base = this.texts[cell];
    if (base) this.texts[cell] = base + mark;
  }

  private erase(what: "to the end" | "all"): void {
    if (what === "to the end") this.free(this.cursor);
    this.truncate(what === "all" ? 0 : this.cursor);
  }

  private truncate(cells: number): void {
    this.texts.length = Math.min(this.texts.length, cells);
    this.styles.length = this.texts.length;
  }

  private put(cluster: string, cells: number, style: Style): void {
    while (this.texts.length < this.cursor) this.styles[this.texts.push(" ") - 1] = PLAIN;
    for (let i = 0; i < cells; i++) {
      this.free(this.cursor + i);
      this.texts[this.cursor + i] = i === 0 ? cluster : COVERED;
      this.styles[this.cursor + i] = style;
    }
    this.cursor += cells;
  }

  // Writing on one half of a wide cluster blanks the other half.
  private free(cell: number): void {
    if (this.texts[cell] === COVERED) this.texts[cell - 1] = " ";
    if (this.texts[cell + 1] === COVERED) this.texts[cell + 1] = " ";
  }
}
