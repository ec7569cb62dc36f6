// One agent in one terminal, from start to end: takes the terminal, draws the first frame, and only then loads the rest, so
// that a person sees the prompt at once and nothing he types meanwhile is lost. However it ends, the terminal is given back.

import type { DialectLinkHandlers, SessionLink } from "../../agents/dialect-link.js";
import type { AskOutcome } from "../../contract/asks.js";
import type { Keymap } from "../../session/keymap.js";
import type { Journal } from "../../session/transcript/journal.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import type { KeyStream } from "../../terminal/device/key-stream.js";
import { GIVE_KEYBOARD_BACK } from "../../terminal/device/modes.js";
import { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import type { InputStream, OutputStream, ProcessEvents } from "../../terminal/device/streams.js";
import { startWatchdog, type Watchdog } from "../../terminal/device/watchdog.js";
import { RESCUE_BYTES } from "../../terminal/painter/handover.js";
import { InlineScreen } from "../../terminal/painter/inline-screen.js";
import { type CellSize, USUAL_CELL } from "../../terminal/painter/pictures/picture-area.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { ERASE_BELOW } from "../../terminal/painter/sequences.js";
import { type GroundHints, hintIn } from "../../terminal/painter/style/theme-choice.js";
import type { ImageQueue } from "../../terminal/pictures/image-queue.js";
import type { AgentConnection } from "./agent-connection.js";
import type { AppLook } from "./app-look.js";
import { type CallWay, PROGRESS_OFF, showsProgress } from "./attention-bytes.js";
import { AttentionCaller } from "./attention-caller.js";
import type { Edited } from "./external-editor.js";
import { firstFrame } from "./first-frame.js";
import { LEAVE_FULL_SCREEN } from "./full-modes.js";
import type { Setting } from "./slash-runner.js";
import type { Surface } from "./surface.js";
import type { TerminalApp } from "./terminal-app.js";
import type { TerminalSurface } from "./terminal-surface.js";

export interface FrontHandlers extends DialectLinkHandlers {
  /** A question that is shown here was settled by somebody else. */
  onAskSettled(askId: string, outcome: AskOutcome): void;
}

/** Whom one talks to, and how he is reached. */
export interface AgentSource {
  readonly name: string;
  openLink(handlers: FrontHandlers): SessionLink | Promise<SessionLink>;
}

export interface RunPorts {
  readonly input: InputStream;
  readonly output: OutputStream;
  readonly events: ProcessEvents;
  readonly environment: Environment;
  readonly folder: string;
  readonly clock: { nowMs(): number; after(delayMs: number, run: () => void): () => void };
  readonly look: AppLook;
  readonly callWay: CallWay;
  readonly keymap: Keymap;
  /** The command that opens an editor. */
  readonly editor: string;
  readonly screen: "inline" | "full" | "reader";
  readonly typingGuardMs: number;
  /** What was wrong with the settings, told once. */
  readonly warnings: readonly string[];
  /** The terminal's background is known, or another one now. */
  onGround(hint: GroundHints): void;
  settings(): readonly Setting[];
  /** Keeps a setting for the next time; words when that was not possible. What it changes here is `look`'s business. */
  change(key: string, value: string): string | null;
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
}

/**
 * What the watchdog writes when we could not: the live area goes, and every mode is as it was. The shell may have written
 * its prompt already; then the cursor stands behind that, and what is erased below it is still only ours.
 */
const AFTER_KILL = `${ERASE_BELOW}${RESCUE_BYTES}${GIVE_KEYBOARD_BACK}`;

/** Resolves when the person has left and the agent is gone. */
export function runInTerminal(partner: AgentSource, ports: RunPorts): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new TerminalSession(partner, ports, resolve);
    // Not even our own files could be read, perhaps; the words about it need the terminal.
    session.start().catch((error: unknown) => session.close().finally(() => reject(error)));
  });
}

class TerminalSession {
  private readonly partner: AgentSource;
  private readonly ports: RunPorts;
  private readonly onLeft: () => void;
  private readonly terminal: OwnedTerminal;
  /** The face of the app once it is loaded; the first frame needs only the inline screen. */
  private face: TerminalSurface | null = null;
  private readonly inline: InlineScreen;
  private readonly guard: ExitGuard;
  private readonly attention: AttentionCaller;
  /** Where the terminal can show pictures. */
  private pictures: ImageQueue | null = null;
  private cell: CellSize = USUAL_CELL;
  private protocol: "kitty" | "legacy" = "legacy";
  private watchdog: Watchdog | null = null;
  /** What is loaded after the first frame. */
  private keys: KeyStream | null = null;
  private talk: AgentConnection<TerminalApp> | null = null;
  private state: "running" | "leaving" = "running";

  constructor(partner: AgentSource, ports: RunPorts, onLeft: () => void) {
    this.partner = partner;
    this.ports = ports;
    this.onLeft = onLeft;
    const { input, output, environment, clock, callWay } = ports;
    this.terminal = new OwnedTerminal(
      { input, output, environment, timers: clock, windowEvents: ports.events },
      {
        onKeyboard: (protocol) => {
          this.protocol = protocol;
          if (this.keys !== null) this.keys.protocol = protocol;
        },
        onResize: (size) => (this.talk?.app ?? this.screen).resize(size),
        onProfile: (profile) => {
          this.screen.setProfile(profile);
          (this.talk?.app ?? this).draw("now");
        },
        onCursorColumn: (column) => this.inline.cursorSeen(column),
        onDrained: () => (this.talk?.app ?? this.screen).drained(),
        onInputClosed: () => void this.leave(),
        onGround: (sequence) => this.groundKnown(sequence),
        onCell: (cell) => {
          this.cell = cell;
          if (this.pictures !== null) this.pictures.cell = cell;
        },
        // Nobody reads keys yet: what is typed shows all the same.
        onTooEarly: () => this.draw("now"),
      },
    );
    this.inline = new InlineScreen({
      apply: (bytes) => this.terminal.write(this.pictures?.placed(bytes) ?? bytes),
      look: () => this.terminal.look(),
      clock,
      size: this.terminal.size,
      profile: this.terminal.firstProfile,
      onViolation: "count",
    });
    this.attention = new AttentionCaller({
      write: (bytes) => void this.terminal.write(bytes),
      callWay,
      progress: showsProgress(environment),
    });
    this.guard = this.createGuard();
  }

  async start(): Promise<void> {
    this.guard.arm();
    // Before anything is changed, so that a kill finds it there.
    this.watchdog = startWatchdog(AFTER_KILL + PROGRESS_OFF);
    this.terminal.start();
    this.screen.setView(({ columns }) =>
      firstFrame(this.partner.name, this.terminal.early, columns - 1, this.ports.look),
    );
    this.draw("now");
    const {
      TerminalSurface: Surface,
      AgentConnection: Talk,
      TerminalApp: App,
      KeyStream: Keys,
      albumFor,
      rehearseTyping,
      REHEARSAL_DELAY_MS,
    } = await import("./loaded-later.js");
    if (this.isLeaving) return;
    const { terminal, attention, inline, ports } = this;
    const pictures = albumFor(ports.environment, () => terminal.size);
    if (pictures !== null) pictures.cell = this.cell;
    this.pictures = pictures;
    const face = new Surface({
      inline,
      apply: (bytes) => terminal.write(bytes),
      clock: ports.clock,
      look: ports.look,
      keymap: ports.keymap,
      onAlternate: (use) => this.guardAgainstKill(use),
    });
    this.face = face;
    this.talk = new Talk(this.partner, ports, (options, agent) => {
      const { exportTranscript, settings, clock } = ports;
      return new App(options, {
        ...agent,
        exportTranscript,
        settings,
        clock,
        terminal,
        attention,
        pictures,
        face,
        change: (key, value) => this.change(key, value),
        leave: () => void this.leave(),
        edit: (text) => this.edit(text),
      });
    });
    const { app } = this.talk;
    if (ports.screen === "full") face.setMode("full");
    const keys = new Keys((sequence) => (keyIsSuspend(sequence) ? this.guard.stop() : app.key(sequence)));
    keys.protocol = this.protocol;
    this.keys = keys;
    // What was typed so far comes first, so that the first frame of the app shows it as the one before did.
    this.terminal.onInput((chunk) => keys.read(chunk));
    for (const text of this.ports.warnings) this.talk.source.dispatch({ type: "notice", level: "warn", text });
    this.talk.recoverDraft();
    app.draw("now");
    ports.clock.after(REHEARSAL_DELAY_MS, () => rehearseTyping(ports.look));
    await this.talk.open();
  }

  /** Gives the terminal back and ends the agent; nothing of it keeps the process alive. */
  async close(): Promise<void> {
    this.state = "leaving";
    this.talk?.catchUp();
    if (this.talk === null) this.screen.close();
    else this.talk.app.close();
    this.attention.end();
    await this.terminal.whenAnswered();
    this.terminal.stop();
    this.keys?.close();
    this.guard.disarm();
    this.watchdog?.dismiss();
    await this.talk?.close();
  }

  private get screen(): Surface {
    return this.face ?? this.inline;
  }

  // "full" and "inline" change places at once; the reader is another program, for the next time.
  private change(key: string, value: string): string | null {
    const trouble = this.ports.change(key, value);
    if (trouble === null && key === "screen" && value !== "reader")
      this.face?.setMode(value === "full" ? "full" : "inline");
    return trouble;
  }

  private guardAgainstKill(alternate: "entered" | "left"): void {
    // While the terminal is given back nobody has to watch it.
    this.watchdog?.rescueWith((alternate === "entered" ? LEAVE_FULL_SCREEN : "") + AFTER_KILL + PROGRESS_OFF);
  }

  private get isLeaving(): boolean {
    return this.state === "leaving";
  }

  draw(urgency: "soon" | "now"): void {
    this.screen.requestFrame(urgency);
  }

  private groundKnown(sequence: string): void {
    const hint = hintIn(sequence);
    if (hint === null) return;
    this.ports.onGround(hint);
    if (this.talk === null) this.draw("soon");
    else this.talk.app.restyle();
  }

  private async edit(text: string): Promise<Edited> {
    const { editInEditor } = await import("./external-editor.js");
    this.talk?.app.closeOverlays();
    this.screen.suspend();
    this.terminal.stop();
    const edited = await editInEditor(this.ports.editor, text);
    this.terminal.start();
    (this.talk?.app ?? this.screen).resize(this.terminal.size);
    this.screen.resume();
    return edited;
  }

  private createGuard(): ExitGuard {
    return new ExitGuard(this.ports.events, {
      giveBack: () => {
        this.watchdog?.dismiss();
        this.watchdog = null;
        this.talk?.app.closeOverlays();
        this.screen.suspend();
        this.attention.end();
        this.terminal.write(RESCUE_BYTES);
        this.terminal.stop();
      },
      beforeTheEnd: () => {
        this.talk?.catchUp();
        this.talk?.app.settleOpen();
      },
      takeAgain: () => {
        // Before the screens come back: entering the alternate one again tells it so.
        this.watchdog = startWatchdog(AFTER_KILL + PROGRESS_OFF);
        this.terminal.start();
        // The window may have changed while we were away, and resuming begins with its width.
        (this.talk?.app ?? this.screen).resize(this.terminal.size);
        this.screen.resume();
      },
      timers: this.ports.clock,
    });
  }

  private async leave(): Promise<void> {
    if (this.state === "leaving") return;
    await this.close();
    this.onLeft();
  }
}

function keyIsSuspend(sequence: string): boolean {
  return sequence === "\x1a";
}
