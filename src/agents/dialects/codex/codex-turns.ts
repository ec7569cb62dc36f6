// The one turn that codex is at: it begins with a prompt from here or by itself, is named by codex, and ends when codex says
// so. Tokens are counted for the whole thread; those of a turn are the difference.

import type { Usage } from "../../../contract/messages.js";
import { notice, retryWorking } from "../agent-notices.js";
import { errorWords } from "../error-words.js";
import type { JsonObject } from "../frames/json-frame.js";
import { type JsonRpcPeer, resultOf } from "../json-rpc-peer.js";
import type { StepBuilder } from "../step-builder.js";
import { type CodexNotice, type CodexTurn, codexResultSchemas } from "./codex-frames.js";
import { failureWords } from "./codex-news.js";

type Counts = CodexNotice<"thread/tokenUsage/updated">["tokenUsage"]["total"];
/** `id` is null until codex has named the turn. */
type Turn = {
  id: string | null;
  stop: "none" | "wanted" | "sent";
  /** What the thread had spent; null until it is known. */
  before: Counts | null;
  hasRetried: boolean;
  failure: string;
};

export class CodexTurns {
  private readonly out: StepBuilder;
  private readonly peer: JsonRpcPeer;
  private readonly onEnd: () => void;
  private turn: Turn | null = null;
  private lastId: string | null = null;
  private spent: Counts | null = null;

  constructor(out: StepBuilder, peer: JsonRpcPeer, onEnd: () => void) {
    this.out = out;
    this.peer = peer;
    this.onEnd = onEnd;
  }

  get isOpen(): boolean {
    return this.turn !== null;
  }

  start(params: JsonObject): void {
    const turn = this.begin(null);
    this.peer.request("turn/start", { threadId: this.out.sessionId, ...params }, (answer) => {
      const named = resultOf(codexResultSchemas["turn/start"], answer);
      if (this.turn !== turn) return;
      if (named !== undefined) {
        this.name(turn, named.turn.id);
        return;
      }
      const message = answer.ok ? "codex did not name the turn" : `codex: ${errorWords(answer)}`;
      this.out.tell({ type: "command.failed", message });
      this.end(turn);
    });
  }

  /** codex begins turns by itself, too; the one from here may be named before its answer arrives. */
  started({ id }: CodexTurn): void {
    if (this.turn === null && id !== this.lastId) this.begin(id);
    else if (this.turn?.id === null) this.name(this.turn, id);
  }

  completed({ id, status, error }: CodexTurn): void {
    const { turn } = this;
    if (turn === null || id === this.lastId || (turn.id ?? id) !== id) return;
    turn.id = id;
    if (status === "failed") {
      const words = error === undefined ? "codex failed and does not say why" : failureWords(error);
      if (words !== turn.failure) this.out.tell({ type: "agent.failed", message: words });
    } else if (status === "interrupted") {
      this.out.tell(notice("info", "interrupted"));
    }
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

  stop(): void {
    const { turn } = this;
    if (turn === null || turn.stop !== "none") return;
    turn.stop = "wanted";
    if (turn.id !== null) this.interrupt(turn, turn.id);
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

  /** The agent is gone. */
  cutOff(): void {
    if (this.turn !== null) this.out.tell({ type: "prompt.finished", isCutOff: true });
    this.turn = null;
  }

  private begin(id: string | null): Turn {
    const turn: Turn = { id, stop: "none", before: this.spent, hasRetried: false, failure: "" };
    this.turn = turn;
    this.out.tell({ type: "prompt.started" });
    return turn;
  }

  private name(turn: Turn, id: string): void {
    turn.id = id;
    if (turn.stop === "wanted") this.interrupt(turn, id);
  }

  private interrupt(turn: Turn, turnId: string): void {
    turn.stop = "sent";
    this.peer.request("turn/interrupt", { threadId: this.out.sessionId, turnId }, (answer) => {
      if (answer.ok || this.turn !== turn) return;
      turn.stop = "none";
      this.out.tell({ type: "command.failed", message: `codex did not stop: ${errorWords(answer)}` });
    });
  }

  private end(turn: Turn): void {
    this.onEnd();
    this.lastId = turn.id;
    this.turn = null;
    const { spent } = this;
    const { before } = turn;
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
