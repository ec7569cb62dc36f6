// Decodes JSON lines: bytes to lines, lines to objects, objects to frames by a function of the wire. Nothing throws and nothing
// is lost: what is not a frame is text or a fault.
import type { Fault } from "../../../contract/errors.js";
import { FRAME_BYTES_MAX } from "../../../contract/limits.js";
import { type JsonObject, readLine } from "./json-frame.js";
import { createLineSplitter, type RawLine, type UnfinishedLine } from "./line-splitter.js";

export type Decoded<Frame> =
  | { kind: "frame"; frame: Frame }
  /** A line that is not JSON: a prompt in one direction, a log line in the other. */
  | { kind: "text"; text: string }
  | { kind: "fault"; fault: Fault };

export type FrameDecoder<Frame> = {
  push(chunk: Uint8Array): Decoded<Frame>[];
  /** The stream ended; a last line without a newline counts. */
  end(): Decoded<Frame>[];
  /** The line that is not complete. */
  readonly unfinished: UnfinishedLine;
};

export function createFrameDecoder<Frame>(
  decode: (object: JsonObject) => Decoded<Frame>,
  frameBytesMax: number = FRAME_BYTES_MAX,
): FrameDecoder<Frame> {
  const splitter = createLineSplitter({ lineBytesMax: frameBytesMax });
  const decodeAll = (lines: RawLine[]): Decoded<Frame>[] => {
    const decoded: Decoded<Frame>[] = [];
    for (const line of lines) {
      const content = readLine(line);
      if (content.kind === "object") decoded.push(decode(content.object));
      else if (content.kind !== "blank") decoded.push(content);
    }
    return decoded;
  };
  return {
    push: (chunk) => decodeAll(splitter.push(chunk)),
    end: () => decodeAll(splitter.end()),
    unfinished: splitter.unfinished,
  };
}
