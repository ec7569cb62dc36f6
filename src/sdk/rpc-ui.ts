// The rpc adapter: bare objects over any pair of streams, with a reader of its own. When the input ends, open dialogs
// fail at once; signals still go out, because whoever wrote the input may still be reading the output.
import type { Readable, Writable } from "node:stream";
import type { Decoded } from "../agents/dialects/frames/frame-decoder.js";
import { createRpcDecoder, encodeRpc, readRpcResponse } from "../agents/dialects/rpc/rpc-codec.js";
import type { Fault } from "../contract/errors.js";
import type { RpcFrame, RpcNotification, RpcRequest } from "../contract/rpc.js";
import type { Timers } from "../system/timers.js";
import { createOutlet } from "./outlet.js";
import { PendingDialogs } from "./pending-dialogs.js";
import type { UI } from "./ui.js";
import { createWiredUi, type Signal } from "./wired-ui.js";

export type RpcUiOptions = {
  input: Readable;
  output: Writable;
  /** For dialogs that name no time of their own. */
  timeoutMs?: number;
  frameBytesMax?: number;
  outletBytesMax?: number;
  pendingMax?: number;
  timers?: Timers;
  newId?: () => string;
  /** A line that was no answer, or an answer nobody waits for. */
  onFault?: (fault: Fault) => void;
};

export type RpcUi = UI & {
  /** Ends the conversation: open dialogs reject with `server_shutdown`, the reader stops. */
  close(): void;
};

export function createRpcUi(options: RpcUiOptions): RpcUi {
  const { input, output, timeoutMs, pendingMax, timers, newId, onFault = () => {} } = options;
  let leftOut = 0;
  const outlet = createOutlet(output, {
    bytesMax: options.outletBytesMax,
    onClosed: () => desk.close("connection_closed"),
    onDrained: tellLosses,
  });
  const desk = new PendingDialogs({
    timeoutMs,
    pendingMax,
    timers,
    newId,
    wire: {
      sendRequest(id, question, { timeoutMs: waitMs, origin }) {
        const limit = waitMs === null ? {} : { timeout_ms: waitMs };
        const request: RpcRequest = { id, ...question, ...limit, ...(origin === undefined ? {} : { origin }) };
        return outlet.send(encodeRpc(request));
      },
      sendCancel: (id, reason) => void outlet.send(encodeRpc({ method: "cancel", params: { id, reason } })),
    },
  });
  const ui = createWiredUi(desk, {
    sendSignal(signal) {
      if (outlet.send(encodeRpc(notificationOf(signal))) === "full") leftOut += 1;
    },
    skills: () => ({ form: true, multiSelect: true }),
  });

  function tellLosses(): void {
    if (leftOut === 0) return;
    const message = `${leftOut} updates were left out while nobody was reading`;
    leftOut = 0;
    ui.notify(message, "warn");
  }

  const stopReading = readFrames(input, options.frameBytesMax, {
    onDecoded(decoded) {
      if (decoded.kind === "fault") return onFault(decoded.fault);
      if (decoded.kind === "text") return onFault(stray("a line that is not JSON", decoded.text));
      if (decoded.frame.kind !== "response")
        return onFault(stray("a frame that is no answer", JSON.stringify(decoded.frame)));
      const { response } = decoded.frame;
      if (desk.reply(String(response.id), readRpcResponse(response)) === "unknown") {
        onFault(stray("an answer to a question that is not open", String(response.id)));
      }
    },
    onEnd: () => desk.close("connection_closed"),
  });
  return {
    ...ui,
    close() {
      desk.close("server_shutdown");
      stopReading();
    },
  };
}

function readFrames(
  input: Readable,
  frameBytesMax: number | undefined,
  handlers: { onDecoded(decoded: Decoded<RpcFrame>): void; onEnd(): void },
): () => void {
  const decoder = createRpcDecoder(frameBytesMax === undefined ? {} : { frameBytesMax });
  const onData = (chunk: Uint8Array | string) => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (const decoded of decoder.push(bytes)) handlers.onDecoded(decoded);
  };
  const onEnd = () => {
    for (const decoded of decoder.end()) handlers.onDecoded(decoded);
    handlers.onEnd();
  };
  // An input that fails is an input that ended: nobody will answer any more.
  const onGone = () => handlers.onEnd();
  input.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return () => {
    input.off("data", onData).off("end", onEnd).off("close", onGone);
    input.pause();
  };
}

function stray(message: string, source: string): Fault {
  return { name: "invalidFrame", message, excerpt: source.slice(0, 160) };
}

function notificationOf(signal: Signal): RpcNotification {
  switch (signal.name) {
    case "notify":
      return { method: "notify", params: { message: signal.message, type: signal.level } };
    case "setStatus":
      return { method: "set_status", params: { key: signal.key, text: signal.text } };
    case "setWidget":
      return { method: "set_widget", params: { key: signal.key, content: signal.content, opts: signal.opts } };
    case "setWorkingMessage":
      return { method: "set_working_message", params: { message: signal.message } };
    case "setTitle":
      return { method: "set_title", params: { title: signal.title } };
    case "setEditorText":
      return { method: "set_editor_text", params: { text: signal.text } };
  }
}
