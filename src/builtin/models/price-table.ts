// What models cost, in dollars for a million tokens, as their providers publish it. A model that is not here has no cost:
// better none than a wrong one, and the next version of a model is another model. Prices change; what the person says in
// the settings comes first.
import type { Usage } from "../../contract/messages.js";
import type { ModelPrice } from "../../session/settings/presets.js";
import type { Model } from "./model.js";

function price(input: number, output: number, cache_read: number, cache_write = input): ModelPrice {
  return { input, output, cache_read, cache_write };
}

const prices: Readonly<Record<string, Readonly<Record<string, ModelPrice>>>> = {
  anthropic: {
    "claude-opus-4": price(15, 75, 1.5, 18.75),
    "claude-opus-4-1": price(15, 75, 1.5, 18.75),
    "claude-opus-4-5": price(5, 25, 0.5, 6.25),
    "claude-sonnet-4": price(3, 15, 0.3, 3.75),
    "claude-sonnet-4-5": price(3, 15, 0.3, 3.75),
    "claude-haiku-4-5": price(1, 5, 0.1, 1.25),
    "claude-3-5-haiku": price(0.8, 4, 0.08, 1),
  },
  openai: {
    "gpt-4o": price(2.5, 10, 1.25),
    "gpt-4o-mini": price(0.15, 0.6, 0.075),
    "gpt-4.1": price(2, 8, 0.5),
    "gpt-4.1-mini": price(0.4, 1.6, 0.1),
    "gpt-4.1-nano": price(0.1, 0.4, 0.025),
    "gpt-5": price(1.25, 10, 0.125),
    "gpt-5-mini": price(0.25, 2, 0.025),
    "gpt-5-nano": price(0.05, 0.4, 0.005),
  },
};

const PER_MILLION = 1_000_000;

type PricedModel = Pick<Model, "provider" | "id" | "price">;

/** The same usage with its cost, where the model's price is known. */
export function priced({ provider, id, price: told }: PricedModel, usage: Usage): Usage {
  const known = told ?? priceOf(provider, id);
  if (known === null) return usage;
  const { input = 0, output = 0, cache_read = 0, cache_write = 0 } = usage;
  const cached = cache_read * (known.cache_read ?? known.input) + cache_write * (known.cache_write ?? known.input);
  const total = input * known.input + output * known.output + cached;
  return { ...usage, cost: { total: total / PER_MILLION } };
}

// A date may follow a name, nothing else: neither "gpt-5-turbo" nor "gpt-5.2" is "gpt-5".
const DATE = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/;

function priceOf(provider: string, id: string): ModelPrice | null {
  const known = prices[provider] ?? {};
  const name = id.replace(DATE, "");
  return Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}
