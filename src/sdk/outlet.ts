// Both ends of a wire. Frames are written to a stream that may be slow, full or gone: it never throws and never holds more
// than its maximum; what does not fit is refused, and the caller decides whether that is an error or a loss to report.
import type { Readable, Writable } from "node:stream";
import type { Decoded, FrameDecoder } from "../agents/dialects/frames/frame-decoder.js";
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

/** Reads until the input ends, fails or is closed. The returned function stops reading. */
export function readFrames<Frame>(
  input: Readable,
  decoder: FrameDecoder<Frame>,
  handlers: { onDecoded(decoded: Decoded<Frame>): void; onEnd(): void },
): () => void {
  const onData = (chunk: Uint8Array | string) => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (const decoded of decoder.push(bytes)) handlers.onDecoded(decoded);
  };
  let isOver = false;
  // A stream that ended is closed after it, which is not a second end.
  const onGone = () => {
    if (!isOver) handlers.onEnd();
    isOver = true;
  };
  const onEnd = () => {
    for (const decoded of decoder.end()) handlers.onDecoded(decoded);
    onGone();
  };
  input.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return () => {
    input.off("data", onData).off("end", onEnd).off("close", onGone);
    input.pause();
  };
}
