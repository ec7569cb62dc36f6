// Finds out how large a tmux window really is. tmux changes it at once but tells its program at most four times a second, and
// what is drawn meanwhile, for a window that is gone, leaves gaps in the scrollback. So after each news it is asked for a
// while, until nothing can be on its way any more.
//
//   window    80×24 ─────── 40×10 ── 20×4 ─────────────────────────
//   tmux says          40×10 at once          20×4, 250 ms later
//   we ask                        ? ? ? 20×4
import type { Size } from "../../screen/frame.js";
import { RESTORE_CURSOR, SAVE_CURSOR } from "../../screen/sequences.js";
import type { Timers } from "./streams.js";

interface WatchPorts {
  readonly timers: Timers;
  /** The window as the program knows it. */
  knownSize(): Size;
  ask(question: string): void;
  onOtherSize(size: Size): void;
}

/** Nobody goes beyond the last cell, so a report of the cursor from there is the size. */
const QUESTION = `${SAVE_CURSOR}\x1b[999;999H\x1b[6n${RESTORE_CURSOR}`;
const ASK_EVERY_MS = 15;
/** tmux keeps the news of a change back for 250 ms after the one before. */
const ASK_FOR_MS = 300;

export class WindowWatch {
  private readonly ports: WatchPorts;
  private asked: "nothing" | "this window" | "a window of before" = "nothing";
  private cancelAsk: (() => void) | undefined;

  constructor(ports: WatchPorts) {
    this.ports = ports;
  }

  /** The window has changed; what was asked before that is answered about another one. */
  begin(): void {
    if (this.asked === "this window") this.asked = "a window of before";
    this.askLater(ASK_FOR_MS);
  }

  answered(size: Size): void {
    const { asked } = this;
    this.asked = "nothing";
    const known = this.ports.knownSize();
    const isKnown = size.columns === known.columns && size.rows === known.rows;
    if (asked === "this window" && !isKnown) this.ports.onOtherSize(size);
  }

  end(): void {
    this.cancelAsk?.();
    this.asked = "nothing";
  }

  // A slow connection is not asked again before it has answered.
  private askLater(leftMs: number): void {
    this.cancelAsk?.();
    if (leftMs <= 0) return;
    this.cancelAsk = this.ports.timers.after(ASK_EVERY_MS, () => {
      if (this.asked === "nothing") {
        this.asked = "this window";
        this.ports.ask(QUESTION);
      }
      this.askLater(leftMs - ASK_EVERY_MS);
    });
  }
}
