// Takes what the terminal has still to answer when we go: left in the queue, the shell would take it for typing. It waits
// without the event loop, because in the last moments of a process that does not run any more.
import { closeSync, constants, openSync, readSync } from "node:fs";

const LOOK_EVERY_MS = 2;
const CHUNK_BYTES = 4_096;

/**
 * Asks, and returns when `isLast` says so of all that came, when no answer can come any more, or when the limit has passed.
 * Where the answer could not be read, because no more files can be opened, nothing is asked.
 */
export function takeLateAnswers(ask: () => void, isLast: (text: string) => boolean, limitMs: number): void {
  const terminal = openTerminal();
  if (terminal === null) return;
  ask();
  const deadlineMs = performance.now() + limitMs;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let text = "";
  while (!isLast(text) && performance.now() < deadlineMs) {
    const sizeBytes = readNow(terminal, chunk);
    if (sizeBytes === "gone") break;
    if (sizeBytes === "nothing yet") pause(LOOK_EVERY_MS);
    else text += chunk.toString("latin1", 0, sizeBytes);
  }
  closeSync(terminal);
}

// Opened anew, so that not waiting is a matter of this file alone and of nobody who shares the standard streams.
function openTerminal(): number | null {
  try {
    return openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

function readNow(terminal: number, chunk: Buffer): number | "nothing yet" | "gone" {
  try {
    return readSync(terminal, chunk) || "gone";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN" ? "nothing yet" : "gone";
  }
}

function pause(delayMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
}
