// Opens whatever model was chosen. The SDK is loaded here, on first use, so that the offline agent starts without it.
import { createRequire } from "node:module";
import { openOfflineModel } from "../offline/offline-model.js";
import type { Model } from "./model.js";
import type { ModelChoice } from "./model-choice.js";

export async function openModel(choice: ModelChoice): Promise<Model> {
  if (choice.kind === "offline") return openOfflineModel();
  lendRequire();
  const { openSdkModel } = await import("./sdk-model.js");
  return openSdkModel(choice);
}

// A part of the SDK is CommonJS and asks for modules of Node as it loads; in a bundle of ES modules nobody answers.
function lendRequire(): void {
  const scope = globalThis as { require?: NodeJS.Require };
  scope.require ??= createRequire(import.meta.url);
}
