// Finds out how large a tmux window really is, and where the cursor is. tmux changes the window at once but tells its program
// at most four times a second, and what is drawn meanwhile, for a window that is gone, leaves gaps in the scrollback. So after
// each news it is asked for a while, until nothing can be on its way any more.
//
//   window    80×24 ─────── 40×10 ── 20×4 ─────────────────────────
//   tmux says          40×10 at once          20×4, 250 ms later
//   we ask                        ? ? ? 20×4
import type { Size } from "../painter/frame.js";
import { RESTORE_CURSOR, SAVE_CURSOR } from "../painter/sequences.js";
import type { Timers } from "./streams.js";

interface WatchPorts {
  readonly timers: Timers;
  /** The window as the program knows it. */
  knownSize(): Size;
  /** How often something was written: a report from before the last frame does not say where the cursor is now. */
  writes(): number;
  /** Asks what is answered with so many reports of the cursor. */
  ask(question: string, reports: number): void;
  onOtherSize(size: Size): void;
  /** The column in which the cursor waits, 0 first. */
  onCursorColumn(column: number): void;
}

/** Where the cursor is, and then where the last cell is: nobody goes beyond it, so a report from there is the size. */
const QUESTION = `\x1b[6n${SAVE_CURSOR}\x1b[999;999H\x1b[6n${RESTORE_CURSOR}`;
const REPORTS = 2;
const ASK_EVERY_MS = 15;
/** tmux keeps the news of a change back for 250 ms after the one before. */
const ASK_FOR_MS = 300;

export class WindowWatch {
  private readonly ports: WatchPorts;
  private asked: "nothing" | "this window" | "a window of before" = "nothing";
  private next: "cursor" | "last cell" = "cursor";
  private writesWhenAsked = 0;
  private cancelAsk: (() => void) | undefined;

  constructor(ports: WatchPorts) {
    this.ports = ports;
  }

  /** The window has changed; what was asked before that is answered about another one. */
  begin(): void {
    if (this.asked === "this window") this.asked = "a window of before";
    this.askLater(ASK_FOR_MS);
  }

  /** A report of the cursor, as it came: the first row and column have the number 1. */
  answered(place: Size): void {
    if (this.next === "cursor") this.cursorIsAt(place);
    else this.windowIs(place);
  }

  private cursorIsAt({ columns }: Size): void {
    this.next = "last cell";
    const isStillThere = this.asked === "this window" && this.ports.writes() === this.writesWhenAsked;
    if (isStillThere) this.ports.onCursorColumn(columns - 1);
  }

  private windowIs(size: Size): void {
    const { asked } = this;
    this.next = "cursor";
    this.asked = "nothing";
    const known = this.ports.knownSize();
    const isKnown = size.columns === known.columns && size.rows === known.rows;
    if (asked === "this window" && !isKnown) this.ports.onOtherSize(size);
  }

  end(): void {
    this.cancelAsk?.();
    this.asked = "nothing";
    this.next = "cursor";
  }

  // A slow connection is not asked again before it has answered.
  private askLater(leftMs: number): void {
    this.cancelAsk?.();
    if (leftMs <= 0) return;
    this.cancelAsk = this.ports.timers.after(ASK_EVERY_MS, () => {
      if (this.asked === "nothing") {
        this.asked = "this window";
        this.ports.ask(QUESTION, REPORTS);
        this.writesWhenAsked = this.ports.writes();
      }
      this.askLater(leftMs - ASK_EVERY_MS);
    });
  }
}
