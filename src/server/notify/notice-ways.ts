// The two ways in which a daemon tells the user about an ask: a push message to every device that takes them, and a program of the
// user's own. The program gets everything in its environment and runs without a shell, so that no word of an agent becomes a command.
import { execFile } from "node:child_process";
import type { OverviewAsk } from "../../contract/page.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import type { NoticeWay } from "./ask-notifier.js";
import type { PushSender } from "./push-sender.js";

export interface PushWayOptions {
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

export interface CommandWayOptions {
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
