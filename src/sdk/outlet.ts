// Both ends of a wire. Frames are written to a stream that may be slow, full or closed: writing never throws and never holds
// more than its maximum. A frame that does not fit is refused, and the caller decides whether that is an error or a loss to
// report.
import type { Decoded, FrameDecoder } from "../agents/dialects/frames/frame-decoder.js";
import type { SendResult } from "./pending-dialogs.js";

// Declared here in full, so that the types of the package need no others.
type Listener = (value: unknown) => void;

/** A readable stream of Node. */
export interface ReadableLike {
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
  pause(): unknown;
}

/** A writable stream of Node. */
export interface WritableLike {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  write(text: string): boolean;
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
}

/** How much may wait for a reader that does not read. */
const OUTLET_BYTES_MAX = 64 * 1024 * 1024;

export type Outlet = {
  send(text: string): SendResult;
  /** Resolves when the reader has caught up, or is gone. */
  drained(): Promise<void>;
};

export function createOutlet(
  output: WritableLike,
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
  input: ReadableLike,
  decoder: FrameDecoder<Frame>,
  handlers: { onDecoded(decoded: Decoded<Frame>): void; onEnd(): void },
): () => void {
  const onData = (chunk: unknown) => {
    const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
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
  input.on("data", onData);
  input.on("end", onEnd);
  input.on("error", onGone);
  input.on("close", onGone);
  return () => {
    input.off("data", onData);
    input.off("end", onEnd);
    input.off("close", onGone);
    input.pause();
  };
}
