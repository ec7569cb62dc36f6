// A recording on disk: a new file, private to its owner, written in batches. A kill loses the last moment and leaves at
// most one torn line. A disk that is full ends the recording with a word, not the conversation.

import { closeSync, openSync, writeSync } from "node:fs";
import { errorMessage } from "../../contract/plain-word.js";

export interface RecordingFile {
  write(line: string): void;
  close(): void;
}

/** How long a line may wait for others, and how much may wait. */
const BATCH_MS = 200;
const BATCH_UNITS_MAX = 64 * 1024;

/** Throws when there is such a file already, or none can be made: nothing is overwritten. */
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
      // The first line says what the file is; a file without it could not be played at all.
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
