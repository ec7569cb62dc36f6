// The models a person can choose from, by provider, as `models_list` sends them: what the table knows, whether the
// environment has what is needed, and the model that needs nothing.
import { type Environment, isOffered } from "./model-choice.js";
import { providers } from "./provider-table.js";

export type ListedProvider = {
  id: string;
  /** Whether it can be used as things are; otherwise `needs` says what is missing. */
  available: boolean;
  needs?: string;
  models: { id: string; name: string; context_tokens?: number }[];
};

export function modelsList(environment: Environment): ListedProvider[] {
  const offline = {
    id: "palaver",
    available: true,
    models: [{ id: "offline", name: "Offline, understands a list of sentences" }],
  };
  const remote = providers
    .filter(({ id }) => id !== "compatible")
    .map((provider): ListedProvider => {
      const available = provider.keyVariable === null || isOffered(provider, environment);
      const models = provider.models.map(({ id, name, contextTokens }) => ({
        id,
        name,
        context_tokens: contextTokens,
      }));
      return { id: provider.id, available, ...(available ? {} : { needs: provider.keyVariable ?? "" }), models };
    });
  return [offline, ...remote];
}
