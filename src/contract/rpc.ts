// The rpc wire: bare objects over any pair of streams, for programs that want dialogs and nothing else.
// A request has id, method and params; a notification has no id; a response has id and result or error.
import * as z from "zod";
import { type DialogMethod, dialogKinds, dialogMethods, dialogParamsSchemas } from "./dialogs.js";
import { notifyLevelSchema, signalParamsSchemas } from "./notices.js";

const id = z.union([z.string(), z.number()]);

function request<Method extends DialogMethod>(method: Method) {
  return z
    .looseObject({
      id,
      method: z.literal(method),
      params: dialogParamsSchemas[method],
      timeout_ms: z.number().positive().optional(),
    })
    .meta({ id: `Rpc.${method}`, examples: [{ id: "q1", method, params: dialogKinds[method].example }] });
}

type RpcRequestSchema = { [Method in DialogMethod]: ReturnType<typeof request<Method>> }[DialogMethod];

export const rpcRequestSchemas = dialogMethods.map((method) => request(method)) as [
  RpcRequestSchema,
  ...RpcRequestSchema[],
];

function notification<Method extends string, Params extends z.ZodType>(
  method: Method,
  params: Params,
  example: Record<string, unknown>,
) {
  return z
    .looseObject({ method: z.literal(method), params })
    .meta({ id: `Rpc.${method}`, examples: [{ method, params: example }] });
}

const notifyParams = z.looseObject({ message: z.string(), type: notifyLevelSchema.optional() });
const cancelParams = z.looseObject({ id, reason: z.string().optional() });

export const rpcNotificationSchemas = [
  notification("notify", notifyParams, { message: "done", type: "success" }),
  notification("set_status", signalParamsSchemas.setStatus, { key: "branch", text: "main" }),
  notification("set_widget", signalParamsSchemas.setWidget, { key: "plan", content: ["1 read"], opts: {} }),
  notification("set_working_message", signalParamsSchemas.setWorkingMessage, { message: "reading" }),
  notification("set_title", signalParamsSchemas.setTitle, { title: "parser" }),
  notification("set_editor_text", signalParamsSchemas.setEditorText, { text: "next" }),
  notification("cancel", cancelParams, { id: "q1", reason: "timeout" }),
] as const;

export const rpcResponseSchema = z
  .looseObject({ id, result: z.unknown().optional(), error: z.unknown().optional() })
  .meta({
    id: "Rpc.response",
    description: "If both are present, `result` wins; a response with neither is invalid.",
    examples: [{ id: "q1", result: "a" }],
  });

export const rpcRequestSchema = z.discriminatedUnion("method", rpcRequestSchemas);
export const rpcNotificationSchema = z.discriminatedUnion("method", rpcNotificationSchemas);

export type RpcRequest = z.infer<typeof rpcRequestSchema>;
export type RpcNotification = z.infer<typeof rpcNotificationSchema>;
export type RpcResponse = z.infer<typeof rpcResponseSchema>;
export type RpcFrame =
  | { kind: "request"; request: RpcRequest }
  | { kind: "notification"; notification: RpcNotification }
  | { kind: "response"; response: RpcResponse };
