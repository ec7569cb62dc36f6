// Claude's settings: model and permission mode. The lists come with the answer to `initialize`; Claude may change the mode
// itself.

import { present } from "../frames/lenient-field.js";
import type { Settings } from "../front-end-commands.js";
import type { ClaudeInitialized } from "./claude-frames.js";

type Options = Settings[number]["options"];

// The mode that never asks is not offered; it needs an argument of Claude.
const modes: Options = [
  { value: "default", label: "ask before changes" },
  { value: "acceptEdits", label: "accept edits" },
  { value: "plan", label: "plan only" },
];

const DEFAULT = "default";

export class ClaudeSettings {
  models: Options = [];
  model = "";
  private mode = "";
  /** The option for each resolved model. */
  private readonly options = new Map<string, string>();

  initialized({ models = [], current_permission_mode = "" }: ClaudeInitialized): void {
    for (const { value, resolvedModel } of models) {
      // "default" stands for one of the others.
      if (resolvedModel !== undefined && value !== DEFAULT) this.options.set(resolvedModel, value);
    }
    this.change("model", models.find(({ value }) => value === DEFAULT)?.resolvedModel ?? "");
    this.models = models.map(({ value, displayName: label = value, description }) =>
      present({ value, label, description }),
    );
    this.mode = current_permission_mode;
  }

  /** Whether the value changed. */
  change(setting: "model" | "mode", named: string): boolean {
    const value = setting === "model" ? (this.options.get(named) ?? named) : named;
    if (value === "" || this[setting] === value) return false;
    this[setting] = value;
    return true;
  }

  get all(): Settings {
    const models = withValue(this.models, this.model);
    const model = { key: "model", label: "Model", kind: "model" as const, value: this.model, options: models };
    const options = withValue(modes, this.mode);
    const mode = { key: "mode", label: "Permissions", kind: "mode" as const, value: this.mode, options };
    return [...(models.length === 0 ? [] : [model]), ...(this.mode === "" ? [] : [mode])];
  }
}

// The current value is always among the options.
function withValue(options: Options, value: string): Options {
  return value === "" || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];
}
