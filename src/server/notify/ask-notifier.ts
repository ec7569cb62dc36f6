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
/** Asks that are watched at once; with more, the user has been told already. Other machines cannot use up those of this one. */
const WATCHED_MAX = { here: 500, elsewhere: 100 } as const;

export class AskNotifier {
  private readonly ways: readonly NoticeWay[];
  private readonly timers: Timers;
  private readonly waiting = new Map<string, () => void>();
  private readonly told = new Set<string>();
  /** Where each ask that waits or was told comes from. */
  private readonly places = new Map<string, keyof typeof WATCHED_MAX>();
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
    const place = ask.elsewhere === undefined ? "here" : "elsewhere";
    const watched = [...this.places.values()].filter((other) => other === place).length;
    if (watched >= WATCHED_MAX[place]) return;
    this.places.set(id, place);
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
    this.places.delete(id);
    if (!this.told.delete(id)) return;
    for (const way of this.ways) way.settled(id);
  }
}
