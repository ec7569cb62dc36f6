// The user's terminal, even if the standard streams are redirected: the controlling terminal of this process, opened for each
// dialog and closed after it, so that input meant for other programs is not read.
import { closeSync, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { terminalPlace } from "../../terminal/device/exit-guard.js";
import type { ProcessEvents } from "../../terminal/device/streams.js";

export interface TerminalStreams {
  readonly input: ReadStream;
  readonly output: WriteStream;
  close(): void;
}

const TERMINAL = "/dev/tty";

/** Null when this process has no terminal, or another one has it now. */
export function openTerminalStreams(): TerminalStreams | null {
  if (terminalPlace() !== "foreground") return null;
  let [reading, writing] = [-1, -1];
  try {
    reading = openSync(TERMINAL, "r");
    writing = openSync(TERMINAL, "w");
    const input = new ReadStream(reading);
    const output = new WriteStream(writing);
    for (const stream of [input, output]) stream.on("error", () => undefined);
    const measure = () => refreshSize(output);
    process.prependListener("SIGWINCH", measure);
    return {
      input,
      output,
      close() {
        process.off("SIGWINCH", measure);
        input.destroy();
        output.destroy();
      },
    };
  } catch {
    for (const fd of [reading, writing]) if (fd >= 0) closeQuietly(fd);
    return null;
  }
}

/** Whether there is a terminal to ask on. Opening the terminal is the only way to know. */
export function hasTerminal(): boolean {
  const streams = openTerminalStreams();
  streams?.close();
  return streams !== null;
}

/** All endings but Ctrl+C from outside, which belongs to the run. */
export const endingsWithoutInterrupt: ProcessEvents = {
  get pid() {
    return process.pid;
  },
  on: (event, listener) => (event === "SIGINT" ? undefined : process.on(event, listener)),
  off: (event, listener) => process.off(event, listener),
  kill: (pid, signal) => process.kill(pid, signal),
};

// Node measures a terminal by itself only when it is one of the standard streams.
function refreshSize(output: WriteStream & { _refreshSize?: () => void }): void {
  output._refreshSize?.();
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The stream that was made of it has closed it.
  }
}
