// The app as rows on a screen: what is settled goes into the scrollback, the rest is drawn below it. This file decides what has
// the keyboard.
import type { Change } from "../../session/engine/engine-messages.js";
import { isWorking, type SessionState } from "../../session/engine/engine-state.js";
import type { KeyAction } from "../../session/keymap.js";
import { type SessionFacts, startingFacts } from "../../session/session-facts.js";
import type { OpenSession } from "../../session/session-list.js";
import { availableCommands, isCommand } from "../../session/slash-command.js";
import type { BlockChange } from "../../session/transcript/block.js";
import { hostTui } from "../../terminal/component-host.js";
import type { KeyPlace } from "../../terminal/device/key-stream.js";
import { isKeyRelease, keyName } from "../../terminal/dialogs/key-names.js";
import type { Frame, Size } from "../../terminal/painter/frame.js";
import { wheelRows } from "../../terminal/painter/full/wheel.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { documentOf } from "../../terminal/painter/viewer/transcript-document.js";
import type { ImageQueue } from "../../terminal/pictures/image-queue.js";
import { safeLine } from "../../text/safe.js";
import { App, type AppOptions, type AppPorts, type Renderer } from "./app.js";
import { AppAsks } from "./app-asks.js";
import type { AppLook } from "./app-look.js";
import type { AttentionCaller } from "./attention-caller.js";
import { Composer, type Written } from "./composer.js";
import { KeyActions } from "./key-actions.js";
import { type LiveAreaParts, liveArea } from "./live-area.js";
import { Overlays } from "./overlays.js";
import type { Surface } from "./surface.js";
import { TranscriptViews } from "./transcript-views.js";
import type { Welcome } from "./welcome.js";

export interface ScreenPorts extends AppPorts {
  readonly surface: Surface;
  readonly attention: Pick<AttentionCaller, "update">;
  /** null where pictures are only words. */
  readonly pictures?: Pick<ImageQueue, "linesFor"> | null;
  /** Gives the terminal back to the shell; missing where the terminal belongs to another view. */
  suspend?(): void;
}

const SUSPEND = "\x1a";
/** Head and live area of a session that is shown again. */
const ROWS_BESIDE_RECALLED = 8;
/** Long enough to read a line. */
const REMARK_MS = 4_000;

export class ScreenRenderer implements Renderer {
  readonly app: App;
  private readonly ports: ScreenPorts;
  private readonly options: AppOptions;
  private readonly views: TranscriptViews;
  private readonly area: LiveAreaParts;
  readonly asks: AppAsks;
  private readonly composer: Composer;
  private readonly overlays: Overlays;
  private readonly keyActions: KeyActions;
  private readonly spinner: Spinner;
  private isEnding = false;
  private remarked: { readonly text: string; readonly cancel: () => void } | null = null;
  private focus: "here" | "elsewhere" = "here";
  private offered: Pick<SessionFacts, "commands" | "supports" | "settings"> = startingFacts;
  private firstScreen: Welcome | null = null;

  constructor(options: AppOptions, ports: ScreenPorts) {
    this.ports = ports;
    this.options = options;
    this.app = new App(options, ports, this);
    const { look, folder, history, files } = options;
    this.views = new TranscriptViews({
      folder,
      look,
      clock: ports.clock,
      pictures: ports.pictures ?? null,
      foldedPrompt: (text) => this.composer.folded(text),
      windowRows: () => this.screen.size.rows,
      reflows: () => this.screen.reflows ?? false,
      settle: (lines) => this.screen.settle(lines),
      onMore: () => this.draw("soon"),
    });
    this.spinner = new Spinner({
      clock: ports.clock,
      look,
      isWorking: () => isWorking(ports.source.state) || this.views.of(this.active.key).isWorking,
      draw: () => this.draw("soon"),
    });
    const tui = hostTui({ size: () => this.screen.size, onRenderWanted: () => this.completionsArrived() });
    this.composer = new Composer({
      tui,
      look,
      folder,
      history,
      files,
      nowMs: () => this.app.nowMs,
      quietMs: options.typingGuardMs,
      onSubmit: this.app.submit,
      onTaken: () => ports.source.dispatch({ type: "suggestion.take" }),
    });
    this.overlays = new Overlays({ screen: ports.surface, look, write: (bytes) => ports.terminal.write(bytes) });
    this.keyActions = new KeyActions({
      app: this.app,
      screen: ports.surface,
      composer: this.composer,
      overlays: this.overlays,
      isAsking: () => this.asks.asking !== null,
    });
    this.asks = new AppAsks({
      ...ports,
      look,
      tui,
      folder,
      overlays: this.overlays,
      conversation: "running",
      typingGuardMs: options.typingGuardMs,
      draw: (urgency) => this.draw(urgency),
      toComposer: (sequence) => this.composerKey(sequence),
      hasDraft: () => this.composer.hasDraft,
    });
    const { views, asks, overlays, composer } = this;
    const { agent, home = "", keymap } = options;
    this.area = { agent, folder, home, look, source: ports.source, views, asks, overlays, composer, keymap };
    this.screen.setView((size) => this.frame(size));
  }

  get screen(): Surface {
    return this.ports.surface;
  }

  readonly key = (sequence: string, place: KeyPlace = "last"): void => {
    if (isKeyRelease(sequence)) return;
    const { controller } = this.asks;
    if (sequence === SUSPEND) {
      this.ports.suspend?.();
      return;
    }
    if (sequence === "\x1b[I" || sequence === "\x1b[O") this.focus = sequence === "\x1b[I" ? "here" : "elsewhere";
    else if (this.overlays.isOpen) {
      this.overlays.key(sequence);
      controller.typed();
    } else if (this.screen.key?.(sequence) === true) {
      if (wheelRows(sequence) === null) controller.typed();
      this.draw("soon");
      return;
    } else if (this.switchesSession(sequence)) {
      controller.typed(sequence);
      this.app.act(this.actionOf(sequence) ?? "next-session");
    } else if (controller.isIdle || this.isViEscape(sequence)) {
      controller.typed(sequence);
      this.composerKey(sequence);
      controller.rememberDraft();
      // A burst of letters, such as a paste without brackets, is drawn once.
      if (place === "more") return;
    } else controller.key(sequence);
    if (!this.overlays.isReading) this.draw("now");
  };

  /** Whether keys belong to something that is being written or chosen here. */
  get hasDraft(): boolean {
    return this.overlays.isOpen || this.asks.isEngaged || this.composer.hasDraft;
  }

  resize(size: Size): void {
    this.settle(size.columns);
    this.screen.resize(size);
    this.overlays.resize(size);
  }

  drained(): void {
    this.overlays.drained();
    this.screen.drained();
  }

  draw(urgency: "soon" | "now"): void {
    // Beside a question there is only what the user has written.
    this.composer.suggest(this.asks.controller.shown === null ? this.active.facts.suggestion : null);
    this.settle(this.screen.size.columns);
    this.screen.requestFrame(urgency);
    this.spinner.keepTurning();
    this.callAttention();
    if (urgency === "now") this.asks.controller.drawn();
  }

  /** The look changed: everything that is still to be drawn has the new one. */
  restyle(): void {
    this.views.restyle();
    this.composer.refresh();
    this.draw("now");
  }

  /** Closes what lies over the app; another program is about to get the terminal. */
  closeOverlays(): void {
    this.overlays.close();
  }

  /** The end has come in the middle of something: what the user has seen of it stays. */
  settleOpen(): void {
    this.isEnding = true;
    this.ports.source.dispatch({ type: "cut-short" });
    this.isEnding = false;
    this.views.settleAll(this.active.key, this.screen.size.columns);
  }

  close(): void {
    this.app.close();
    this.spinner.stop();
    this.forgetRemark();
    this.overlays.close();
    this.settleOpen();
    this.asks.close();
    this.screen.close();
  }

  get draft(): Written {
    return this.composer.draft;
  }

  set draft(written: Written) {
    this.composer.draft = written;
  }

  insert(text: string): void {
    this.composer.insert(text);
  }

  get errorLinesMax(): number {
    return this.options.look.outputLinesMax;
  }

  clear(): void {
    this.screen.clear();
  }

  remark(text: string, forMs = REMARK_MS): void {
    this.forgetRemark();
    const cancel = this.ports.clock.after(forMs, () => {
      this.remarked = null;
      this.draw("soon");
    });
    this.remarked = { text, cancel };
    this.draw("soon");
  }

  choose(...list: Parameters<Renderer["choose"]>): void {
    this.overlays.choose(...list);
  }

  welcome(welcome: Welcome): void {
    this.firstScreen = welcome;
    this.draw("soon");
  }

  search(words: string): void {
    const document = documentOf(this.active.journal, this.screen.size.columns - 1, this.options.look);
    this.overlays.read(document, { at: "end", search: words });
  }

  blockChanged(session: number, change: BlockChange): void {
    if (change.type === "grew" && session === this.active.key) this.spinner.wordsCame();
    this.views.of(session).follow(change);
  }

  followEnd(): void {
    this.screen.followEnd?.();
  }

  switched(): void {
    const { sessions } = this.ports.source.state;
    const { columns, rows } = this.screen.size;
    this.composer.suggest(null);
    const head = sessions.length > 1 ? this.sessionHead(this.active, sessions.indexOf(this.active)) : [];
    const last = this.views.lastShown(this.active, columns, rows - ROWS_BESIDE_RECALLED);
    this.screen.settle(last.length === 0 ? head : [...head, "", ...last]);
    this.views.of(this.active.key).begunBelow();
  }

  sessionEnded({ session, entry, place }: Extract<Change, { type: "session.gone" }>): void {
    this.views.settleUnseen(session, () => this.sessionHead(entry, place));
  }

  drop(session: number): void {
    this.views.drop(session);
  }

  followed(): void {
    this.offerCommands();
    if (!this.isEnding) this.draw("soon");
  }

  private forgetRemark(): void {
    this.remarked?.cancel();
    this.remarked = null;
  }

  private get active(): SessionState {
    return this.app.active;
  }

  private actionOf(sequence: string): KeyAction | null {
    return this.options.keymap.actionFor(keyName(sequence) ?? "");
  }

  // Also from within an answer, which waits in its session.
  private switchesSession(sequence: string): boolean {
    const action = this.actionOf(sequence);
    const isSwitch = action === "next-session" || action === "previous-session";
    return isSwitch && this.ports.source.state.sessions.length > 1;
  }

  private isViEscape(sequence: string): boolean {
    return this.composer.takesEscape && !this.asks.isEngaged && this.actionOf(sequence) === "abort";
  }

  private composerKey(sequence: string): void {
    const action = this.actionOf(sequence);
    if (this.keyActions.act(action)) return;
    if (action === "previous-line" || action === "next-line") this.composer.step(action === "next-line" ? 1 : -1);
    else this.composer.key(sequence);
    const { text, as } = this.composer.draft;
    // A recovered draft is the user's own, so that no command of an agent may be kept.
    this.options.draft.changed(as === "prompt" && isCommand(text) ? "" : text);
  }

  private settle(columns: number): void {
    this.views.settle(this.active.key, columns);
  }

  private frame(size: Size): Frame {
    const moment = { nowMs: this.app.nowMs, tick: this.spinner.picture };
    return liveArea(this.area, size, {
      moment,
      branch: this.app.branch,
      remark: this.remarked?.text ?? null,
      welcome: this.firstScreen,
    });
  }

  private completionsArrived(): void {
    this.composer.refresh();
    this.screen.requestFrame("soon");
  }

  private offerCommands(): void {
    const { commands, supports, settings } = this.active.facts;
    const { offered } = this;
    if (commands === offered.commands && supports === offered.supports && settings === offered.settings) return;
    this.offered = { commands, supports, settings };
    this.composer.offer(commands, availableCommands(this.offered));
  }

  private sessionHead({ name, cwd, id }: OpenSession, place: number): string[] {
    const words = `session ${place + 1}: ${safeLine(name || cwd?.split("/").at(-1) || id)}`;
    return ["", this.options.look.style.paint("dim", words)];
  }

  private callAttention(): void {
    const { facts } = this.active;
    this.ports.attention.update({
      agent: this.options.agent,
      agentTitle: facts.title,
      phase: facts.phase,
      asking: this.asks.asking,
      focus: this.focus,
    });
  }
}

// The spinner and the elapsed seconds, while an agent works. While all agents are idle nothing moves and nothing is written.

const TURN_MS = 100;
/** For the seconds alone. */
const REDUCED_TURN_MS = 1_000;

interface SpinnerPorts {
  readonly clock: ScreenClock;
  readonly look: Pick<AppLook, "motion">;
  isWorking(): boolean;
  draw(): void;
}

class Spinner {
  private readonly ports: SpinnerPorts;
  private turns = 0;
  private grownAtMs = Number.NEGATIVE_INFINITY;
  private cancelTurn: (() => void) | null = null;

  constructor(ports: SpinnerPorts) {
    this.ports = ports;
  }

  /** Which picture it is. */
  get picture(): number {
    return this.isReduced ? 0 : this.turns;
  }

  /** Words arrived, which are motion enough and draw themselves: it turns when nothing else moves. */
  wordsCame(): void {
    this.grownAtMs = this.ports.clock.nowMs();
  }

  /** To be called when an agent may have begun to work; it stops by itself. */
  keepTurning(): void {
    if (this.cancelTurn !== null || !this.ports.isWorking()) return;
    this.cancelTurn = this.ports.clock.after(this.isReduced ? REDUCED_TURN_MS : TURN_MS, () => this.turn());
  }

  stop(): void {
    this.cancelTurn?.();
  }

  private get isReduced(): boolean {
    return this.ports.look.motion === "reduced";
  }

  private turn(): void {
    this.cancelTurn = null;
    if (this.grownAtMs >= this.ports.clock.nowMs() - TURN_MS) this.keepTurning();
    else {
      this.turns += 1;
      this.ports.draw();
    }
  }
}
