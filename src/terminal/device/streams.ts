// The parts of `process.stdin`, `process.stdout` and `process` that the terminal port uses, as small interfaces for
// tests.

export interface InputStream {
  readonly isTTY?: boolean | undefined;
  setRawMode?(mode: boolean): unknown;
  setEncoding(encoding: "utf8"): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: "data", listener: (chunk: string) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  off(event: "data", listener: (chunk: string) => void): unknown;
  off(event: "end" | "close", listener: () => void): unknown;
}

export interface OutputStream {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** Node's own measurement of the window. */
  _refreshSize?(): void;
  /** False when the stream buffers: "drain" will follow. */
  write(bytes: string): boolean;
  on(event: "resize" | "drain", listener: () => void): unknown;
  off(event: "resize" | "drain", listener: () => void): unknown;
}

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
type SignalName = EndingSignal | "SIGTSTP" | "SIGCONT" | "SIGWINCH";

export interface ProcessEvents {
  readonly pid: number;
  on(event: SignalName | "exit" | "uncaughtExceptionMonitor", listener: () => void): unknown;
  off(event: SignalName | "exit" | "uncaughtExceptionMonitor", listener: () => void): unknown;
  kill(pid: number, signal: string): unknown;
}

export interface Timers {
  after(delayMs: number, run: () => void): () => void;
}
