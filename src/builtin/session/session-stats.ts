// What a session has cost so far: rounds, tool calls, tokens and money, for `stats` and for the end of each prompt.
import type { Usage } from "../../contract/messages.js";
import type { HistoryMessage } from "./history.js";

export class SessionStats {
  prompts = 0;
  turns = 0;
  toolCalls = 0;
  usage: Usage = {};

  count(usage: Usage): void {
    this.usage = sumOfUsage(this.usage, usage);
  }
}

/** A sum with an unpriced part has no price: half of a cost would look like all of it. */
export function sumOfUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {};
  for (const key of ["input", "output", "cache_read", "cache_write", "total_tokens"] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  const parts = [a, b].filter((usage) => Object.keys(usage).length > 0);
  if (parts.length === 0 || parts.some(({ cost }) => cost === undefined)) return sum;
  return { ...sum, cost: { total: parts.reduce((total, { cost }) => total + (cost?.total ?? 0), 0) } };
}

// How full the model's window is. The provider's count is believed; what came after that, and everything before the first
// count, is estimated from its length.

/** A cautious average over prose and code. */
const CHARS_PER_TOKEN = 3.5;

export class ContextGauge {
  #counted: { tokens: number; messages: number } | null = null;

  /** The provider counted this for the conversation up to and with its last message. */
  count(usage: Usage, messages: readonly HistoryMessage[]): void {
    const { input = 0, output = 0, cache_read = 0, cache_write = 0 } = usage;
    const tokens = input + output + cache_read + cache_write;
    if (tokens > 0) this.#counted = { tokens, messages: messages.length };
  }

  /** The conversation is another one now. */
  forget(): void {
    this.#counted = null;
  }

  tokens(messages: readonly HistoryMessage[]): number {
    const counted = this.#counted ?? { tokens: 0, messages: 0 };
    const since = messages.slice(counted.messages).reduce((sum, message) => sum + tokensOf(message), 0);
    return counted.tokens + since;
  }
}

export function tokensOf(message: HistoryMessage): number {
  return Math.ceil(charsOf(message) / CHARS_PER_TOKEN);
}

function charsOf(message: HistoryMessage): number {
  if (message.role === "user") return message.content.length;
  return message.content.reduce((sum: number, block) => {
    if (block.type === "text") return sum + block.text.length;
    if (block.type === "thinking") return sum + block.thinking.length;
    return sum + block.name.length + (JSON.stringify(block.arguments)?.length ?? 0);
  }, 0);
}
