// One agent in one terminal, from start to end: takes the terminal, draws the first frame, and only then loads the rest, so
// that the user sees the prompt at once and nothing typed meanwhile is lost. However it ends, the terminal is given back.

import type { Connection, EngineClock } from "../../session/engine/source.js";
import type { Keymap } from "../../session/keymap.js";
import type { SavedSessions } from "../../session/saved-session.js";
import type { Journal } from "../../session/transcript/journal.js";
import { startWatchdog, type Watchdog } from "../../system/after-kill.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import type { KeyStream } from "../../terminal/device/key-stream.js";
import { GIVE_KEYBOARD_BACK } from "../../terminal/device/modes.js";
import { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import type { InputStream, OutputStream, ProcessEvents } from "../../terminal/device/streams.js";
import { RESCUE_BYTES } from "../../terminal/painter/handover.js";
import { InlineScreen } from "../../terminal/painter/inline-screen.js";
import { type CellSize, USUAL_CELL } from "../../terminal/painter/pictures/picture-mark.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { ERASE_BELOW } from "../../terminal/painter/sequences.js";
import { type GroundHints, hintIn } from "../../terminal/painter/style/theme-choice.js";
import type { ImageQueue } from "../../terminal/pictures/image-queue.js";
import type { AppStart } from "./app.js";
import type { AppLook } from "./app-look.js";
import { AttentionCaller, type CallWay, PROGRESS_OFF, showsProgress } from "./attention-caller.js";
import type { Edited } from "./external-editor.js";
import { firstFrame } from "./first-frame.js";
import { LEAVE_FULL_SCREEN } from "./full-modes.js";
import type { ScreenRenderer } from "./screen-renderer.js";
import type { Setting } from "./slash-runner.js";
import type { Surface } from "./surface.js";
import type { TerminalSurface } from "./terminal-surface.js";

/** The agent as a view sees it; `onHeard` is called when there are no more events for now. */
export interface ViewedAgent {
  readonly name: string;
  connect(ports: { readonly clock: EngineClock; onHeard(): void }): Promise<Connection>;
}

export interface RunPorts extends AppStart {
  readonly input: InputStream;
  readonly output: OutputStream;
  readonly events: ProcessEvents;
  readonly environment: Environment;
  readonly folder: string;
  readonly clock: EngineClock;
  readonly look: AppLook;
  readonly callWay: CallWay;
  readonly keymap: Keymap;
  /** The command that opens an editor. */
  readonly editor: string;
  readonly screen: "inline" | "full" | "reader";
  readonly typingGuardMs: number;
  /** The terminal's background is known, or another one now. */
  onGround(hint: GroundHints): void;
  settings(): readonly Setting[];
  /** Keeps a setting for the next time; words when that was not possible. What it changes here is `look`'s business. */
  change(key: string, value: string, use?: "tried"): string | null;
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
  readonly saved?: SavedSessions | undefined;
  /** Opens the session to a browser; `say` gets the address, and what came of it. */
  readonly pair?: ((say: (words: string) => void) => void) | undefined;
}

/**
 * What the watchdog writes when we could not: the live area goes, and every mode is as it was. The shell may have written
 * its prompt already; then the cursor stands behind that, and what is erased below it is still only ours.
 */
const AFTER_KILL = `${ERASE_BELOW}${RESCUE_BYTES}${GIVE_KEYBOARD_BACK}`;

/** Resolves when the user has left and the agent is gone. */
export function runInTerminal(agent: ViewedAgent, ports: RunPorts): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new TerminalSession(agent, ports, resolve);
    // Not even our own files could be read, perhaps; the words about it need the terminal.
    session.start().catch((error: unknown) => session.close().finally(() => reject(error)));
  });
}

class TerminalSession {
  private readonly agent: ViewedAgent;
  private readonly ports: RunPorts;
  private readonly onLeft: () => void;
  private readonly terminal: OwnedTerminal;
  /** The surface of the renderer once it is loaded; the first frame needs only the inline screen. */
  private surface: TerminalSurface | null = null;
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
  private renderer: ScreenRenderer | null = null;
  private connection: Connection | null = null;
  private state: "running" | "leaving" = "running";

  constructor(agent: ViewedAgent, ports: RunPorts, onLeft: () => void) {
    this.agent = agent;
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
        onResize: (size) => (this.renderer ?? this.screen).resize(size),
        onProfile: (profile) => {
          this.screen.setProfile(profile);
          if (this.renderer === null) this.draw("now");
          else this.renderer.restyle();
        },
        onCursorColumn: (column) => this.inline.cursorSeen(column),
        onDrained: () => (this.renderer ?? this.screen).drained(),
        onInputClosed: () => void this.leave(),
        onGround: (sequence) => this.groundKnown(sequence),
        onCell: (cell) => {
          this.cell = cell;
          if (this.pictures !== null) this.pictures.cell = cell;
        },
        // No keys are read yet: what is typed shows all the same.
        onTooEarly: () => this.draw("now"),
      },
    );
    this.inline = new InlineScreen({
      apply: (bytes) => this.terminal.write(this.pictures?.placed(bytes) ?? bytes),
      measure: () => this.terminal.measure(),
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
      firstFrame(this.agent.name, this.terminal.early, columns - 1, this.ports.look),
    );
    this.draw("now");
    const {
      TerminalSurface: Surface,
      openAppOptions,
      ScreenRenderer: Renderer,
      KeyStream: Keys,
      imageQueueFor,
      rehearseTyping,
      REHEARSAL_DELAY_MS,
    } = await import("./loaded-later.js");
    const { terminal, attention, inline, ports } = this;
    const connection = await this.agent.connect({ clock: ports.clock, onHeard: () => this.surface?.drawDue() });
    if (this.isLeaving) return;
    const pictures = imageQueueFor(ports.environment, () => terminal.size);
    if (pictures !== null) pictures.cell = this.cell;
    this.pictures = pictures;
    const surface = new Surface({
      inline,
      apply: (bytes) => terminal.write(bytes),
      clock: ports.clock,
      look: ports.look,
      keymap: ports.keymap,
      onAlternate: (use) => this.guardAgainstKill(use),
    });
    this.surface = surface;
    const { exportTranscript, settings, clock, saved, pair } = ports;
    const options = openAppOptions(this.agent.name, ports);
    const { source } = connection;
    const renderer = new Renderer(options, {
      ...{ source, exportTranscript, settings, clock, saved, pair, terminal, attention, pictures, surface },
      restart: () => connection.restart(),
      change: (...changed) => this.change(...changed),
      leave: () => void this.leave(),
      suspend: () => this.guard.stop(),
      edit: (text) => this.edit(text),
    });
    this.connection = connection;
    this.renderer = renderer;
    if (ports.screen === "full") surface.setMode("full");
    const keys = new Keys(renderer.key);
    keys.protocol = this.protocol;
    this.keys = keys;
    // What was typed so far comes first, so that the first frame of the renderer shows it as the one before did.
    this.terminal.onInput(keys.read);
    renderer.app.start(ports);
    ports.clock.after(REHEARSAL_DELAY_MS, () => rehearseTyping(ports.look));
    await connection.open();
  }

  /** Gives the terminal back and ends the agent; nothing of it keeps the process alive. */
  async close(): Promise<void> {
    this.state = "leaving";
    this.connection?.catchUp();
    (this.renderer ?? this.screen).close();
    this.attention.end();
    await this.terminal.whenAnswered();
    this.terminal.stop();
    this.keys?.close();
    this.guard.disarm();
    this.watchdog?.dismiss();
    await Promise.all([this.connection?.close(), this.renderer?.app.endDraft()]);
  }

  private get screen(): Surface {
    return this.surface ?? this.inline;
  }

  // "full" and "inline" change places at once; the reader is another program, for the next time.
  private change(...[key, value, use]: Parameters<RunPorts["change"]>): string | null {
    const trouble = this.ports.change(key, value, use);
    if (trouble === null && key === "screen" && value !== "reader")
      this.surface?.setMode(value === "full" ? "full" : "inline");
    return trouble;
  }

  private guardAgainstKill(alternate: "entered" | "left"): void {
    // While the terminal is given back it is not watched.
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
    if (this.renderer === null) this.draw("soon");
    else this.renderer.restyle();
  }

  private async edit(text: string): Promise<Edited> {
    const { editInEditor } = await import("./external-editor.js");
    this.suspend();
    this.terminal.stop();
    const edited = await editInEditor(this.ports.editor, text);
    this.resume();
    return edited;
  }

  private suspend(): void {
    this.renderer?.closeOverlays();
    this.screen.suspend();
  }

  private resume(): void {
    this.terminal.start();
    // The window may have changed while we were away, and resuming begins with its width.
    (this.renderer ?? this.screen).resize(this.terminal.size);
    this.screen.resume();
  }

  private createGuard(): ExitGuard {
    return new ExitGuard(this.ports.events, {
      giveBack: () => {
        this.watchdog?.dismiss();
        this.watchdog = null;
        this.suspend();
        this.attention.end();
        this.terminal.write(RESCUE_BYTES);
        this.terminal.stop();
      },
      beforeTheEnd: () => {
        this.connection?.catchUp();
        this.renderer?.settleOpen();
      },
      takeAgain: () => {
        // Before the screens come back: entering the alternate one again tells it so.
        this.watchdog = startWatchdog(AFTER_KILL + PROGRESS_OFF);
        this.resume();
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
