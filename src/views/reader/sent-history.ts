// Going back through what was sent before, one step at a time, and forward again to what was being written.
import type { PromptHistory } from "../inline/history-file.js";

export class SentHistory {
  private readonly history: PromptHistory;
  private readonly sent: string[];
  /** How far back one is; 0 is the line that is being written. */
  private back = 0;
  private draft = "";

  constructor(history: PromptHistory) {
    this.history = history;
    this.sent = history.load();
  }

  add(text: string): void {
    this.back = 0;
    if (text === this.sent.at(-1)) return;
    this.sent.push(text);
    this.history.append(text);
  }

  /** null when there is nothing further in this direction. */
  step(direction: "back" | "forward", now: string): string | null {
    const next = this.back + (direction === "back" ? 1 : -1);
    if (next < 0 || next > this.sent.length) return null;
    if (this.back === 0) this.draft = now;
    this.back = next;
    return next === 0 ? this.draft : (this.sent.at(-next) ?? null);
  }
}
