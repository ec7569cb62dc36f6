// A recording on disk: a new private file, written in batches. A kill loses the last batch and leaves at most one torn line. A
// full disk ends the recording with a message, not the conversation.

import { closeSync, openSync, writeSync } from "node:fs";
import { errorMessage } from "../../contract/plain-word.js";

export interface RecordingFile {
  write(line: string): void;
  close(): void;
}

/** How long and how much a batch may wait. */
const BATCH_MS = 200;
const BATCH_UNITS_MAX = 64 * 1024;

/** Throws when the file exists or cannot be created. */
export function createRecordingFile(
  path: string,
  onProblem: (words: string) => void,
  put: (file: number, bytes: Buffer) => void = writeWhole,
): RecordingFile {
  const file = openNew(path);
  let waiting = "";
  let isBegun = false;
  let state: "open" | "closed" = "open";
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const batch = waiting;
    waiting = "";
    if (batch === "" || state === "closed") return;
    try {
      put(file, Buffer.from(batch));
    } catch (error) {
      close();
      onProblem(`the recording ${path} ends here: ${errorMessage(error)}`);
    }
  }

  function close(): void {
    if (state === "closed") return;
    flush();
    state = "closed";
    process.off("exit", flush);
    closeSync(file);
  }

  process.on("exit", flush);
  return {
    write(line) {
      if (state === "closed") return;
      waiting += line;
      // The header is written at once; without it the file cannot be played.
      if (!isBegun || waiting.length >= BATCH_UNITS_MAX) flush();
      else timer ??= setTimeout(flush, BATCH_MS).unref();
      isBegun = true;
    },
    close,
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Error(`${path} exists already; a recording overwrites nothing`);
    throw error;
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
