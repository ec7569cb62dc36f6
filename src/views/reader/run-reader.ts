// The terminal UI with a screen reader, from start to end: takes the keyboard, opens the connection, and restores the terminal
// however it ends. Nothing is drawn, so there is little to restore.
import type { Connection } from "../../session/engine/source.js";
import { startWatchdog, type Watchdog } from "../../system/after-kill.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { KeyStream } from "../../terminal/device/key-stream.js";
import type { InputStream, OutputStream, ProcessEvents } from "../../terminal/device/streams.js";
import { openAppOptions } from "../inline/app-options.js";
import type { Edited } from "../inline/external-editor.js";
import type { RunPorts, ViewedAgent } from "../inline/run-in-terminal.js";
import { isDumbTerminal } from "./dumb-terminal.js";
import { SpeechRenderer } from "./speech-renderer.js";

/** Resolves when the user has left and the agent is gone. */
export async function runReader(agent: ViewedAgent, ports: RunPorts): Promise<void> {
  const connection = await agent.connect({ clock: ports.clock, onHeard: () => undefined });
  return new Promise((resolve, reject) => {
    const session = new ReaderSession(agent.name, ports, connection, resolve);
    session.start().catch((error: unknown) => session.close().finally(() => reject(error)));
  });
}

class ReaderSession {
  private readonly ports: RunPorts;
  private readonly onLeft: () => void;
  private readonly terminal: ReaderTerminal;
  private readonly guard: ExitGuard;
  private readonly keys: KeyStream;
  private readonly connection: Connection;
  private readonly renderer: SpeechRenderer;
  private watchdog: Watchdog | null = null;
  private state: "running" | "leaving" = "running";

  constructor(agent: string, ports: RunPorts, connection: Connection, onLeft: () => void) {
    this.ports = ports;
    this.connection = connection;
    this.onLeft = onLeft;
    const isDumb = isDumbTerminal(ports.environment);
    this.keys = new KeyStream((sequence) => (sequence === "\x1a" ? this.guard.stop() : this.renderer.key(sequence)));
    this.terminal = new ReaderTerminal({
      input: ports.input,
      output: ports.output,
      windowEvents: ports.events,
      modes: isDumb ? "none" : "paste",
      onKeys: (chunk) => this.keys.read(chunk),
      onColumns: (columns) => this.renderer.resize({ columns, rows: 0 }),
      onDrained: () => this.renderer.drained(),
      onInputClosed: () => void this.leave(),
    });
    const { terminal } = this;
    const options = {
      ...openAppOptions(agent, ports),
      columns: terminal.columns,
      clipboard: isDumb ? "none" : "osc52",
      bell: ports.callWay === "off" ? "off" : "on",
    } as const;
    this.renderer = new SpeechRenderer(options, {
      ...ports,
      source: connection.source,
      terminal,
      restart: () => connection.restart(),
      leave: () => void this.leave(),
      edit: (text) => this.edit(text),
    });
    this.guard = this.createGuard();
  }

  async start(): Promise<void> {
    this.guard.arm();
    this.takeTerminal();
    this.renderer.app.start(this.ports);
    await this.connection.open();
  }

  /** Gives the terminal back and ends the agent; nothing of it keeps the process alive. */
  async close(): Promise<void> {
    this.state = "leaving";
    this.connection.catchUp();
    this.renderer.close();
    this.keys.close();
    this.guard.disarm();
    this.giveTerminal();
    await Promise.all([this.connection.close(), this.renderer.app.endDraft()]);
  }

  private takeTerminal(): void {
    this.watchdog = startWatchdog(this.terminal.rescue);
    this.terminal.start();
  }

  private giveTerminal(): void {
    this.terminal.stop();
    this.watchdog?.dismiss();
    this.watchdog = null;
  }

  private createGuard(): ExitGuard {
    return new ExitGuard(this.ports.events, {
      giveBack: () => {
        this.renderer.suspend();
        this.giveTerminal();
      },
      beforeTheEnd: () => {
        this.connection.catchUp();
        this.renderer.settleOpen();
      },
      takeAgain: () => {
        this.takeTerminal();
        this.renderer.resize({ columns: this.terminal.columns, rows: 0 });
        this.renderer.resume();
      },
      timers: this.ports.clock,
    });
  }

  private async edit(text: string): Promise<Edited> {
    const { editInEditor } = await import("../inline/external-editor.js");
    this.renderer.suspend();
    this.terminal.stop();
    const edited = await editInEditor(this.ports.editor, text);
    this.terminal.start();
    this.renderer.resume();
    return edited;
  }

  private async leave(): Promise<void> {
    if (this.state === "leaving") return;
    await this.close();
    this.onLeft();
  }
}

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

/**
 * Raw keys, the width, and a way out. It asks the terminal nothing and switches on one mode only, so that a paste comes whole; a
 * terminal that has no modes at all gets not even that.
 */
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
