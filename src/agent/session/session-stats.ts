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

/** A cost is known only as far as every part of it was. */
export function sumOfUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {};
  for (const key of ["input", "output", "cache_read", "cache_write", "total_tokens"] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  const cost = (a.cost?.total ?? 0) + (b.cost?.total ?? 0);
  return a.cost === undefined && b.cost === undefined ? sum : { ...sum, cost: { total: cost } };
}
