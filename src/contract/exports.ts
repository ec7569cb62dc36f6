// The public list of `palaver/contract`: every wire shape, as schema and as type.
export type { AgentEvent, AgentEventType, PermissionPreview } from "./agent-events.js";
export { agentEventSchema, agentEventSchemas } from "./agent-events.js";
export type { Ask, AskOutcome, AuditRecord, PermissionParams, PermissionResult, WithdrawReason } from "./asks.js";
export { askSchema, auditRecordSchema, permissionResultSchema } from "./asks.js";
export type { ServerCapabilities, UiCapabilities } from "./capabilities.js";
export { serverCapabilitiesSchema, uiCapabilitiesSchema } from "./capabilities.js";
export type { DialogMethod, DialogParams, DialogResult, FormField, SelectOption } from "./dialogs.js";
export { dialogParamsSchemas, dialogResultSchemas } from "./dialogs.js";
export type { Fault, UiErrorCode, WireErrorName } from "./errors.js";
export { wireErrorCodes } from "./errors.js";
export type { FileChange } from "./file-change.js";
export { fileChangeSchema } from "./file-change.js";
export { publishedSchema } from "./json-schema.js";
export * from "./limits.js";
export type { LinesCommand, LinesCommandType } from "./lines-commands.js";
export { linesCommandSchema, linesCommandSchemas } from "./lines-commands.js";
export type { LinesOutput, LinesOutputType, UiRequest } from "./lines-outputs.js";
export { linesOutputSchema, linesOutputSchemas, uiRequestSchema } from "./lines-outputs.js";
export { usageOf } from "./message-parts.js";
export type { ContentBlock, Message, ToolOutput, Usage } from "./messages.js";
export { messageSchema, usageSchema } from "./messages.js";
export type { NotifyLevel, WidgetPlacement } from "./notices.js";
export { signalParamsSchemas } from "./notices.js";
export { permissionCallSchema, permissionChoiceSchema } from "./permission-call.js";
export type { PublishedSchemaName } from "./protocol-versions.js";
export {
  agreeOnMessageDeltas,
  agreeOnPreflightEvents,
  basicDialogMethods,
  PROTOCOL_VERSION,
  publishedSchemaNames,
} from "./protocol-versions.js";
export type { RpcFrame, RpcNotification, RpcRequest, RpcResponse } from "./rpc.js";
export {
  rpcNotificationSchema,
  rpcNotificationSchemas,
  rpcRequestSchema,
  rpcRequestSchemas,
  rpcResponseSchema,
} from "./rpc.js";
export type { SessionEvent } from "./session-events.js";
export { sessionEventSchema } from "./session-events.js";
