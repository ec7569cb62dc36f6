// What the terminal ought to hold above the live area: every line that somebody printed, in order. It follows the screen's
// own boundary, so it knows at each moment which settled lines have been written and which still wait.
//
//     printed  | $ shell lines from before         |
//              | settled lines, written            |
//     waiting  | settled lines, not written yet    |

import type { Size } from "../../../src/terminal/painter/frame.js";
import type { RenderState } from "../../../src/terminal/painter/render-state.js";

/** A gap is a place where any number of blank rows may be, also none. */
export type Entry = { readonly kind: "line"; readonly text: string } | { readonly kind: "gap" };

export interface SizeChange {
  /** How many entries were printed when the window changed. */
  readonly at: number;
  readonly size: Size;
}

export class Ledger {
  readonly printed: Entry[] = [];
  readonly sizeChanges: SizeChange[] = [];
  private waiting: string[] = [];
  /** Waiting lines that the screen has taken as blocks, by the number of the block. */
  private blocks: { readonly number: number; readonly lines: number }[] = [];
  private takenCount = 0;
  /** How many lines of the first of these blocks are printed already. */
  private writtenOfFirst = 0;
  insertedCount = 0;

  /** Lines of somebody else: the shell, before the start and while the program is suspended. */
  foreign(lines: readonly string[]): void {
    for (const text of lines) this.printed.push({ kind: "line", text });
  }

  gap(): void {
    this.printed.push({ kind: "gap" });
  }

  resized(size: Size): void {
    this.sizeChanges.push({ at: this.printed.length, size });
  }

  settled(lines: readonly string[]): void {
    for (const line of lines) this.waiting.push(line);
  }

  /** The screen begins a frame: what was settled since the last one becomes a block. */
  frameBegins(state: RenderState): void {
    const lines = this.waiting.length - this.takenCount;
    if (lines === 0) return;
    this.blocks.push({ number: state.settledUntil.block, lines });
    this.takenCount = this.waiting.length;
  }

  /** Lines that belong to the screen and are not in the terminal. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  get waitingInBlocks(): number {
    return this.takenCount;
  }

  /** Moves what the screen says it has written to the printed lines. */
  follow({ insertedUntil }: RenderState): void {
    const { block, line } = insertedUntil;
    let written = 0;
    for (const { number, lines } of this.blocks) if (number < block) written += lines;
    const current = this.blocks.find(({ number }) => number === block);
    written += current === undefined ? 0 : line;
    const already = this.writtenOfFirst;
    for (let i = 0; i < written - already; i++) this.move();
    this.blocks = this.blocks.filter(({ number }) => number >= block);
    this.writtenOfFirst = current === undefined ? 0 : line;
  }

  private move(): void {
    const text = this.waiting.shift();
    if (text === undefined) throw new Error("The screen has written more lines than were settled.");
    this.takenCount -= 1;
    this.insertedCount += 1;
    this.printed.push({ kind: "line", text });
  }
}
