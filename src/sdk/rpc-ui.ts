// The rpc adapter: bare objects over any pair of streams, with a reader of its own. When the input ends, open dialogs
// fail at once; signals still go out, because the output may still be read.
import { createRpcDecoder, encodeRpc, readRpcResponse } from "../agents/dialects/rpc/rpc-codec.js";
import type { Fault } from "../contract/errors.js";
import type { Timers } from "../system/timers.js";
import { createOutlet, type ReadableLike, readFrames, type WritableLike } from "./outlet.js";
import type { UI } from "./ui.js";
import { createWiredUi } from "./wired-ui.js";

export type RpcUiOptions = {
  input: ReadableLike;
  output: WritableLike;
  /** For dialogs that name no time of their own. */
  timeoutMs?: number;
  frameBytesMax?: number;
  outletBytesMax?: number;
  pendingMax?: number;
  timers?: Timers;
  newId?: () => string;
  /** A line that is not an answer, or an answer to a question that is not open. */
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
    onClosed: () => dialogs.close("connection_closed"),
    onDrained: tellLosses,
  });
  const { ui, dialogs } = createWiredUi({
    timeoutMs,
    pendingMax,
    timers,
    newId,
    sendRequest: (request) => outlet.send(encodeRpc(request)),
    sendCancel: (id, reason) => void outlet.send(encodeRpc({ method: "cancel", params: { id, reason } })),
    sendSignal(signal) {
      if (outlet.send(encodeRpc(signal)) === "full") leftOut += 1;
    },
  });

  function tellLosses(): void {
    if (leftOut === 0) return;
    const message = `${leftOut} updates were left out while the output was not read`;
    leftOut = 0;
    ui.notify(message, "warn");
  }

  const decoder = createRpcDecoder(options.frameBytesMax);
  const stopReading = readFrames(input, decoder, {
    onDecoded(decoded) {
      if (decoded.kind === "fault") return onFault(decoded.fault);
      if (decoded.kind === "text") return onFault(stray("a line that is not JSON", decoded.text));
      if (decoded.frame.kind !== "response")
        return onFault(stray("a frame that is not an answer", JSON.stringify(decoded.frame)));
      const { response } = decoded.frame;
      if (dialogs.reply(String(response.id), readRpcResponse(response)) === "unknown") {
        onFault(stray("an answer to a question that is not open", String(response.id)));
      }
    },
    onEnd: () => dialogs.close("connection_closed"),
  });
  return {
    ...ui,
    close() {
      dialogs.close("server_shutdown");
      stopReading();
    },
  };
}

function stray(message: string, source: string): Fault {
  return { name: "invalidFrame", message, excerpt: source.slice(0, 160) };
}
