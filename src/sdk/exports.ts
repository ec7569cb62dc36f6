// The public list of `palaver/ui`: what an agent needs to talk with the user.

export type { UiErrorCode } from "../contract/errors.js";
export type { NotifyLevel } from "../contract/notices.js";
export type { Context } from "./context.js";
export { createContext, withinSignal } from "./context.js";
export { CommandError, UiError } from "./errors.js";
export type { HeadlessLog } from "./headless-ui.js";
export { createHeadlessUi } from "./headless-ui.js";
export type {
  LinesAgent,
  LinesAgentStreams,
  LinesSession,
  PromptImage,
  SessionRequest,
  SessionSetting,
  SessionsAgent,
  SessionsOptions,
  Turn,
  TurnResult,
} from "./lines-agent.js";
export { serveLines, serveSessions } from "./lines-agent.js";
export type { LinesUi, LinesUiOptions, UiResponse } from "./lines-ui.js";
export { createLinesUi } from "./lines-ui.js";
export type { GrowingMessage, MessageStream } from "./message-stream.js";
export type { ReadableLike, WritableLike } from "./outlet.js";
export type * from "./requests.js";
export type { RpcUi, RpcUiOptions } from "./rpc-ui.js";
export { createRpcUi } from "./rpc-ui.js";
export type { SessionFront } from "./session-front.js";
export type { TerminalUi } from "./terminal-ui.js";
export { createTerminalUi } from "./terminal-ui.js";
export type { ToolEnd, ToolReport } from "./tool-report.js";
export type * from "./ui.js";
export type { DialogSkills } from "./wired-ui.js";
