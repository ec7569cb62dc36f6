// The terminal port by itself, for benchmarks and end-to-end tests.
export { ExitGuard } from "./exit-guard.js";
export { makeRuntimeModest } from "./modest-runtime.js";
export { OwnedTerminal } from "./owned-terminal.js";
