// What the terminal ought to hold above the live area: every line that somebody printed, in order. It follows the screen's
// own boundary, so it knows at each moment which settled lines have been written and which still wait.
//
//     printed  | $ shell lines from before         |
//              | settled lines, written            |
//     waiting  | settled lines, not written yet    |

import type { Size } from "../../../src/terminal/painter/frame.js";
import type { RenderState } from "../../../src/terminal/painter/stages.js";

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
  /** How many of the waiting lines the screen has taken. */
  private takenCount = 0;
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

  /** The screen begins a frame: it takes what was settled since the last one. */
  frameBegins(): void {
    this.takenCount = this.waiting.length;
  }

  /** Lines that belong to the screen and are not in the terminal. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  get waitingInScreen(): number {
    return this.takenCount;
  }

  /** Moves what the screen says it has written to the printed lines. */
  follow({ insertedLines }: Pick<RenderState, "insertedLines">): void {
    while (this.insertedCount < insertedLines) this.move();
  }

  private move(): void {
    const text = this.waiting.shift();
    if (text === undefined) throw new Error("The screen has written more lines than were settled.");
    this.takenCount -= 1;
    this.insertedCount += 1;
    this.printed.push({ kind: "line", text });
  }
}
