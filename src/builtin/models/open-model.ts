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

// The SDK brings the client of a gateway that we never call, and that client is CommonJS: as it loads it asks a global
// `require` for modules of Node, and in a bundle of ES modules there is none. It gets the real one, here, where nothing but
// a model is opened. Run from source, Node answers it and this is not used.
function lendRequire(): void {
  const scope = globalThis as { require?: NodeJS.Require };
  scope.require ??= createRequire(import.meta.url);
}
