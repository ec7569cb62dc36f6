// What a session has cost so far: rounds, tool calls, tokens and money, for `stats` and for the end of each prompt.
import type { Usage } from "../../contract/messages.js";

export class SessionStats {
  prompts = 0;
  turns = 0;
  toolCalls = 0;
  #usage: Usage = {};

  get usage(): Usage {
    return this.#usage;
  }

  count(usage: Usage): void {
    this.#usage = sumOfUsage(this.#usage, usage);
  }
}

/** A sum of which a part has no price has none either: half of a cost looks like all of it. */
export function sumOfUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {};
  for (const key of ["input", "output", "cache_read", "cache_write", "total_tokens"] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  const parts = [a, b].filter((usage) => Object.keys(usage).length > 0);
  if (parts.length === 0 || parts.some(({ cost }) => cost === undefined)) return sum;
  return { ...sum, cost: { total: parts.reduce((total, { cost }) => total + (cost?.total ?? 0), 0) } };
}
