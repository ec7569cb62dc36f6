// The terminal port by itself: what a program needs before its first frame.

export { ExitGuard } from "./exit-guard.js";
export { makeRuntimeModest } from "./modest-runtime.js";
export { OwnedTerminal } from "./owned-terminal.js";
