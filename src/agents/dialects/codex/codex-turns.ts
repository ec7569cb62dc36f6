// The turns of codex, and what they cost. Tokens are counted for the whole thread; those of a turn are the difference.

import type { Usage } from "../../../contract/messages.js";
import { notice, retryWorking } from "../agent-notices.js";
import { type RpcReply, resultOf } from "../json-rpc-peer.js";
import { type RpcTurn, RpcTurns } from "../rpc-turn.js";
import { type CodexNotice, type CodexTurn, codexResultSchemas } from "./codex-frames.js";
import { failureWords } from "./codex-news.js";

type Counts = CodexNotice<"thread/tokenUsage/updated">["tokenUsage"]["total"];

type Turn = RpcTurn & {
  /** What the thread had spent; null until it is known. */
  before: Counts | null;
  hasRetried: boolean;
  failure: string;
};

export class CodexTurns extends RpcTurns<Turn> {
  protected readonly agent = "codex";
  protected readonly noun = "turn";
  protected readonly startMethod = "turn/start";
  private spent: Counts | null = null;

  /** codex begins turns by itself, too. */
  started({ id }: CodexTurn): void {
    if (this.turn === null && id !== this.lastId) this.begin(id);
    else this.name(id);
  }

  completed({ id, status, error }: CodexTurn): void {
    const { turn } = this;
    if (turn === null || id === this.lastId || (turn.id ?? id) !== id) return;
    turn.id = id;
    if (status === "failed") {
      const words = error === undefined ? "codex failed without giving a reason" : failureWords(error);
      if (words !== turn.failure) this.out.tell({ type: "agent.failed", message: words });
    } else if (status === "interrupted" && turn.stop === "none") this.out.tell(notice("info", "interrupted"));
    this.end(turn);
  }

  /** An error of a turn: codex tries again, or the turn fails with it. */
  failed({ error, willRetry }: CodexNotice<"error">): void {
    const words = failureWords(error);
    const { turn } = this;
    if (willRetry) {
      this.out.tell(...retryWorking(words, { isFirst: turn?.hasRetried !== true }));
      if (turn !== null) turn.hasRetried = true;
      return;
    }
    this.out.tell({ type: "agent.failed", message: words });
    if (turn !== null) turn.failure = words;
  }

  spend({ tokenUsage: { total, last, modelContextWindow: size } }: CodexNotice<"thread/tokenUsage/updated">): void {
    if (this.turn !== null) this.turn.before ??= less(total, last);
    this.spent = total;
    const context = size === undefined ? {} : { context: { used: last.totalTokens, size } };
    this.out.tell({ type: "usage.changed", usage: usageOf(total), ...context });
  }

  /** Another thread has its own count, which it does not tell before its first answer. */
  forget(): void {
    this.spent = null;
    this.lastId = null;
  }

  protected idIn(answer: RpcReply): string | undefined {
    return resultOf(codexResultSchemas["turn/start"], answer)?.turn.id;
  }

  protected stopCall(turnId: string) {
    return ["turn/interrupt", { threadId: this.out.sessionId, turnId }] as const;
  }

  protected opened(id: string | null): Turn {
    return { id, stop: "none", before: this.spent, hasRetried: false, failure: "" };
  }

  protected ended({ before }: Turn): void {
    const { spent } = this;
    const isCounted = spent !== null && before !== null && spent.totalTokens > before.totalTokens;
    const usage = isCounted ? { usage: usageOf(less(spent, before)) } : {};
    this.out.tell({ type: "working.changed", message: null }, { type: "prompt.finished", ...usage });
  }
}

function less(now: Counts, before: Counts): Counts {
  const names = Object.keys(before) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, Number(now[name]) - Number(before[name])])) as Counts;
}

// codex counts what came from the cache among the input.
function usageOf(counts: Counts): Usage {
  return {
    input: counts.inputTokens - counts.cachedInputTokens,
    output: counts.outputTokens,
    cache_read: counts.cachedInputTokens,
    cache_write: counts.cacheWriteInputTokens,
    total_tokens: counts.totalTokens,
  };
}
