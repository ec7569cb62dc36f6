// The providers the agent knows by name, as data: where they are, which variable holds their key, what they offer. Any
// other endpoint that speaks the same language is reached as `compatible` with a base URL.
import type { Usage } from "../../contract/messages.js";
import type { ModelPrice } from "../../session/settings/presets.js";
import type { Model } from "./model.js";

export type Provider = {
  readonly id: string;
  readonly api: "anthropic" | "openai-compatible";
  readonly baseUrl: string;
  /** Variables that name another place for it; a host without a path gets the one of `baseUrl`. */
  readonly baseUrlVariable: string;
  /** The variable with its key; null for servers that need none. */
  readonly keyVariable: string | null;
  /** The first one is used when only the provider is named. None: a model has to be named. */
  readonly models: readonly KnownModel[];
};

export type KnownModel = { readonly id: string; readonly name: string; readonly contextTokens: number };

/** For models that are not in the table. */
export const CONTEXT_TOKENS_DEFAULT = 128_000;

function model(id: string, name: string, contextTokens: number): KnownModel {
  return { id, name, contextTokens };
}

function hosted(id: string, baseUrl: string, models: readonly KnownModel[] = []): Provider {
  const variable = id.toUpperCase();
  return {
    id,
    api: "openai-compatible",
    baseUrl,
    baseUrlVariable: `${variable}_BASE_URL`,
    keyVariable: `${variable}_API_KEY`,
    models,
  };
}

function local(id: string, baseUrl: string, baseUrlVariable: string): Provider {
  return { id, api: "openai-compatible", baseUrl, baseUrlVariable, keyVariable: null, models: [] };
}

/** In the order in which their keys are looked for. */
export const providers: readonly Provider[] = [
  {
    ...hosted("anthropic", "https://api.anthropic.com/v1", [
      model("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000),
      model("claude-opus-4-5", "Claude Opus 4.5", 200_000),
      model("claude-haiku-4-5", "Claude Haiku 4.5", 200_000),
    ]),
    api: "anthropic",
  },
  hosted("openai", "https://api.openai.com/v1", [
    model("gpt-5", "GPT-5", 400_000),
    model("gpt-5-mini", "GPT-5 mini", 400_000),
    model("gpt-4.1", "GPT-4.1", 1_000_000),
    model("gpt-4o", "GPT-4o", 128_000),
  ]),
  hosted("openrouter", "https://openrouter.ai/api/v1", [
    model("anthropic/claude-sonnet-4.5", "Claude Sonnet 4.5", 200_000),
    model("openai/gpt-5", "GPT-5", 400_000),
    model("qwen/qwen3-coder", "Qwen3 Coder", 256_000),
  ]),
  hosted("groq", "https://api.groq.com/openai/v1"),
  hosted("mistral", "https://api.mistral.ai/v1"),
  hosted("deepseek", "https://api.deepseek.com/v1", [model("deepseek-chat", "DeepSeek Chat", 128_000)]),
  hosted("xai", "https://api.x.ai/v1"),
  local("ollama", "http://127.0.0.1:11434/v1", "OLLAMA_HOST"),
  local("llamacpp", "http://127.0.0.1:8080/v1", "LLAMACPP_HOST"),
  local("vllm", "http://127.0.0.1:8000/v1", "VLLM_HOST"),
  local("lmstudio", "http://127.0.0.1:1234/v1", "LMSTUDIO_HOST"),
  { ...local("compatible", "", "PALAVER_BASE_URL"), keyVariable: "PALAVER_API_KEY" },
];

export function providerNamed(id: string): Provider | undefined {
  return providers.find((provider) => provider.id === id);
}

// What models cost, in dollars for a million tokens, as their providers publish it. A model that is not here has no cost:
// better none than a wrong one, and the next version of a model is another model. Prices change; what the user says in
// the settings comes first.
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
