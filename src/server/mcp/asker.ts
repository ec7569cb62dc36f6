// Who asks, read from one call: the client's name, the signals by which it cancels or is lost, and the way to tell it that the
// person still thinks. The two eras of the protocol say these things in different places.

import {
  CLIENT_INFO_META_KEY,
  type McpServer,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { WithdrawReason } from "../../contract/asks.js";
import { objectOf } from "../../contract/json-value.js";
import type { Asker } from "./open-questions.js";

const NAMELESS = "MCP client";
const NAME_CHARS_MAX = 80;

export function askerOf(context: ServerContext, server: McpServer): Asker {
  const request = context.http?.req;
  const signals = [context.mcpReq.signal, ...(request === undefined ? [] : [request.signal])];
  const signal = AbortSignal.any(signals);
  return {
    client: clientName(context, server),
    signal,
    // A connection that ends says so; everything else that aborts is the client's own wish.
    goneWhy(): WithdrawReason {
      const { reason } = context.mcpReq.signal;
      const isLost = reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
      return isLost || request?.signal.aborted === true ? "disconnected" : "agent_cancelled";
    },
    keepAlive: keepAliveOf(context),
  };
}

// The name is words from outside: it is cut here and made safe where it is shown.
function clientName({ mcpReq }: ServerContext, server: McpServer): string {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const told = envelope[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion();
  const { name } = objectOf(told);
  return typeof name === "string" && name.trim() !== "" ? name.slice(0, NAME_CHARS_MAX) : NAMELESS;
}

// Progress may only be told to those who gave a token for it; the others have the comments in the stream.
function keepAliveOf({ mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return () => {
    const params = { progressToken, progress, message: "waiting for the person" };
    progress += 1;
    // Whoever cannot be told any more will be noticed by the signal.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
