// pi's settings: model and thinking level. Lists and values come in separate responses, in any order.

import type { Settings } from "../front-end-commands.js";
import type { PiModel } from "./pi-frames.js";

export class PiSettings {
  models: readonly PiModel[] = [];
  /** The levels of a pi that cannot list them. */
  levels: readonly string[] = ["off", "minimal", "low", "medium", "high"];
  model: PiModel | null = null;
  level = "";

  get all(): Settings {
    const options = this.models.map((model) => ({ value: modelName(model), label: model.name ?? model.id }));
    const model = this.model === null ? "" : modelName(this.model);
    const levels = this.levels.map((level) => ({ value: level, label: level }));
    const models = { key: "model", label: "Model", kind: "model" as const, value: model, options };
    const thinking = { key: "thinking", label: "Thinking", kind: "other" as const, value: this.level, options: levels };
    return [...(model === "" && options.length === 0 ? [] : [models]), ...(this.level === "" ? [] : [thinking])];
  }

  /** By full name, or by id. */
  modelNamed(name: string): PiModel | null {
    const found =
      this.models.find((model) => modelName(model) === name || `${model.provider}/${model.id}` === name) ??
      this.models.find(({ id }) => id === name);
    return found ?? null;
  }

  get byProvider(): { id: string; models: { id: string; name: string }[] }[] {
    const providers = [...new Set(this.models.map(({ provider }) => provider))];
    return providers.map((id) => ({
      id,
      models: this.models
        .filter(({ provider }) => provider === id)
        .map((model) => ({ id: model.id, name: model.name ?? model.id })),
    }));
  }
}

export function modelName({ provider, id }: PiModel): string {
  return provider === "" ? id : `${provider}:${id}`;
}
