// The terminal port by itself: what a program needs before its first frame.

export { ExitGuard } from "./exit-guard.js";
export { OwnedTerminal } from "./owned-terminal.js";
export { makeCompilerPatient } from "./patient-compiler.js";
