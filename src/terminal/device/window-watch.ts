// Polls tmux for the real window size and cursor. tmux resizes at once but signals at most four times a second, and
// frames drawn for the old size leave gaps in the scrollback.
//
//   window    80×24 ─────── 40×10 ── 20×4 ─────────────────────────
//   tmux says          40×10 at once          20×4, 250 ms later
//   we ask                        ? ? ? 20×4
import type { Size } from "../painter/frame.js";
import { RESTORE_CURSOR, SAVE_CURSOR } from "../painter/sequences.js";
import type { Timers } from "./streams.js";

interface WatchPorts {
  readonly timers: Timers;
  knownSize(): Size;
  /** Counts writes: a report from before the last write does not tell where the cursor is now. */
  writes(): number;
  /** Sends a query that is answered with this many cursor reports. */
  ask(question: string, reports: number): void;
  onOtherSize(size: Size): void;
  onCursorColumn(column: number): void;
}

/** Asks for the cursor, then for the last cell, which is the size. */
const QUESTION = `\x1b[6n${SAVE_CURSOR}\x1b[999;999H\x1b[6n${RESTORE_CURSOR}`;
const REPORTS = 2;
const ASK_EVERY_MS = 15;
/** tmux delays a signal for 250 ms after the one before. */
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

  /** The window has changed; pending reports are about the old one. */
  begin(): void {
    if (this.asked === "this window") this.asked = "a window of before";
    this.askLater(ASK_FOR_MS);
  }

  /** A cursor report as it came, counted from 1. */
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

  // Sends no query while one is unanswered.
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
