// Every fuzzer there is, by name.
import type { FuzzTarget } from "./fuzz-target.js";
import { dialectTargets } from "./targets/dialect-targets.js";
import { frameTargets } from "./targets/frame-targets.js";
import { httpTarget } from "./targets/http-target.js";
import { recordingTarget } from "./targets/recording-target.js";
import { sseTarget } from "./targets/sse-target.js";
import { terminalInputTarget } from "./targets/terminal-input-target.js";
import { textTargets } from "./targets/text-targets.js";

export const fuzzTargets: readonly FuzzTarget[] = [
  ...frameTargets,
  ...dialectTargets,
  sseTarget,
  httpTarget,
  terminalInputTarget,
  ...textTargets,
  recordingTarget,
];
