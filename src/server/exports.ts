// The public list of `palaver/daemon`: what a long-running program needs to let people see and do things from elsewhere.
export type { LogEntry, StateEntry } from "../contract/daemon.js";
export type { HandlerKind, MessageKind } from "../contract/handler-types.js";
export { handlerTypes, messageTypes } from "../contract/handler-types.js";
export type { AnswerVerdict, AskAnswer, AskPort } from "../host/asks/ask-port.js";
export type { AskRegistryOptions } from "../host/asks/ask-registry.js";
export { AskRegistry } from "../host/asks/ask-registry.js";
export type {
  DisplayHandler,
  EditHandler,
  ExecutionHandler,
  Handler,
  HandlerLog,
  InteractiveHandler,
  LoggableHandler,
  Shortcut,
} from "./handlers/handler.js";
export { detectionTable } from "./handlers/handler.js";
export type { AddedProcessOptions, HeadlessTuiOptions } from "./handlers/headless-tui.js";
export { HeadlessTui } from "./handlers/headless-tui.js";
export type { ProcessOptions } from "./handlers/supervised-process.js";
export type { TabSection, Tui, TuiErrorCode } from "./handlers/tui.js";
export { TuiError } from "./handlers/tui.js";
export type { LogHubOptions, LogLine } from "./logs/log-hub.js";
export { LogHub } from "./logs/log-hub.js";
export type { DaemonErrorCode } from "./project/daemon-error.js";
export { DaemonError } from "./project/daemon-error.js";
export type { OpenProject, ProjectRun, ProjectSlotOptions } from "./project/project-slot.js";
export { ProjectSlot } from "./project/project-slot.js";
export type { Daemon, DaemonOptions } from "./serve-daemon.js";
export { serveDaemon } from "./serve-daemon.js";
