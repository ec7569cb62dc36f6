// The rpc wire: bytes ⇄ bare objects. A method with an id is a request, a method without one a notification, anything else
// with an id a response.

import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import {
  type RpcFrame,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  rpcNotificationSchema,
  rpcRequestSchema,
  rpcResponseSchema,
} from "../../../contract/rpc.js";
import type { SchemaError } from "../../../contract/schema-problem.js";
import {
  createFrameDecoder,
  type Decoded,
  type FrameDecoder,
  type FrameDecoderOptions,
} from "../frames/frame-decoder.js";
import { faultOf, type JsonObject, writeLine } from "../frames/json-frame.js";
import { whatIsWrong } from "../frames/schema-fault.js";

export function createRpcDecoder(options: FrameDecoderOptions = {}): FrameDecoder<RpcFrame> {
  return createFrameDecoder(options, decodeObject);
}

export function encodeRpc(frame: RpcRequest | RpcNotification | RpcResponse): string {
  return writeLine(frame);
}

/** `result` wins over `error`; null with neither. */
export function readRpcResponse(response: RpcResponse): { result: unknown } | { error: string } | null {
  if ("result" in response) return { result: response.result };
  if (response.error === undefined || response.error === null) return null;
  return { error: errorText(response.error) };
}

function decodeObject(object: JsonObject): Decoded<RpcFrame> {
  const hasId = object.id !== undefined && object.id !== null;
  if (object.method !== undefined && hasId) {
    const parsed = rpcRequestSchema.safeParse(object);
    return parsed.success ? framed({ kind: "request", request: parsed.data }) : wrong(object, parsed.error);
  }
  if (object.method !== undefined) {
    const parsed = rpcNotificationSchema.safeParse(object);
    return parsed.success ? framed({ kind: "notification", notification: parsed.data }) : wrong(object, parsed.error);
  }
  if (!hasId) {
    return { kind: "fault", fault: faultOf("invalidFrame", "an object with neither method nor id", writeLine(object)) };
  }
  const parsed = rpcResponseSchema.safeParse(object);
  return parsed.success ? framed({ kind: "response", response: parsed.data }) : wrong(object, parsed.error);
}

function framed(frame: RpcFrame): Decoded<RpcFrame> {
  return { kind: "frame", frame };
}

function wrong(object: JsonObject, error: SchemaError): Decoded<RpcFrame> {
  return { kind: "fault", fault: whatIsWrong(plainWord(object.method ?? "response"), error, object) };
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const { message } = objectOf(error);
  return typeof message === "string" ? message : JSON.stringify(error);
}
