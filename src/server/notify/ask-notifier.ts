// Tells the user about asks that no one has answered for a moment, once each, and takes it back when one is settled elsewhere.
import type { OverviewAsk } from "../../contract/page.js";
import type { Overview } from "../../host/overview.js";
import { realTimers, type Timers } from "../../system/timers.js";

/** One way to tell the user. Neither function throws; each reports its own failures. */
export interface NoticeWay {
  raised(ask: OverviewAsk): void;
  /** It was answered or withdrawn; only asks that were raised here come. */
  settled(askId: string): void;
}

/** An ask that is answered within this time disturbs no one. */
const WAIT_MS = 3_000;
/** Asks that are watched at once; with more, the user has been told already. */
const WATCHED_MAX = 500;

export class AskNotifier {
  private readonly ways: readonly NoticeWay[];
  private readonly timers: Timers;
  private readonly waiting = new Map<string, () => void>();
  private readonly told = new Set<string>();
  private readonly leave: () => void;

  constructor(overview: Pick<Overview, "subscribe">, ways: readonly NoticeWay[], timers: Timers = realTimers) {
    this.ways = ways;
    this.timers = timers;
    this.leave = overview.subscribe((change) => {
      if (change.type === "ask.raised") this.raised(change.ask);
      else if (change.type === "ask.settled") this.settled(change.id);
    });
  }

  close(): void {
    this.leave();
    for (const cancel of this.waiting.values()) cancel();
    this.waiting.clear();
  }

  private raised(ask: OverviewAsk): void {
    const { id } = ask.ask;
    if (this.waiting.size + this.told.size >= WATCHED_MAX) return;
    const cancel = this.timers.after(WAIT_MS, () => {
      this.waiting.delete(id);
      this.told.add(id);
      for (const way of this.ways) way.raised(ask);
    });
    this.waiting.set(id, cancel);
  }

  private settled(id: string): void {
    this.waiting.get(id)?.();
    this.waiting.delete(id);
    if (!this.told.delete(id)) return;
    for (const way of this.ways) way.settled(id);
  }
}
