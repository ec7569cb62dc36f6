// Every frame of every wire, with every attack in every field, through its real dialect and the real terminal UI. The frames are
// the corpus of the fuzzers, which knows the words that a schema leaves open, and samples of the schemas, which leave no field out.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { acpRequestSchemas, acpUpdateSchema } from "../../src/contract/acp.js";
import { claudeFrameSchemas } from "../../src/contract/claude.js";
import { codeliaEventSchemas, codeliaNotices, codeliaUiSchemas } from "../../src/contract/codelia.js";
import { codexItemSchemas, codexNotices, codexRequestSchemas } from "../../src/contract/codex.js";
import { linesOutputSchema } from "../../src/contract/lines-outputs.js";
import { piFrameSchemas, piUiSchemas } from "../../src/contract/pi.js";
import { rpcNotificationSchema, rpcRequestSchema } from "../../src/contract/rpc.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { readCorpus } from "../rigs/fuzz/corpus-files.js";
import { dialectNamed } from "../rigs/fuzz/targets/dialect-targets.js";
import { verifies } from "../verifies.js";
import { ATTACK } from "./attack-words.js";
import { faces } from "./faces.js";
import { samplesOf } from "./schema-samples.js";

type Json = Record<string, unknown>;

const corpusFolder = join(import.meta.dirname, "..", "fuzz", "corpus");
const words = () => `w${ATTACK}`;

/** By these a dialect knows what a frame is; with an attack in them it is an unknown one, which is tried apart. */
const NAMES =
  /^(?:type|subtype|method|sessionUpdate|jsonrpc|id|sessionId|session_id|request_id|requestId|kind|role|status|run_id|threadId|itemId|toolCallId|tool_call_id|tool_use_id|toolName|say|performed)$/;

/** The frames of a wire that its schemas describe, as they would be on it. */
const schemaFrames: Readonly<Record<string, () => Json[]>> = {
  "lines-dialect": () => samplesOf(linesOutputSchema, words) as Json[],
  "bare-rpc": () => [...samplesOf(rpcRequestSchema, words), ...samplesOf(rpcNotificationSchema, words)] as Json[],
  claude: () => tagged(claudeFrameSchemas, (type, body) => ({ ...body, type })),
  pi: () => [
    ...tagged(piFrameSchemas, (type, body) => ({ ...body, type })),
    ...tagged(piUiSchemas, (method, body) => ({ ...body, type: "extension_ui_request", id: `u-${method}`, method })),
  ],
  codelia: () => [
    ...tagged(codeliaEventSchemas, (type, body) => ({
      method: "agent.event",
      params: { run_id: "r1", seq: 1, event: { ...body, type } },
    })),
    ...tagged(codeliaNotices, (method, params) => ({ method, params })),
    ...tagged(codeliaUiSchemas, (method, params) => ({ id: `u-${method}`, method, params })),
  ],
  codex: () => [
    ...tagged(codexItemSchemas, (type, body) => ({ method: "item/completed", params: { item: { ...body, type } } })),
    ...tagged(codexNotices, (method, params) => ({ method, params: { ...params, threadId: "t1" } })),
    ...tagged(codexRequestSchemas, (method, params) => ({ id: `r-${method}`, method, params })),
  ],
  acp: () => [
    ...(samplesOf(acpUpdateSchema, words) as Json[]).map((update) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s1", update },
    })),
    ...tagged(acpRequestSchemas, (method, params) => ({
      jsonrpc: "2.0",
      id: `r-${method}`,
      method,
      params: { ...params, sessionId: "s1" },
    })),
  ],
};

function tagged(schemas: Readonly<Record<string, z.ZodType>>, frame: (name: string, body: Json) => Json): Json[] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    samplesOf(schema, words).map((body) => frame(name, body as Json)),
  );
}

/** The same frame with the attack in every word of it; the names of things only where they are the point. */
function attacked(value: unknown, names: "kept" | "attacked", key = ""): unknown {
  if (typeof value === "string") return names === "kept" && NAMES.test(key) ? value : `${value}${ATTACK}`;
  if (Array.isArray(value)) return value.map((item) => attacked(item, names, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, attacked(item, names, name)]));
}

function corpusOf(name: string): Json[][] {
  return readCorpus(corpusFolder, name).inputs.map((input) =>
    new TextDecoder()
      .decode(input)
      .split("\n")
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as Json];
        } catch {
          return [];
        }
      }),
  );
}

/** Plays the lines of a corpus to a dialect and what it says of them to the terminal UI; each frame is looked at. */
async function play(name: string, frames: readonly Json[]): Promise<string[]> {
  const open = faces["the inline screen"];
  if (open === undefined) throw new Error("there is no inline screen");
  const face = await open();
  const before = face.state();
  const talk = dialectNamed(name);
  const strange: string[] = [];
  const hear = async (events: readonly SessionEvent[], frame: Json) => {
    for (const event of events) await face.hear(event);
    const found = await face.strange();
    if (found.length > 0) strange.push(`${JSON.stringify(frame).slice(0, 200)}: ${found.join(" ")}`);
    const open = events.flatMap((event) => (event.type === "ask.raised" ? [event.ask.id] : []));
    for (const askId of open) {
      await face.hear({ type: "ask.withdrawn", sessionId: null, askId, reason: "agent_cancelled" });
    }
  };
  for (const frame of frames) await hear(talk(frame), frame);
  expect(face.state()).toEqual(before);
  return strange;
}

describe.each(Object.keys(schemaFrames))("%s", (name) => {
  const corpora = corpusOf(name);

  test("cannot touch the terminal with any word of the frames it is known to send", async () => {
    verifies("text.cannot-act");
    for (const names of ["kept", "attacked"] as const) {
      for (const lines of corpora) {
        // What the front end says stays as it is: without it nothing is asked and nothing is opened.
        const frames = lines.map((line) => ("say" in line ? line : (attacked(line, names) as Json)));
        expect(await play(name, frames)).toEqual([]);
      }
    }
  });

  test("cannot touch the terminal with any field of its schemas", async () => {
    const [opening = []] = corpora;
    expect(await play(name, [...opening.slice(0, 6), ...(schemaFrames[name]?.() ?? [])])).toEqual([]);
  });
});
