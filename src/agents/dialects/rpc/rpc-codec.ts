// The rpc wire: bytes ⇄ bare objects. A method with an id is a request, a method without one a notification, anything else
// with an id a response.

import type * as z from "zod";
import { objectOf } from "../../../contract/json-value.js";
import { currentNotice, currentQuestion } from "../../../contract/lines-version-1.js";
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
import { createFrameDecoder, type Decoded, type FrameDecoder } from "../frames/frame-decoder.js";
import { faultOf, type JsonObject, whatIsWrong, writeLine } from "../frames/json-frame.js";

// The names of 0.1 are still read.
export function readRpcRequest(frame: JsonObject) {
  const { params } = frame;
  return rpcRequestSchema.safeParse(params === undefined ? frame : { ...frame, params: currentQuestion(params) });
}

export function readRpcNotification(frame: JsonObject) {
  const { method, params } = frame;
  return rpcNotificationSchema.safeParse(method === "notify" ? { ...frame, params: currentNotice(params) } : frame);
}

export function createRpcDecoder(frameBytesMax?: number): FrameDecoder<RpcFrame> {
  return createFrameDecoder(decodeObject, frameBytesMax);
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
  const { id, method } = object;
  const hasId = id !== undefined && id !== null;
  if (method === undefined && !hasId) {
    return { kind: "fault", fault: faultOf("invalidFrame", "an object with neither method nor id", writeLine(object)) };
  }
  if (method === undefined) {
    return checked(rpcResponseSchema.safeParse(object), object, (response) => ({ kind: "response", response }));
  }
  if (hasId) return checked(readRpcRequest(object), object, (request) => ({ kind: "request", request }));
  return checked(readRpcNotification(object), object, (notification) => ({ kind: "notification", notification }));
}

function checked<Data>(
  parsed: z.ZodSafeParseResult<Data>,
  object: JsonObject,
  framed: (data: Data) => RpcFrame,
): Decoded<RpcFrame> {
  if (parsed.success) return { kind: "frame", frame: framed(parsed.data) };
  return { kind: "fault", fault: whatIsWrong(plainWord(object.method ?? "response"), parsed.error, object) };
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const { message } = objectOf(error);
  return typeof message === "string" ? message : JSON.stringify(error);
}
