// What every decoder of JSON lines has in common: bytes become lines, lines become objects, and a wire's own function
// says what an object means. Nothing here throws, and nothing is lost: what is no frame comes out as text or a fault.
import type { Fault } from "../../../contract/errors.js";
import { type JsonObject, readLine } from "./json-frame.js";
import { createLineSplitter, type RawLine, type UnfinishedLine } from "./line-splitter.js";

export type Decoded<Frame> =
  | { kind: "frame"; frame: Frame }
  /** A line that is no frame and no broken one either: a prompt in one direction, a log line in the other. */
  | { kind: "text"; text: string }
  | { kind: "fault"; fault: Fault };

export type FrameDecoder<Frame> = {
  push(chunk: Uint8Array): Decoded<Frame>[];
  /** The stream is over; a last line without a newline counts. */
  end(): Decoded<Frame>[];
  /** The beginning of a line whose end has not come yet. */
  readonly unfinished: UnfinishedLine;
};

export type FrameDecoderOptions = { frameBytesMax?: number };

export function createFrameDecoder<Frame>(
  { frameBytesMax }: FrameDecoderOptions,
  decode: (object: JsonObject) => Decoded<Frame>,
): FrameDecoder<Frame> {
  const splitter = createLineSplitter(frameBytesMax === undefined ? {} : { lineBytesMax: frameBytesMax });
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
