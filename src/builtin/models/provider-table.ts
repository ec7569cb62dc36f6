// The providers the agent knows by name, as data: where they are, which variable holds their key, what they offer. Any
// other endpoint that speaks the same language is reached as `compatible` with a base URL.

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
