// The models a person can choose from, by provider, as `models_list` sends them: what the table knows, what the person has
// named in the settings, whether the environment has what is needed, and the model that needs nothing.
import { type Environment, isOffered, type ModelFacts } from "./model-choice.js";
import { type Provider, providers } from "./provider-table.js";

export type ListedProvider = {
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
    models: [{ id: "offline", name: "Offline, understands a list of sentences" }],
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

/** Those that only the person knows of. */
function namedModels({ id: provider, models }: Provider, facts: ModelFacts): ListedProvider["models"] {
  return Object.entries(facts).flatMap(([name, { context_tokens }]) => {
    const id = name.startsWith(`${provider}:`) ? name.slice(provider.length + 1) : "";
    if (id === "" || models.some((model) => model.id === id)) return [];
    return [{ id, name: id, ...(context_tokens === undefined ? {} : { context_tokens }) }];
  });
}
