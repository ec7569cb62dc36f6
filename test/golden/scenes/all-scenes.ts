// Every scene there is, in the order in which a person would meet them.
import type { Scene } from "../scene.js";
import { approvalScenes } from "./approvals.js";
import { askScenes } from "./asks.js";
import { composerScenes } from "./composer.js";
import { markdownScenes } from "./markdown.js";
import { readingScenes } from "./reading-places.js";
import { sessionScenes } from "./sessions.js";
import { signalScenes } from "./signals.js";
import { startScenes } from "./start.js";
import { toolScenes } from "./tools.js";

export const scenes: readonly Scene[] = [
  ...startScenes,
  ...markdownScenes,
  ...toolScenes,
  ...signalScenes,
  ...askScenes,
  ...approvalScenes,
  ...composerScenes,
  ...sessionScenes,
  ...readingScenes,
];
