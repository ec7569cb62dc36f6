// Which model a session uses, from what the user named and what the environment offers. A choice is a plain value: it is
// checked here, in words, and opened somewhere else.
import type { ModelPrice, ModelSetting } from "../../session/settings/presets.js";
import { CONTEXT_TOKENS_DEFAULT, type Provider, providerNamed, providers } from "./provider-table.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export type ModelChoice =
  | { readonly kind: "offline" }
  | {
      readonly kind: "remote";
      readonly provider: Provider;
      readonly id: string;
      readonly baseUrl: string;
      readonly key: string | null;
      readonly contextTokens: number;
      /** How long one answer may be; null leaves it to the provider. */
      readonly outputTokensMax: number | null;
      /** Null when the user says nothing about it. */
      readonly price: ModelPrice | null;
    };

/** What the user says about models in the settings, by `provider:name`. */
export type ModelFacts = Readonly<Record<string, ModelSetting>>;

export type ModelRequest = { readonly model?: string | undefined; readonly baseUrl?: string | undefined };

/** A request that cannot be met; the message says what would be right. */
export class ModelChoiceError extends Error {
  override readonly name = "ModelChoiceError";
}

/** The offline model as a session names it. */
export const OFFLINE = "palaver:offline";
const OFFLINE_NAMES: ReadonlySet<string> = new Set(["offline", OFFLINE]);

/** Named, else PALAVER_MODEL, else whatever the environment has a key or a host for, else the model that needs nothing. */
export function chooseModel(requested: ModelRequest, environment: Environment): ModelChoice {
  const named = requested.model ?? nonEmpty(environment.PALAVER_MODEL);
  if (named !== undefined) return namedModel(named, requested.baseUrl, environment);
  if (requested.baseUrl !== undefined)
    throw new ModelChoiceError("a base URL needs a model too: --model compatible:NAME");
  const found = providers.find((provider) => isOffered(provider, environment) && provider.models.length > 0);
  const [first] = found?.models ?? [];
  if (found === undefined || first === undefined) return { kind: "offline" };
  return remote(found, first.id, undefined, environment);
}

export function isOffline(name: string): boolean {
  return OFFLINE_NAMES.has(name);
}

/** Another model in place of the one first requested. A base URL goes with its provider, and not to any other. */
export function changedModel(first: ModelRequest, model: string): ModelRequest {
  const isSame = providerIn(model) === undefined || providerIn(model) === providerIn(first.model ?? "");
  return { model, baseUrl: isSame ? first.baseUrl : undefined };
}

/** The choice with what the user says about the model; that counts more than what we know of it. */
export function withFacts(choice: ModelChoice, facts: ModelFacts): ModelChoice {
  if (choice.kind === "offline") return choice;
  const name = `${choice.provider.id}:${choice.id}`;
  const { context_tokens, output_tokens, price } = (Object.hasOwn(facts, name) ? facts[name] : undefined) ?? {};
  return {
    ...choice,
    contextTokens: context_tokens ?? choice.contextTokens,
    outputTokensMax: output_tokens ?? choice.outputTokensMax,
    price: price ?? choice.price,
  };
}

/** Whether the environment has what this provider needs. */
function isOffered({ keyVariable, baseUrlVariable }: Provider, environment: Environment): boolean {
  return nonEmpty(environment[keyVariable ?? baseUrlVariable]) !== undefined;
}

function namedModel(name: string, baseUrl: string | undefined, environment: Environment): ModelChoice {
  if (isOffline(name)) return { kind: "offline" };
  const colon = name.indexOf(":");
  const provider = providerIn(name);
  if (provider !== undefined) {
    const id = colon < 0 ? (provider.models[0]?.id ?? "") : name.slice(colon + 1);
    if (id === "") throw new ModelChoiceError(`${provider.id} needs the name of a model: ${provider.id}:NAME`);
    return remote(provider, id, baseUrl, environment);
  }
  // Models of local servers have colons of their own, so with a base URL any name will do.
  const place = baseUrl ?? nonEmpty(environment.PALAVER_BASE_URL);
  const compatible = providerNamed("compatible");
  if (place !== undefined && compatible !== undefined) return remote(compatible, name, place, environment);
  // A known model needs no provider.
  const owner = providers.find(({ models }) => models.some(({ id }) => id === name));
  if (owner !== undefined) return remote(owner, name, undefined, environment);
  const known = providers.map(({ id }) => id).join(", ");
  const guess = families.find(([family]) => family.test(name))?.[1];
  const example = guess === undefined || colon >= 0 ? "" : `, such as ${guess}:${name}`;
  throw new ModelChoiceError(
    `invalid model: ${name}. Write provider:name${example}, with one of ${known}; or "offline"; or add --base-url`,
  );
}

/** Who offers models with such names. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^claude/, "anthropic"],
  [/^(?:gpt|o\d)/, "openai"],
  [/^(?:deepseek)/, "deepseek"],
  [/^grok/, "xai"],
  [/^(?:mistral|codestral|devstral)/, "mistral"],
];

/** The variable of the key that the model cannot do without; null when it has one or needs none. */
export function missingKey(choice: ModelChoice): string | null {
  if (choice.kind === "offline" || choice.key !== null || choice.provider.id === "compatible") return null;
  return choice.provider.keyVariable;
}

function providerIn(name: string): Provider | undefined {
  return providerNamed(name.split(":", 1)[0] ?? "");
}

function remote(provider: Provider, id: string, requested: string | undefined, environment: Environment): ModelChoice {
  const baseUrl = requested ?? hostUrl(environment[provider.baseUrlVariable], provider) ?? provider.baseUrl;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new ModelChoiceError(
      baseUrl === "" ? `${provider.id}:${id} needs --base-url` : `${baseUrl} is not a URL that begins with http`,
    );
  }
  return {
    kind: "remote",
    provider,
    id,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    key: provider.keyVariable === null ? null : (nonEmpty(environment[provider.keyVariable]) ?? null),
    contextTokens: contextTokens(provider, id, environment),
    outputTokensMax: null,
    price: null,
  };
}

// OLLAMA_HOST is often "host:port" alone, without a scheme and without the path of the API.
function hostUrl(host: string | undefined, provider: Provider): string | undefined {
  const named = nonEmpty(host);
  if (named === undefined) return undefined;
  const url = /^https?:\/\//.test(named) ? named : `http://${named}`;
  if (provider.keyVariable !== null || !URL.canParse(url) || new URL(url).pathname !== "/") return url;
  return new URL(new URL(provider.baseUrl).pathname, url).href;
}

function contextTokens(provider: Provider, id: string, environment: Environment): number {
  const told = Number(environment.PALAVER_CONTEXT_TOKENS);
  if (Number.isInteger(told) && told > 0) return told;
  return provider.models.find((known) => known.id === id)?.contextTokens ?? CONTEXT_TOKENS_DEFAULT;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

/** A provider as `models_list` sends it. */
type ListedProvider = {
  id: string;
  /** Whether it can be used as things are; otherwise `needs` says what is missing. */
  available: boolean;
  needs?: string;
  models: { id: string; name: string; context_tokens?: number }[];
};

export function modelsList(environment: Environment, facts: ModelFacts = {}): ListedProvider[] {
  const offline = {
    id: "palaver",
    available: true,
    models: [{ id: "offline", name: "No model, understands plain requests" }],
  };
  const remote = providers
    .filter(({ id }) => id !== "compatible")
    .map((provider): ListedProvider => {
      const available = provider.keyVariable === null || isOffered(provider, environment);
      const known = provider.models.map(({ id, name, contextTokens }) => {
        const told = facts[`${provider.id}:${id}`]?.context_tokens;
        return { id, name, context_tokens: told ?? contextTokens };
      });
      const models = [...known, ...namedModels(provider, facts)];
      return { id: provider.id, available, ...(available ? {} : { needs: provider.keyVariable ?? "" }), models };
    });
  return [offline, ...remote];
}

/** Those that only the user knows of. */
function namedModels({ id: provider, models }: Provider, facts: ModelFacts): ListedProvider["models"] {
  return Object.entries(facts).flatMap(([name, { context_tokens }]) => {
    const id = name.startsWith(`${provider}:`) ? name.slice(provider.length + 1) : "";
    if (id === "" || models.some((model) => model.id === id)) return [];
    return [{ id, name: id, ...(context_tokens === undefined ? {} : { context_tokens }) }];
  });
}
