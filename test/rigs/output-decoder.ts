// Decodes what an agent writes on the lines wire, frame by frame, for tests that read an agent without its link.
import { createFrameDecoder, type FrameDecoder } from "../../src/agents/dialects/frames/frame-decoder.js";
import { decodeOutput } from "../../src/agents/dialects/lines/lines-codec.js";
import type { LinesOutput } from "../../src/contract/lines-outputs.js";

export function createOutputDecoder(): FrameDecoder<LinesOutput> {
  return createFrameDecoder(decodeOutput);
}
