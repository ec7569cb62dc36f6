// The settings of a session: modes, models and options. The protocol has three places for them and agents use any mixture, so
// they become one list; an option wins over the older calls for the same setting.

import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { SessionEvent } from "../../../contract/session-events.js";
import { type AcpConfigOption, type AcpSessionResult, acpConfigOptionSchema } from "./acp-frames.js";

export type Setting = Extract<SessionEvent, { type: "settings.changed" }>["settings"][number];

export type SettingCall = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };

type SettingOption = Setting["options"][number];

export class Settings {
  private options: readonly AcpConfigOption[] = [];
  private modes: { current: string; options: SettingOption[] } | null = null;
  private models: { current: string; options: SettingOption[] } | null = null;

  take({ modes, models, configOptions }: AcpSessionResult): void {
    if (modes) {
      const options = modes.availableModes.map(({ id, name, description }) => optionOf(id, name, description));
      this.modes = { current: modes.currentModeId, options };
    }
    if (models) {
      const options = models.availableModels.map(({ modelId, name, description }) =>
        optionOf(modelId, name, description),
      );
      this.models = { current: models.currentModelId, options };
    }
    if (configOptions) this.takeOptions(configOptions);
  }

  takeOptions(options: readonly unknown[]): void {
    this.options = options.flatMap((option) => acpConfigOptionSchema.safeParse(option).data ?? []);
  }

  takeMode(mode: string): void {
    if (this.modes !== null) this.modes = { ...this.modes, current: mode };
    this.options = this.options.map((option) =>
      kindOf(option) === "mode" ? { ...option, currentValue: mode } : option,
    );
  }

  takeModel(model: string): void {
    if (this.models !== null) this.models = { ...this.models, current: model };
  }

  list(): Setting[] {
    const settings = this.options.map(settingOf);
    const hasKind = (kind: Setting["kind"]) => settings.some((setting) => setting.kind === kind);
    const legacy: Setting[] = [];
    if (this.models !== null && !hasKind("model")) legacy.push(legacySetting("model", "Model", this.models));
    if (this.modes !== null && !hasKind("mode")) legacy.push(legacySetting("mode", "Mode", this.modes));
    return [...legacy, ...settings];
  }

  /** By key or by kind: `model` and `mode` work with every agent that has one. */
  find(key: string): Setting | null {
    const settings = this.list();
    return settings.find((setting) => setting.key === key) ?? settings.find(({ kind }) => kind === key) ?? null;
  }

  callFor(setting: Setting, value: string): SettingCall {
    const option = this.options.find(({ id }) => id === setting.key);
    if (option !== undefined) {
      const choice = option.type === "boolean" ? { type: "boolean", value: value === "true" } : { value };
      return { method: "session/set_config_option", params: { configId: option.id, ...choice } };
    }
    if (setting.kind === "mode") return { method: "session/set_mode", params: { modeId: value } };
    return { method: "session/set_model", params: { modelId: value } };
  }

  /** The agent accepted the change. Some agents answer with all options, some do not report it. */
  changed(setting: Setting, value: string, result: unknown): void {
    const { configOptions } = objectOf(result);
    if (Array.isArray(configOptions)) this.takeOptions(configOptions);
    else if (this.options.some(({ id }) => id === setting.key)) this.setOption(setting.key, value);
    else if (setting.kind === "mode") this.takeMode(value);
    else this.takeModel(value);
  }

  get model(): string | null {
    return this.find("model")?.value ?? null;
  }

  private setOption(id: string, value: string): void {
    this.options = this.options.map((option) =>
      option.id === id ? { ...option, currentValue: option.type === "boolean" ? value === "true" : value } : option,
    );
  }
}

function settingOf(option: AcpConfigOption): Setting {
  const options = option.type === "boolean" ? [optionOf("true", "on"), optionOf("false", "off")] : choicesOf(option);
  return {
    key: option.id,
    label: option.name || option.id,
    kind: kindOf(option),
    value: plainWord(option.currentValue ?? ""),
    options,
  };
}

function kindOf({ category, id }: AcpConfigOption): Setting["kind"] {
  const word = category || id;
  return word === "model" || word === "mode" ? word : "other";
}

// A group is an entry with entries of its own.
function choicesOf({ options }: AcpConfigOption): SettingOption[] {
  return (options ?? []).flatMap((entry) => {
    const inner = entry["options"];
    const entries = Array.isArray(inner) ? inner.map(objectOf) : [entry];
    return entries.flatMap(({ value, name, description }) =>
      typeof value === "string" ? [optionOf(value, name, description)] : [],
    );
  });
}

function legacySetting(
  kind: "mode" | "model",
  label: string,
  { current, options }: { current: string; options: SettingOption[] },
): Setting {
  return { key: kind, label, kind, value: current, options };
}

function optionOf(value: string, name?: unknown, description?: unknown): SettingOption {
  const label = typeof name === "string" && name !== "" ? name : value;
  return { value, label, ...(typeof description === "string" ? { description } : {}) };
}
