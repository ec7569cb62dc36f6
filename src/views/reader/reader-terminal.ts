// The terminal while the reader has it: raw keys, the width, and a way out. It asks the terminal nothing and switches on one
// mode only, so that a paste comes whole; a terminal that has no modes at all gets not even that.
import type { InputStream, OutputStream, ProcessEvents } from "../../terminal/device/streams.js";

const BRACKETED_PASTE_ON = "\x1b[?2004h";
const BRACKETED_PASTE_OFF = "\x1b[?2004l";
const FALLBACK_COLUMNS = 80;

export interface ReaderTerminalParts {
  readonly input: InputStream;
  readonly output: OutputStream;
  readonly windowEvents: Pick<ProcessEvents, "on" | "off">;
  /** "none" for a terminal such as "dumb", which would print the sequences. */
  readonly modes: "paste" | "none";
  onKeys(chunk: string): void;
  onColumns(columns: number): void;
  onDrained(): void;
  onInputClosed(): void;
}

export class ReaderTerminal {
  private readonly parts: ReaderTerminalParts;
  private state: "ours" | "the shell's" = "the shell's";

  constructor(parts: ReaderTerminalParts) {
    this.parts = parts;
  }

  get columns(): number {
    return this.parts.output.columns || FALLBACK_COLUMNS;
  }

  /** What a watchdog writes when we no longer can. */
  get rescue(): string {
    return this.parts.modes === "paste" ? BRACKETED_PASTE_OFF : "";
  }

  start(): void {
    if (this.state === "ours") return;
    this.state = "ours";
    const { input, output, windowEvents, modes } = this.parts;
    input.setRawMode?.(true);
    input.setEncoding("utf8");
    input.on("data", this.onData);
    input.on("end", this.onEnd);
    output.on("drain", this.onDrain);
    windowEvents.on("SIGWINCH", this.onResize);
    input.resume();
    if (modes === "paste") this.write(BRACKETED_PASTE_ON);
  }

  stop(): void {
    if (this.state === "the shell's") return;
    this.state = "the shell's";
    const { input, output, windowEvents, modes } = this.parts;
    input.off("data", this.onData);
    input.off("end", this.onEnd);
    output.off("drain", this.onDrain);
    windowEvents.off("SIGWINCH", this.onResize);
    if (modes === "paste") this.write(BRACKETED_PASTE_OFF);
    input.pause();
    input.setRawMode?.(false);
  }

  write(bytes: string): "drained" | "full" {
    return this.parts.output.write(bytes) ? "drained" : "full";
  }

  private readonly onData = (chunk: string): void => this.parts.onKeys(chunk);
  private readonly onEnd = (): void => this.parts.onInputClosed();
  private readonly onDrain = (): void => this.parts.onDrained();
  private readonly onResize = (): void => this.parts.onColumns(this.columns);
}
