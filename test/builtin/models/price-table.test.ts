// What a conversation cost, where that is known, and nothing where it is not.
import { describe, expect, test } from "vitest";
import { priced } from "../../../src/builtin/models/provider-table.js";
import { sumOfUsage } from "../../../src/builtin/session/session-stats.js";

const million = { input: 1_000_000, output: 1_000_000 };

describe("the price", () => {
  test.each<[string, string, number | undefined]>([
    ["anthropic", "claude-sonnet-4-5", 18],
    ["anthropic", "claude-sonnet-4-5-20250929", 18],
    ["anthropic", "claude-opus-4-1", 90],
    ["anthropic", "claude-opus-4-5", 30],
    ["openai", "gpt-5", 11.25],
    ["openai", "gpt-5-mini", 2.25],
    ["openai", "gpt-5-2025-08-07", 11.25],
    ["openai", "gpt-5-turbo", undefined],
    ["openai", "gpt-5.2", undefined],
    ["anthropic", "claude-opus-4-6", undefined],
    ["anthropic", "claude-sonnet-5", undefined],
    ["ollama", "gpt-5", undefined],
    ["openai", "toString", undefined],
  ])("of %s:%s for a million tokens each way is %s", (provider, id, total) => {
    expect(priced({ provider, id }, million).cost?.total).toBe(total);
  });

  test("is summed only where it is known", () => {
    expect(sumOfUsage({ input: 1 }, { input: 2, output: 3 })).toEqual({ input: 3, output: 3 });
    const known = { input: 1, cost: { total: 1 } };
    expect(sumOfUsage({}, known)).toEqual(known);
    expect(sumOfUsage(known, known)).toEqual({ input: 2, cost: { total: 2 } });
    expect(sumOfUsage(known, { input: 1 })).toEqual({ input: 2 });
    expect(sumOfUsage({ input: 1 }, known)).toEqual({ input: 2 });
  });

  test("that the user names counts more than the published one", () => {
    const price = { input: 1, output: 2, cache_read: 0, cache_write: 0 };
    expect(priced({ provider: "openai", id: "gpt-5", price }, million).cost?.total).toBe(3);
    expect(priced({ provider: "ollama", id: "mine", price }, million).cost?.total).toBe(3);
    const cached = { cache_read: 1_000_000, cache_write: 1_000_000 };
    expect(priced({ provider: "ollama", id: "mine", price: { input: 1, output: 2 } }, cached).cost?.total).toBe(2);
  });
});
