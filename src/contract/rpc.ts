// The rpc wire: bare objects over any pair of streams, for programs that want dialogs and nothing else.
// A request has id, method and params; a notification has no id; a response has id and result or error.
import * as z from "zod";
import { type DialogMethod, dialogKinds, dialogMethods, dialogParamsSchemas } from "./dialogs.js";
import { signalParamsSchemas } from "./notices.js";
import { permissionCallSchema, permissionExample } from "./permission-call.js";

const id = z.union([z.string(), z.number()]).describe("Chosen by the program; the response has the same.");
const timeoutMs = z.number().positive().optional().describe("When the program gives up; without it, it waits.");

function request<Method extends DialogMethod>(method: Method) {
  return z
    .looseObject({
      id,
      method: z.literal(method),
      params: dialogParamsSchemas[method],
      timeout_ms: timeoutMs,
    })
    .meta({ id: `Rpc.${method}`, examples: [{ id: "q1", method, params: dialogKinds[method].example }] });
}

type RpcRequestSchema = { [Method in DialogMethod]: ReturnType<typeof request<Method>> }[DialogMethod];

const permissionRequest = z
  .looseObject({ id, method: z.literal("permission"), params: permissionCallSchema, timeout_ms: timeoutMs })
  .meta({ id: "Rpc.permission", examples: [{ id: "q1", method: "permission", params: permissionExample }] });

export const rpcRequestSchemas = [
  ...(dialogMethods.map((method) => request(method)) as [RpcRequestSchema, ...RpcRequestSchema[]]),
  permissionRequest,
] as const;

function notification<Method extends string, Params extends z.ZodType>(
  method: Method,
  params: Params,
  example: Record<string, unknown>,
) {
  return z
    .looseObject({ method: z.literal(method), params })
    .meta({ id: `Rpc.${method}`, examples: [{ method, params: example }] });
}

const cancelParams = z
  .looseObject({ id, reason: z.string().optional().describe("Why: `timeout`, `aborted` or another word.") })
  .describe("The question that is withdrawn: timeout, aborted or shutdown.");

export const rpcNotificationSchemas = [
  notification("notify", signalParamsSchemas.notify, { message: "done", level: "success" }),
  notification("set_status", signalParamsSchemas.setStatus, { key: "branch", text: "main" }),
  notification("set_widget", signalParamsSchemas.setWidget, { key: "plan", content: ["1 read"], opts: {} }),
  notification("set_working_message", signalParamsSchemas.setWorkingMessage, { message: "reading" }),
  notification("set_title", signalParamsSchemas.setTitle, { title: "parser" }),
  notification("set_editor_text", signalParamsSchemas.setEditorText, { text: "next" }),
  notification("cancel", cancelParams, { id: "q1", reason: "timeout" }),
] as const;

export const rpcResponseSchema = z
  .looseObject({
    id,
    result: z.unknown().optional().describe("The answer; null (false for a confirmation) means cancelled."),
    error: z.unknown().optional().describe("Why there is no answer: text, or an object with `message`."),
  })
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
