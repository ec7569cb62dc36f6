// The reader of recordings: a file is read to its end or refused in words, whatever is in it, and what is read fits.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRecording } from "../../../../src/agents/recordings/recording-reader.js";
import { broken, type FuzzTarget } from "../fuzz-target.js";

const HEADER =
  '{"t":0,"dir":"meta","kind":"recording","version":1,"palaver":"0","agent":"a","startedAt":"","size":{"columns":80,"rows":24}}\n';
const LAST = '\n{"t":5,"dir":"in","event":{"type":"turn.started","sessionId":null}}\n';

export const recordingTarget: FuzzTarget = { name: "recording", shape: "json-lines", check };

async function check(bytes: Uint8Array): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "palaver-fuzz-"));
  try {
    await readAny(join(folder, "any"), bytes);
    await readBehindHeader(join(folder, "behind"), bytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readAny(path: string, bytes: Uint8Array): Promise<void> {
  writeFileSync(path, bytes);
  try {
    for await (const item of readRecording(path)) void item;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith(path)) throw error;
  }
}

// Behind a good first line nothing is a reason to stop.
async function readBehindHeader(path: string, bytes: Uint8Array): Promise<void> {
  writeFileSync(path, Buffer.concat([Buffer.from(HEADER), bytes, Buffer.from(LAST)]));
  let last = "";
  for await (const item of readRecording(path)) last = JSON.stringify(item);
  if (!last.includes("turn.started")) broken("the last entry is not read");
}
