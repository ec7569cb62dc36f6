// Notifies the user of asks that were not answered within a moment, once each, and withdraws the notice when an ask is settled
// elsewhere.

import { execFile } from "node:child_process";
import type { OverviewAsk } from "../../contract/page.js";
import type { Overview } from "../../host/overview.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import type { PushSender } from "./push-sender.js";

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

// A daemon notifies the user of an ask in two ways: a push message to every subscribed device, and a command from the settings.
// The command gets the details in its environment and runs without a shell, so that no text of an agent becomes a command.

interface PushWayOptions {
  readonly sender: PushSender;
  /** Whether the title travels too, encrypted. */
  readonly content: boolean;
  openCount(): number;
}

const TITLE_CELLS_MAX = 200;

export function pushWay({ sender, content, openCount }: PushWayOptions): NoticeWay {
  return {
    raised(ask) {
      const { id } = ask.ask;
      const about = { session: ask.session?.id ?? null, count: openCount() };
      const title = content ? { title: titleOf(ask) } : {};
      for (const device of sender.devices()) void sender.send(device, { kind: "ask", id, ...about, ...title });
    },
    settled(id) {
      for (const device of sender.devices()) void sender.send(device, { kind: "settled", id });
    },
  };
}

interface CommandWayOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The address of the page. */
  origin(): string;
  onProblem(words: string): void;
}

const RUN_MS_MAX = 30_000;
const RUNNING_MAX = 8;

/** `PALAVER_EVENT` is raised or settled. */
export function commandWay(options: CommandWayOptions): NoticeWay {
  const [program = "", ...args] = options.command;
  let running = 0;
  const run = (about: Readonly<Record<string, string>>) => {
    if (running >= RUNNING_MAX)
      return options.onProblem(`notify.command was not started: ${RUNNING_MAX} are still running`);
    running += 1;
    const ended = (error: Error | null, stderr: string) => {
      running -= 1;
      if (error === null) return;
      const words = safeLine(stderr.trim().split("\n").at(-1) ?? "") || safeLine(error.message);
      options.onProblem(`notify.command failed: ${shortenEnd(words, TITLE_CELLS_MAX)}`);
    };
    const env = { ...options.environment, ...about };
    const limits = { env, timeout: RUN_MS_MAX, windowsHide: true };
    try {
      execFile(program, args, limits, (error, _stdout, stderr) => ended(error, stderr)).stdin?.end();
    } catch (error) {
      // Some failures to start are thrown: an environment that is too large is.
      ended(error as Error, "");
    }
  };
  return {
    raised(ask) {
      const { id } = ask.ask;
      run({
        PALAVER_EVENT: "raised",
        PALAVER_ASK_ID: id,
        PALAVER_ASK_TITLE: titleOf(ask),
        PALAVER_ASK_SESSION: shortLine(ask.session?.name ?? ""),
        PALAVER_ASK_URL: `${options.origin()}/#ask=${encodeURIComponent(id)}`,
      });
    },
    settled: (id) => run({ PALAVER_EVENT: "settled", PALAVER_ASK_ID: id }),
  };
}

function titleOf({ ask }: OverviewAsk): string {
  return shortLine(ask.question.params.title);
}

function shortLine(text: string): string {
  return shortenEnd(safeLine(text).trim(), TITLE_CELLS_MAX);
}
