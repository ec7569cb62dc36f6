// One agent and somebody who listens, from start to end: takes the terminal's keyboard, opens the connection, and gives the
// terminal back however it ends. Nothing is drawn, so there is little to take away.

import type { Connection } from "../../session/engine/source.js";
import { startWatchdog, type Watchdog } from "../../system/after-kill.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { KeyStream } from "../../terminal/device/key-stream.js";
import { openAppOptions } from "../inline/app-options.js";
import type { Edited } from "../inline/external-editor.js";
import type { RunPorts, ViewedAgent } from "../inline/run-in-terminal.js";
import { isDumbTerminal } from "./dumb-terminal.js";
import { ReaderTerminal } from "./reader-terminal.js";
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
    this.renderer.app.start(this.ports.warnings);
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
    await Promise.all([this.connection.close(), this.renderer.app.options.draft.end()]);
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
