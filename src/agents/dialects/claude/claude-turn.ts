// The result of a turn: tokens, cost, and the reason when it was cut or failed. Claude reports the cost of the whole session
// and the tokens of the turn.

import type { Usage } from "../../../contract/messages.js";
import type { ClaudeFrame, ClaudeUsage } from "./claude-frames.js";

export class ClaudeLedger {
  private tokens = 0;
  private cost = 0;
  private inWindow = 0;

  /** Usage in the stream is of one model call, so it shows how full the context window is. */
  called(usage: ClaudeUsage | undefined): void {
    const { input_tokens = 0, cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = usage ?? {};
    const read = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
    if (read > 0) this.inWindow = read;
  }

  turn({ usage = {}, total_cost_usd, model_usage_since_last_result }: ClaudeFrame<"result">): {
    prompt: Usage;
    session: Usage;
  } {
    const prompt = usageOf(usage);
    const before = this.cost;
    this.cost = Math.max(before, total_cost_usd ?? 0);
    this.tokens += prompt.total_tokens ?? 0;
    // The total of a resumed session includes earlier costs, so Claude's own count of the turn is preferred.
    const cost = counted(model_usage_since_last_result) ?? this.cost - before;
    return {
      prompt: { ...prompt, cost: { total: cost } },
      session: { total_tokens: this.tokens, cost: { total: this.cost } },
    };
  }

  window({ modelUsage = {} }: ClaudeFrame<"result">): { used: number; size: number } | null {
    const size = Math.max(0, ...Object.values(modelUsage).map(({ contextWindow }) => contextWindow ?? 0));
    return size === 0 || this.inWindow === 0 ? null : { used: this.inWindow, size };
  }
}

function counted(models: ClaudeFrame<"result">["model_usage_since_last_result"]): number | null {
  const costs = Object.values(models ?? {}).map(({ costUSD }) => costUSD);
  return costs.length === 0 ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}

function usageOf(usage: ClaudeUsage): Usage {
  const { input_tokens = 0, output_tokens = 0, cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = usage;
  return {
    input: input_tokens,
    output: output_tokens,
    cache_read: cache_read_input_tokens,
    cache_write: cache_creation_input_tokens,
    total_tokens: input_tokens + output_tokens + cache_read_input_tokens + cache_creation_input_tokens,
  };
}

const cuts: ReadonlyMap<unknown, string> = new Map([
  ["max_tokens", "the answer is cut: it reached the longest that the model may write"],
  ["model_context_window_exceeded", "the answer is cut: the conversation fills the model's window"],
  ["refusal", "the model refuses to go on with this"],
]);

/** Why a turn that did not fail is incomplete. */
export function cutOf(result: ClaudeFrame<"result">): string | null {
  return cuts.get(result["stop_reason"]) ?? null;
}

const failures: ReadonlyMap<string, string> = new Map([
  ["error_max_turns", "Claude stopped: it has used all the turns it may take"],
  ["error_max_budget_usd", "Claude stopped: the money it may spend is used up"],
  ["error_max_structured_output_retries", "Claude stopped: its answer never had the wanted form"],
]);

/** Null when the turn did not fail, or was stopped. */
export function failureOf(result: ClaudeFrame<"result">): string | null {
  const { subtype, is_error, errors = [], terminal_reason = "" } = result;
  if (subtype === "success" && is_error !== true) return null;
  if (terminal_reason.startsWith("aborted")) return null;
  const told = [result.result ?? "", ...errors].filter(Boolean).join("\n");
  return failures.get(subtype) ?? (told === "" ? `Claude failed: ${subtype.replaceAll("_", " ")}` : told);
}
