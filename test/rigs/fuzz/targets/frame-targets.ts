// Decoders of JSON lines: the lines wire in both directions and the bare rpc wire. Nothing throws, every cut decodes the
// same, what is no frame is a fault with words, and a good frame behind any rubbish still arrives.

import {
  createFrameDecoder,
  type Decoded,
  type FrameDecoder,
} from "../../../../src/agents/dialects/frames/frame-decoder.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { createCommandDecoder } from "../../../../src/agents/dialects/lines/lines-codec.js";
import { createRpcDecoder, readRpcResponse } from "../../../../src/agents/dialects/rpc/rpc-codec.js";
import { createBareRpcDialect } from "../../../../src/agents/dialects/rpc/rpc-dialect.js";
import { spokenIn } from "../../../../src/agents/early-output.js";
import { createOutputDecoder } from "../../output-decoder.js";
import { cutsOf } from "../any-cut.js";
import { broken, expectSame, type FuzzTarget } from "../fuzz-target.js";

/** A small limit, so that overlong frames are common. */
const FRAME_BYTES_MAX = 6_000;
const FAULT_WORDS_MAX = 2_000;

type Create = (frameBytesMax: number) => FrameDecoder<unknown>;

export const frameTargets: readonly FuzzTarget[] = [
  { name: "lines-outputs", shape: "json-lines", check: (bytes) => check(bytes, createOutputDecoder, { type: "pong" }) },
  {
    name: "lines-commands",
    shape: "json-lines",
    check: (bytes) => check(bytes, createCommandDecoder, { type: "ping" }),
  },
  { name: "rpc", shape: "json-lines", check: checkRpc },
];

function check(bytes: Uint8Array, create: Create, good: object): void {
  const [whole = [], ...others] = cutsOf(bytes).map((cut) => decoded(cut, create));
  for (const other of others) expectSame("another cut", whole, other);
  for (const item of whole) if (item.kind === "fault") checkFault(item.fault);
  const behind = decoded([bytes, new TextEncoder().encode(`\n${JSON.stringify(good)}\n`)], create).at(-1);
  expectSame("a good frame behind it", behind?.kind === "frame" ? wordsOf(behind.frame) : behind, wordsOf(good));
}

function wordsOf(frame: unknown): string {
  return JSON.stringify(frame);
}

function checkFault({ message, excerpt }: { message: string; excerpt: string }): void {
  if (message === "") broken("a fault without words");
  if (message.length > FAULT_WORDS_MAX) broken(`a fault of ${message.length} characters`);
  if (excerpt.length > 400) broken(`an excerpt of ${excerpt.length} characters`);
}

function decoded(cut: readonly Uint8Array[], create: Create): Decoded<unknown>[] {
  const decoder = create(FRAME_BYTES_MAX);
  return [...cut.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

function checkRpc(bytes: Uint8Array): void {
  check(bytes, (frameBytesMax) => tagged(createRpcDecoder(frameBytesMax)), {
    method: "notify",
    params: { message: "x" },
  });
  const decoder = createFrameDecoder<JsonObject>((frame) => ({ kind: "frame", frame }));
  const dialect = createBareRpcDialect();
  dialect.open(0);
  for (const item of [...decoder.push(bytes), ...decoder.end()]) {
    if (item.kind === "frame") spokenIn(item.frame);
    dialect.read(item, 0);
  }
  dialect.close(0, 0);
}

// The decoder says what kind of frame it is; compared is what the frame carries.
function tagged(decoder: ReturnType<typeof createRpcDecoder>): FrameDecoder<unknown> {
  const bare = (items: ReturnType<typeof decoder.push>) =>
    items.map((item): Decoded<unknown> => {
      if (item.kind !== "frame") return item;
      const { frame } = item;
      if (frame.kind === "response") readRpcResponse(frame.response);
      return { kind: "frame", frame: Object.values(frame).find((part) => typeof part === "object") };
    });
  return { ...decoder, push: (chunk) => bare(decoder.push(chunk)), end: () => bare(decoder.end()) };
}
