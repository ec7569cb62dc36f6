// Status frames of Claude: retries, limits, compaction, hooks, background tasks. Each becomes a sentence or is ignored on
// purpose; unknown kinds are reported. Also the result of a turn: tokens, cost, and why it was cut or failed.

import type { Usage } from "../../../contract/messages.js";
import { COMPACTING, compactedWords, notice, retryNotices } from "../agent-notices.js";
import type { Happening, StepBuilder } from "../step-builder.js";
import type { ClaudeFrame, ClaudeNews, ClaudeUsage } from "./claude-frames.js";

/** Known and ignored. */
const passedOver: ReadonlySet<string> = new Set([
  "thinking_tokens",
  "session_state_changed",
  "background_tasks_changed",
  "task_progress",
  "hook_started",
  "hook_progress",
  "files_persisted",
  "memory_recall",
  "control_request_progress",
  "post_turn_summary",
]);

/** Frame types besides `system` that are ignored. */
export const quietTypes: ReadonlySet<string> = new Set([
  "keep_alive",
  "tool_progress",
  "tool_use_summary",
  "prompt_suggestion",
]);

/** False for an unknown kind. `foreground` keeps the tasks whose end the result of their tool call tells. */
export function tellNews(out: StepBuilder, news: ClaudeNews, foreground: Set<string>): boolean {
  if (passedOver.has(news.subtype)) return true;
  const { task_id = "" } = news;
  if (news.subtype === "task_started" && news["is_backgrounded"] === false) foreground.add(task_id);
  if (news.subtype === "task_notification" && foreground.delete(task_id)) {
    out.tell(task(news, null));
    return true;
  }
  const happenings = newsOf(news);
  out.tell(...(happenings ?? []));
  return happenings !== null;
}

function newsOf(news: ClaudeNews): Happening[] | null {
  switch (news.subtype) {
    case "status":
      return statusNews(news);
    case "compact_boundary":
      return [{ type: "working.changed", message: null }, notice("info", compactedTokens(news))];
    case "api_retry":
      return retryNews(news);
    case "task_started":
      return [task(news, news.description ?? "a task in the background")];
    case "task_updated":
      return isOver(news.patch?.status) ? [task(news, null)] : [];
    case "task_notification":
      // A foreground command that was stopped ends so, too.
      if (news.status === "stopped" || news.status === "killed") return [task(news, null)];
      return [task(news, null), notice(news.status === "failed" ? "error" : "info", news.summary ?? "a task ended")];
    case "hook_response":
      return news.outcome === "error" ? [hookFailure(news)] : [];
    case "model_refusal_fallback":
    case "model_refusal_no_fallback":
      return [notice("warn", news.content ?? "the model refused to continue")];
    case "plugin_install":
      return pluginNews(news);
    case "worker_shutting_down":
      return [notice("info", "Claude is being shut down")];
    case "mirror_error":
      return [notice("warn", `the session could not be mirrored: ${news.error ?? "no reason given"}`)];
    case "session_writes_lost":
      return [notice("error", "the disk is full: Claude could not save all of this session")];
    case "permission_denied":
      return [notice("warn", `${news.tool_name ?? "a tool"} was refused: ${news.message ?? "no reason given"}`)];
    case "notification":
    case "informational":
    case "local_command_output": {
      const level = news.level === "error" ? "error" : news.level?.startsWith("warn") === true ? "warn" : "info";
      const message = news.text ?? news.content ?? news.message ?? "";
      return message === "" ? [] : [notice(level, message)];
    }
    default:
      return null;
  }
}

function statusNews({ status, ...news }: ClaudeNews): Happening[] {
  const working: Happening = { type: "working.changed", message: status === "compacting" ? COMPACTING : null };
  if (news["compact_result"] !== "failed") return [working];
  const reason = typeof news["compact_error"] === "string" ? news["compact_error"] : "";
  return [working, notice("warn", "the conversation could not be compacted", reason)];
}

// `name` is the plugin; frames for a whole installation have none.
function pluginNews({ status, error, ...news }: ClaudeNews): Happening[] {
  const name = typeof news["name"] === "string" ? news["name"] : "a plugin";
  if (status === "failed") return [notice("warn", `${name} could not be installed: ${error ?? "no reason given"}`)];
  return [{ type: "working.changed", message: status === "started" ? "installing plugins" : null }];
}

function task({ task_id = "" }: ClaudeNews, text: string | null): Happening {
  return { type: "status.changed", key: `task ${task_id}`, text };
}

function isOver(status: string | undefined): boolean {
  return status === "completed" || status === "failed" || status === "killed";
}

function retryNews({ attempt = 1, max_retries, retry_delay_ms = 0, error, error_status }: ClaudeNews): Happening[] {
  // A refused connection is "unknown".
  const known = error === undefined || error === "unknown" ? "the model did not answer" : error.replaceAll("_", " ");
  const what = [known, error_status ?? ""].filter(Boolean).join(", ");
  return retryNotices(what, { attempt, attemptsMax: max_retries, delayMs: retry_delay_ms, isFirst: attempt <= 1 });
}

function compactedTokens({ compact_metadata: { pre_tokens, post_tokens } = {} }: ClaudeNews): string {
  return compactedWords(pre_tokens, post_tokens);
}

function hookFailure({ hook_name, stderr, output }: ClaudeNews): Happening {
  const words = [stderr, output].find((text) => text !== undefined && text.trim() !== "")?.trim();
  return notice("warn", `the hook ${hook_name ?? ""} failed`, words);
}

export function rateLimitNews({ rate_limit_info }: ClaudeFrame<"rate_limit_event">): Happening[] {
  const { status, rateLimitType, utilization } = rate_limit_info;
  if (status === undefined || status === "allowed") return [];
  const limit = rateLimitType?.replaceAll("_", " ") ?? "rate";
  if (status === "rejected") return [notice("error", `the ${limit} limit is reached; Claude refuses until it resets`)];
  // Some versions report a fraction, others percent.
  const percent = Math.round((utilization ?? 0) <= 1 ? (utilization ?? 0) * 100 : (utilization ?? 0));
  return [notice("warn", `the ${limit} limit is near`, utilization === undefined ? "" : `${percent} % used`)];
}

export function authNews({ isAuthenticating, output = [], error }: ClaudeFrame<"auth_status">): Happening[] {
  const happenings: Happening[] = output.map((line) => notice("info", line));
  if (error !== undefined) happenings.push(notice("error", error));
  return [...happenings, { type: "working.changed", message: isAuthenticating === true ? "signing in" : null }];
}

/** Claude reports the cost of the whole session and the tokens of the turn. */
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

  /** The conversation is empty. */
  clear(): void {
    this.tokens = 0;
    this.cost = 0;
    this.inWindow = 0;
  }

  turn({ usage = {}, total_cost_usd, model_usage_since_last_result, modelUsage }: ClaudeFrame<"result">): {
    prompt: Usage;
    session: Usage;
  } {
    const prompt = usageOf(usage);
    const before = this.cost;
    this.cost = Math.max(before, total_cost_usd ?? 0);
    // Like the cost, Claude counts the tokens over the whole session, also of a resumed one.
    this.tokens = Math.max(this.tokens + (prompt.total_tokens ?? 0), tokensIn(modelUsage));
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

function tokensIn(models: ClaudeFrame<"result">["modelUsage"]): number {
  const counts = Object.values(models ?? {}).flatMap((model) => [
    ...[model.inputTokens, model.outputTokens],
    ...[model.cacheReadInputTokens, model.cacheCreationInputTokens],
  ]);
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
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
  ["max_tokens", "the answer was cut off at the model's output limit"],
  ["model_context_window_exceeded", "the answer was cut off: the model's context is full"],
  ["refusal", "the model refused to continue"],
]);

/** Why a turn that did not fail is incomplete. */
export function cutOf(result: ClaudeFrame<"result">): string | null {
  return cuts.get(result["stop_reason"]) ?? null;
}

const failures: ReadonlyMap<string, string> = new Map([
  ["error_max_turns", "Claude stopped: it reached its maximum number of turns"],
  ["error_max_budget_usd", "Claude stopped: it reached its budget"],
  ["error_max_structured_output_retries", "Claude stopped: its answer never matched the requested format"],
]);

/** Null when the turn did not fail, or was stopped. */
export function failureOf(result: ClaudeFrame<"result">): string | null {
  const { subtype, is_error, errors = [], terminal_reason = "" } = result;
  if (subtype === "success" && is_error !== true) return null;
  if (terminal_reason.startsWith("aborted")) return null;
  const told = [result.result ?? "", ...errors].filter(Boolean).join("\n");
  return failures.get(subtype) ?? (told === "" ? `Claude failed: ${subtype.replaceAll("_", " ")}` : told);
}
