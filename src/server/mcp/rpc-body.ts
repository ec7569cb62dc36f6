// Parses and validates a POST body or a line as JSON-RPC. Errors carry the id whenever it can be read.

import * as z from "zod";
import { isDeeperThan, objectOf } from "../../contract/json-value.js";
import { NESTING_LEVELS_MAX } from "../../contract/limits.js";

export const rpcErrors = { parse: -32700, invalidRequest: -32600, invalidParams: -32602, notFound: -32601 } as const;

const idSchema = z.union([z.string(), z.number()]);

const messageSchema = z.union([
  z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), id: idSchema.optional() }),
  z.looseObject({ jsonrpc: z.literal("2.0"), id: idSchema, result: z.unknown() }).refine(has("result")),
  z.looseObject({ jsonrpc: z.literal("2.0"), id: idSchema.nullish(), error: z.looseObject({ code: z.number() }) }),
]);

export type RpcMessage = z.infer<typeof messageSchema>;

export type RpcBody =
  | {
      readonly kind: "messages";
      readonly body: unknown;
      readonly messages: readonly RpcMessage[];
      readonly isBatch: boolean;
    }
  | { readonly kind: "unfit"; readonly code: number; readonly message: string; readonly id: string | number | null };

const BATCH_MAX = 100;

export function readRpcBody(text: string): RpcBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return unfit(rpcErrors.parse, "the body is not valid JSON");
  }
  if (isDeeperThan(body, NESTING_LEVELS_MAX)) return unfit(rpcErrors.invalidRequest, "the body is nested too deeply");
  const isBatch = Array.isArray(body);
  const given: readonly unknown[] = isBatch ? (body as unknown[]) : [body];
  if (given.length === 0) return unfit(rpcErrors.invalidRequest, "the batch is empty");
  if (given.length > BATCH_MAX) return unfit(rpcErrors.invalidRequest, `the batch has more than ${BATCH_MAX} messages`);
  const messages: RpcMessage[] = [];
  for (const one of given) {
    const read = messageSchema.safeParse(one);
    if (!read.success)
      return unfit(rpcErrors.invalidRequest, "this is not a JSON-RPC 2.0 message", isBatch ? null : one);
    messages.push(read.data);
  }
  return { kind: "messages", body, messages, isBatch };
}

export function rpcError(status: number, code: number, message: string, id: string | number | null = null): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status });
}

function unfit(code: number, message: string, source: unknown = null): RpcBody {
  return { kind: "unfit", code, message, id: idIn(source) };
}

function idIn(source: unknown): string | number | null {
  const { id } = objectOf(source);
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function has(key: string): (value: object) => boolean {
  return (value) => key in value;
}
