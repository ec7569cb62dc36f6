// One agent and somebody who listens, from start to end: takes the terminal's keyboard, opens the connection, and gives the
// terminal back however it ends. Nothing is drawn, so there is little to take away.

import type { Connection } from "../../session/engine/source.js";
import { startWatchdog, type Watchdog } from "../../system/after-kill.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { KeyStream } from "../../terminal/device/key-stream.js";
import type { AppPorts } from "../inline/app.js";
import type { RunPorts } from "../inline/run-in-terminal.js";
import { isDumbTerminal } from "./dumb-terminal.js";
import type { ReaderApp, ReaderOptions } from "./reader-app.js";
import { ReaderTerminal } from "./reader-terminal.js";

/** What the reader has of its own, for whoever makes the app. */
export type ReaderHost = Pick<ReaderOptions, "columns" | "clipboard" | "bell"> &
  Pick<AppPorts, "terminal" | "leave" | "edit">;

export type ReaderRunPorts = Pick<
  RunPorts,
  "input" | "output" | "events" | "environment" | "clock" | "callWay" | "editor" | "warnings"
>;

/** Resolves when the person has left and the agent is gone. */
export function runReader(
  ports: ReaderRunPorts,
  connection: Connection,
  createApp: (host: ReaderHost) => ReaderApp,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new ReaderSession(ports, connection, createApp, resolve);
    session.start().catch((error: unknown) => session.close().finally(() => reject(error)));
  });
}

class ReaderSession {
  private readonly ports: ReaderRunPorts;
  private readonly onLeft: () => void;
  private readonly terminal: ReaderTerminal;
  private readonly guard: ExitGuard;
  private readonly keys: KeyStream;
  private readonly connection: Connection;
  private readonly app: ReaderApp;
  private watchdog: Watchdog | null = null;
  private state: "running" | "leaving" = "running";

  constructor(
    ports: ReaderRunPorts,
    connection: Connection,
    createApp: (host: ReaderHost) => ReaderApp,
    onLeft: () => void,
  ) {
    this.ports = ports;
    this.connection = connection;
    this.onLeft = onLeft;
    const isDumb = isDumbTerminal(ports.environment);
    this.keys = new KeyStream((sequence) => (sequence === "\x1a" ? this.guard.stop() : this.app.key(sequence)));
    this.terminal = new ReaderTerminal({
      input: ports.input,
      output: ports.output,
      windowEvents: ports.events,
      modes: isDumb ? "none" : "paste",
      onKeys: (chunk) => this.keys.read(chunk),
      onColumns: (columns) => this.app.resize({ columns, rows: 0 }),
      onDrained: () => this.app.drained(),
      onInputClosed: () => void this.leave(),
    });
    this.app = createApp({
      columns: this.terminal.columns,
      clipboard: isDumb ? "none" : "osc52",
      bell: ports.callWay === "off" ? "off" : "on",
      terminal: this.terminal,
      leave: () => void this.leave(),
      edit: (text) => this.edit(text),
    });
    this.guard = this.createGuard();
  }

  async start(): Promise<void> {
    this.guard.arm();
    this.takeTerminal();
    for (const text of this.ports.warnings) this.connection.source.dispatch({ type: "notice", level: "warn", text });
    this.app.app.recoverDraft();
    this.app.draw();
    await this.connection.open();
  }

  /** Gives the terminal back and ends the agent; nothing of it keeps the process alive. */
  async close(): Promise<void> {
    this.state = "leaving";
    this.connection.catchUp();
    this.app.close();
    this.keys.close();
    this.guard.disarm();
    this.giveTerminal();
    await this.connection.close();
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
        this.app.pause();
        this.giveTerminal();
      },
      beforeTheEnd: () => {
        this.connection.catchUp();
        this.app.sayOpen();
      },
      takeAgain: () => {
        this.takeTerminal();
        this.app.resize({ columns: this.terminal.columns, rows: 0 });
        this.app.goOn();
      },
      timers: this.ports.clock,
    });
  }

  private async edit(text: string): ReturnType<AppPorts["edit"]> {
    const { editInEditor } = await import("../inline/external-editor.js");
    this.app.pause();
    this.terminal.stop();
    const edited = await editInEditor(this.ports.editor, text);
    this.terminal.start();
    this.app.goOn();
    return edited;
  }

  private async leave(): Promise<void> {
    if (this.state === "leaving") return;
    await this.close();
    this.onLeft();
  }
}
