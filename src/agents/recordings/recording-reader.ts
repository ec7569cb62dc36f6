// Reads a recording line by line. An invalid line is a fault; a torn last line is what a kill leaves behind, and is ignored.

import { open } from "node:fs/promises";
import type { Fault } from "../../contract/errors.js";
import { objectOf } from "../../contract/json-value.js";
import { linesCommandSchema } from "../../contract/lines-commands.js";
import { sessionEventSchema } from "../../contract/session-events.js";
import { faultOf, type JsonObject, readLine } from "../dialects/frames/json-frame.js";
import { createLineSplitter, type RawLine } from "../dialects/frames/line-splitter.js";
import { RECORDING_VERSION, type RecordingEntry } from "./recording.js";

export type RecordingItem = { kind: "entry"; entry: RecordingEntry } | { kind: "fault"; fault: Fault };

const CHUNK_BYTES = 256 * 1024;

/** Throws when the file cannot be read or is not a recording. */
export async function* readRecording(path: string): AsyncGenerator<RecordingItem> {
  let isFirst = true;
  for await (const line of linesOf(path)) {
    const item = itemOf(line);
    if (isFirst) checkHeader(path, item);
    isFirst = false;
    if (item !== null) yield item;
  }
  if (isFirst) throw new Error(`${path} is empty`);
}

// A last line without a newline counts only if it is complete.
async function* linesOf(path: string): AsyncGenerator<RawLine> {
  const splitter = createLineSplitter();
  const file = await open(path, "r");
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      yield* splitter.push(chunk.subarray(0, bytesRead));
    }
    for (const line of splitter.end()) if (readLine(line).kind === "object") yield line;
  } finally {
    await file.close();
  }
}

function checkHeader(path: string, item: RecordingItem | null): void {
  const entry = item?.kind === "entry" ? item.entry : null;
  if (entry?.dir !== "meta" || entry.kind !== "recording") throw new Error(`${path} is not a Palaver recording`);
  if (entry.version > RECORDING_VERSION) throw new Error(`${path} was recorded by a newer Palaver (${entry.palaver})`);
}

function itemOf(line: RawLine): RecordingItem | null {
  const content = readLine(line);
  if (content.kind === "blank") return null;
  if (content.kind === "fault") return content;
  if (content.kind === "text") return fault("a line that is not JSON", content.text);
  const entry = entryOf(content.object);
  return entry === null
    ? fault("an entry of an unknown type", JSON.stringify(content.object))
    : { kind: "entry", entry };
}

function fault(words: string, source: string): RecordingItem {
  return { kind: "fault", fault: faultOf("invalidFrame", `in the recording: ${words}`, source) };
}

function entryOf(object: JsonObject): RecordingEntry | null {
  const { dir } = object;
  const t = typeof object["t"] === "number" && object["t"] >= 0 ? object["t"] : 0;
  if (dir === "in") {
    const { data } = sessionEventSchema.safeParse(object["event"]);
    return data === undefined ? null : { t, dir, event: data };
  }
  if (dir === "out") {
    const { data } = linesCommandSchema.safeParse(object["command"]);
    const secret = object["secret"] === true ? { secret: true as const } : {};
    return data === undefined ? null : { t, dir, command: data, ...secret };
  }
  return dir === "meta" ? metaOf(object, t) : null;
}

function metaOf(object: JsonObject, t: number): RecordingEntry | null {
  const { kind, code, version, agent, palaver, startedAt, size } = object;
  if (kind === "exited") return { t, dir: "meta", kind, code: typeof code === "number" ? code : null };
  if (kind !== "recording" || typeof version !== "number") return null;
  const { columns, rows } = objectOf(size);
  return {
    t,
    dir: "meta",
    kind,
    version,
    agent: typeof agent === "string" ? agent : "agent",
    palaver: typeof palaver === "string" ? palaver : "",
    startedAt: typeof startedAt === "string" ? startedAt : "",
    size: { columns: countOr(80, columns), rows: countOr(24, rows) },
  };
}

function countOr(usual: number, value: unknown): number {
  return typeof value === "number" && value > 0 ? value : usual;
}
