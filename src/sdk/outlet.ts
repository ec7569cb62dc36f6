// Writes frames to a stream that may be slow, full or gone. It never throws and never holds more than its maximum:
// what does not fit is refused, and the caller decides whether that is an error or a loss that has to be told.
import type { Writable } from "node:stream";
import type { SendResult } from "./pending-dialogs.js";

/** How much may wait for a reader that does not read. */
const OUTLET_BYTES_MAX = 64 * 1024 * 1024;

export type Outlet = {
  send(text: string): SendResult;
  /** Resolves when the reader has caught up, or is gone. */
  drained(): Promise<void>;
};

export function createOutlet(
  output: Writable,
  options: { bytesMax?: number | undefined; onClosed?: () => void; onDrained?: () => void } = {},
): Outlet {
  const { bytesMax = OUTLET_BYTES_MAX, onClosed = () => {}, onDrained = () => {} } = options;
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    onClosed();
  };
  output.on("error", close);
  output.on("close", close);
  output.on("drain", onDrained);
  return {
    send(text) {
      if (closed || output.destroyed || output.writableEnded) return "closed";
      if (output.writableLength + text.length > bytesMax && output.writableLength > 0) return "full";
      output.write(text);
      return "sent";
    },
    drained() {
      if (closed || !output.writableNeedDrain) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          for (const event of ["drain", "close", "error"]) output.off(event, done);
          resolve();
        };
        for (const event of ["drain", "close", "error"]) output.on(event, done);
      });
    },
  };
}
