// The attached view in one terminal, from start to end: takes over the terminal, follows the daemon, and restores the terminal
// however it ends. The daemon only sees a client disconnect.
import { startWatchdog, type Watchdog } from "../../system/after-kill.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { KeyStream } from "../../terminal/device/key-stream.js";
import { GIVE_KEYBOARD_BACK } from "../../terminal/device/modes.js";
import { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import { headRows } from "../../terminal/painter/attach/attach-frame.js";
import { RESCUE_BYTES } from "../../terminal/painter/handover.js";
import { hintIn } from "../../terminal/painter/style/theme-choice.js";
import { type Edited, editInEditor } from "../inline/external-editor.js";
import { LEAVE_FULL_SCREEN } from "../inline/full-modes.js";
import { historyPath, openHistory } from "../inline/history-file.js";
import { PacedScreen } from "../inline/paced-screen.js";
import type { RunPorts } from "../inline/run-in-terminal.js";
import { AttachApp } from "./attach-app.js";
import type { AttachDaemon } from "./attach-daemon.js";
import { SessionTabs } from "./session-tabs.js";

export interface AttachPorts extends Omit<RunPorts, "callWay" | "screen" | "warnings" | "settings" | "change"> {
  readonly wallMs: () => number;
}

const AFTER_KILL = LEAVE_FULL_SCREEN + RESCUE_BYTES + GIVE_KEYBOARD_BACK;
const SUSPEND = "\x1a";
const FRAME_INTERVAL_MS = 16;

/** Resolves when the user has left; rejects when the daemon refuses us, with the terminal given back before. */
export function runAttach(daemon: AttachDaemon, ports: AttachPorts): Promise<void> {
  return new Promise((resolve, reject) => new AttachSession(daemon, ports, { resolve, reject }).start());
}

class AttachSession {
  private readonly ports: AttachPorts;
  private readonly done: { resolve(): void; reject(error: unknown): void };
  private readonly terminal: OwnedTerminal;
  private readonly screen: PacedScreen;
  private readonly app: AttachApp;
  private readonly sessions: SessionTabs;
  private readonly guard: ExitGuard;
  private readonly keys: KeyStream;
  private watchdog: Watchdog | null = null;
  private state: "running" | "leaving" = "running";

  constructor(daemon: AttachDaemon, ports: AttachPorts, done: AttachSession["done"]) {
    this.ports = ports;
    this.done = done;
    const { clock, wallMs, look, typingGuardMs } = ports;
    this.terminal = this.createTerminal();
    this.keys = new KeyStream((sequence) => (sequence === SUSPEND ? this.guard.stop() : this.app.key(sequence)));
    this.app = new AttachApp({
      clock,
      wallMs,
      daemon,
      look,
      typingGuardMs,
      screen: () => this.screen,
      sessions: () => this.sessions,
      leave: () => void this.leave(),
    });
    this.screen = new PacedScreen({
      frameIntervalMs: FRAME_INTERVAL_MS,
      apply: (bytes) => this.terminal.write(bytes),
      clock,
      size: this.terminal.size,
      view: (size) => this.app.frame(size),
      mouse: () => ports.look.mouse ?? "wheel",
    });
    this.sessions = this.createSessions(daemon);
    this.guard = this.createGuard();
  }

  start(): void {
    this.guard.arm();
    this.watchdog = startWatchdog(AFTER_KILL);
    this.terminal.start();
    this.screen.open();
    this.terminal.onInput((chunk) => this.keys.read(chunk));
    this.app.run().then(
      () => undefined,
      (error: unknown) => void this.leave(error),
    );
  }

  private createTerminal(): OwnedTerminal {
    const { input, output, environment, clock, events } = this.ports;
    return new OwnedTerminal(
      { input, output, environment, timers: clock, windowEvents: events },
      {
        onKeyboard: (protocol) => {
          this.keys.protocol = protocol;
        },
        onResize: (size) => this.app.resize(size),
        onProfile: () => undefined,
        onDrained: () => {
          this.screen.drained();
          this.app.draw("now");
        },
        onInputClosed: () => void this.leave(),
        onGround: (sequence) => this.groundKnown(sequence),
      },
    );
  }

  private createSessions(daemon: AttachDaemon): SessionTabs {
    const { environment, keymap, folder, look, clock, typingGuardMs, exportTranscript } = this.ports;
    const { columns, rows } = this.terminal.size;
    return new SessionTabs({
      look,
      clock,
      keymap,
      folder,
      typingGuardMs,
      exportTranscript,
      shell: environment["SHELL"] || "sh",
      history: openHistory(historyPath(environment), folder),
      size: { columns, rows: rows - headRows({ columns, rows }) },
      isSeen: () => this.screen.isSeen,
      draw: (urgency) => this.app.draw(urgency),
      redraw: () => this.screen.resize(this.screen.size),
      screenWanted: (change) => (change === "given" ? this.screen.close() : this.screen.open()),
      daemon,
      write: (bytes) => this.terminal.write(bytes),
      leave: () => void this.leave(),
      edit: (text) => this.edit(text),
    });
  }

  private groundKnown(sequence: string): void {
    const hint = hintIn(sequence);
    if (hint === null) return;
    this.ports.onGround(hint);
    this.sessions.restyle();
    this.app.draw("soon");
  }

  private async edit(text: string): Promise<Edited> {
    this.sessions.inFront?.renderer.closeOverlays();
    this.screen.close();
    this.terminal.stop();
    const edited = await editInEditor(this.ports.editor, text);
    this.terminal.start();
    this.screen.open();
    this.app.resize(this.terminal.size);
    return edited;
  }

  private createGuard(): ExitGuard {
    return new ExitGuard(this.ports.events, {
      timers: this.ports.clock,
      giveBack: () => {
        this.watchdog?.dismiss();
        this.watchdog = null;
        this.sessions.inFront?.renderer.closeOverlays();
        this.screen.close();
        this.terminal.write(RESCUE_BYTES);
        this.terminal.stop();
      },
      takeAgain: () => {
        this.watchdog = startWatchdog(AFTER_KILL);
        this.terminal.start();
        this.screen.open();
        this.app.resize(this.terminal.size);
      },
    });
  }

  private async leave(error?: unknown): Promise<void> {
    if (this.state === "leaving") return;
    this.state = "leaving";
    this.sessions.inFront?.renderer.closeOverlays();
    this.app.close();
    this.screen.close();
    await this.terminal.whenAnswered();
    // A process that was stopped and continued meanwhile has taken it once more.
    this.screen.close();
    this.terminal.stop();
    this.keys.close();
    this.guard.disarm();
    this.watchdog?.dismiss();
    if (error === undefined) this.done.resolve();
    else this.done.reject(error);
  }
}
