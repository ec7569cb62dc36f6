// Chooses the model of the built-in agent from flags and settings, and checks whether it is available before anything starts.
import { chooseModel, type Environment, ModelChoiceError, type ModelRequest } from "../builtin/models/model-choice.js";
import type { Settings } from "../session/settings/setting-table.js";
import { UsageError } from "./exit-codes.js";

// A configured address belongs to the configured model only.
export function modelOf(
  flags: { model?: string | undefined; "base-url"?: string | undefined },
  settings: Settings,
): ModelRequest {
  const configured = settings.model === "" ? {} : { model: settings.model, baseUrl: settings.base_url || undefined };
  return flags.model === undefined
    ? { ...configured, ...(flags["base-url"] === undefined ? {} : { baseUrl: flags["base-url"] }) }
    : { model: flags.model, baseUrl: flags["base-url"] };
}

/** Why this model cannot be used; null when it can. */
export function problemWithModel(requested: ModelRequest, environment: Environment): string | null {
  try {
    chooseModel(requested, environment);
    return null;
  } catch (error) {
    if (error instanceof ModelChoiceError) return error.message;
    throw error;
  }
}

/** Settings already hold the flags. Throws a UsageError. */
export function refuseWrongModel(settings: Settings, environment: Environment): void {
  const problem = problemWithModel(modelOf({}, settings), environment);
  if (problem !== null) throw new UsageError(problem);
}
