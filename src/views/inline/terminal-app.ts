// The terminal UI: it puts the state of its source on the screen and dispatches what the user wants. This file follows the
// changes and decides what has the keyboard.

import type { Change } from "../../session/engine/engine-messages.js";
import { activeSession, isWorking, type SessionState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import type { Keymap } from "../../session/keymap.js";
import type { AgentCommands } from "../../session/session-facts.js";
import type { OpenSession } from "../../session/session-list.js";
import { isCommand, readSlash } from "../../session/slash-command.js";
import type { Journal } from "../../session/transcript/journal.js";
import { hostTui } from "../../terminal/component-host.js";
import { clipboardBytes } from "../../terminal/device/modes.js";
import type { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import { isKeyRelease, keyName } from "../../terminal/dialogs/key-names.js";
import type { Frame, Size } from "../../terminal/painter/frame.js";
import { wheelRows } from "../../terminal/painter/full/wheel.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { documentOf } from "../../terminal/painter/viewer/transcript-document.js";
import type { ImageQueue } from "../../terminal/pictures/image-queue.js";
import { safeLine } from "../../text/safe.js";
import { AppAsks } from "./app-asks.js";
import type { AppLook } from "./app-look.js";
import type { AttentionCaller } from "./attention-caller.js";
import { Composer, type Written } from "./composer.js";
import type { DraftKeeper } from "./draft-file.js";
import type { Edited } from "./external-editor.js";
import type { PromptHistory } from "./history-file.js";
import { KeyActions, keyWords } from "./key-actions.js";
import { type LiveAreaParts, liveArea } from "./live-area.js";
import { Overlays } from "./overlays.js";
import { type Setting, SlashRunner } from "./slash-runner.js";
import { Spinner } from "./spinner.js";
import type { Surface } from "./surface.js";
import { TranscriptViews } from "./transcript-views.js";

export interface AppPorts {
  readonly source: Source;
  readonly clock: ScreenClock;
  readonly terminal: Pick<OwnedTerminal, "write">;
  readonly face: Surface;
  readonly attention: Pick<AttentionCaller, "update">;
  /** null where pictures are only words. */
  readonly pictures?: Pick<ImageQueue, "linesFor"> | null;
  /** The person wants to leave, or to start the agent again. */
  leave(): void;
  restart(): void;
  /** Gives the terminal to an editor, and takes it again. */
  edit(text: string): Promise<Edited>;
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
  settings(): readonly Setting[];
  change(key: string, value: string): string | null;
}

export interface AppOptions {
  readonly agent: string;
  readonly folder: string;
  readonly look: AppLook;
  readonly keymap: Keymap;
  readonly history: PromptHistory;
  /** What an @ completes; the files below the folder when nothing is said. */
  readonly files?: () => Promise<readonly string[]>;
  readonly draft: DraftKeeper;
  readonly shell: string;
  readonly typingGuardMs: number;
}

export class TerminalApp {
  private readonly ports: AppPorts;
  private readonly options: AppOptions;
  private readonly views: TranscriptViews;
  private readonly area: LiveAreaParts;
  private readonly asks: AppAsks;
  private readonly composer: Composer;
  private readonly slash: SlashRunner;
  private readonly overlays: Overlays;
  private readonly deeds: KeyActions;
  private readonly spinner: Spinner;
  private branch: string | null = null;
  private isClosed = false;
  private isEnding = false;
  private focus: "here" | "elsewhere" = "here";
  /** What stands in the composer of the sessions that are not active, by their keys. */
  private readonly drafts = new Map<number, Written>();
  private offered: AgentCommands = [];

  constructor(options: AppOptions, ports: AppPorts) {
    this.ports = ports;
    this.options = options;
    const { look, folder, history, files } = options;
    this.views = new TranscriptViews({
      look,
      clock: ports.clock,
      pictures: ports.pictures ?? null,
      settle: (lines) => this.screen.settle(lines),
      onMore: () => this.draw("soon"),
    });
    this.spinner = new Spinner({
      clock: ports.clock,
      look,
      isWorking: () => isWorking(ports.source.state) || this.views.of(this.active.key).isWorking,
      draw: () => this.draw("soon"),
    });
    this.slash = this.createSlash();
    const tui = hostTui({ size: () => this.screen.size, onRenderWanted: () => this.completionsArrived() });
    this.composer = new Composer({
      tui,
      look,
      folder,
      history,
      files,
      nowMs: () => this.now,
      quietMs: options.typingGuardMs,
      onSubmit: (written) => this.submit(written),
      onTaken: () => ports.source.dispatch({ type: "suggestion.take" }),
    });
    this.overlays = new Overlays({ screen: ports.face, look, write: (bytes) => ports.terminal.write(bytes) });
    this.deeds = new KeyActions({
      ...options,
      ...ports,
      screen: ports.face,
      composer: this.composer,
      overlays: this.overlays,
      slash: this.slash,
      isAsking: () => this.asks.asking !== null,
      restyle: () => this.restyle(),
      draw: (urgency) => this.draw(urgency),
    });
    this.asks = new AppAsks({
      ...ports,
      look,
      tui,
      overlays: this.overlays,
      typingGuardMs: options.typingGuardMs,
      draw: (urgency) => this.draw(urgency),
      toComposer: (sequence) => this.composerKey(sequence),
      hasDraft: () => this.composer.hasDraft,
    });
    const { views, asks, overlays, composer } = this;
    this.area = { agent: options.agent, look, source: ports.source, views, asks, overlays, composer };
    this.screen.setView((size) => this.frame(size));
    ports.source.subscribe((changes) => this.follow(changes));
  }

  get screen(): Surface {
    return this.ports.face;
  }

  /** That was all for now. */
  heard(): void {
    this.screen.drawDue?.();
  }

  key(sequence: string): void {
    if (isKeyRelease(sequence)) return;
    if (sequence === "\x1b[I" || sequence === "\x1b[O") this.focus = sequence === "\x1b[I" ? "here" : "elsewhere";
    else if (this.overlays.isOpen) {
      this.overlays.key(sequence);
      this.asks.typed();
    } else if (this.screen.key?.(sequence) === true) {
      if (wheelRows(sequence) === null) this.asks.typed();
      return;
    } else this.asks.key(sequence);
    if (!this.overlays.isReading) this.draw("now");
  }

  /** Whether keys belong to something that is being written or chosen here. */
  get hasDraft(): boolean {
    return this.overlays.isOpen || this.asks.isEngaged || this.composer.hasDraft;
  }

  /** A key went to something else on the same screen; no question here may take it for silence. */
  typedElsewhere(): void {
    this.asks.typed();
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
    this.composer.suggest(this.asks.asking === null ? this.active.facts.suggestion : null);
    this.settle(this.screen.size.columns);
    this.screen.requestFrame(urgency);
    this.spinner.keepTurning();
    this.callAttention();
    if (urgency === "now") this.asks.drawn();
  }

  setBranch(branch: string | null): void {
    if (branch === this.branch || this.isClosed) return;
    this.branch = branch;
    this.draw("soon");
  }

  /** What was half written when the last run ended all of a sudden stands in the composer again, if that is empty. */
  recoverDraft(): void {
    const text = this.options.draft.recover();
    if (text === null) return;
    if (!this.composer.hasDraft) this.composer.text = text;
    this.notice("info", "the message you had not sent is back");
    this.draw("soon");
  }

  /** The look changed: everything that is still to be drawn has the new one. */
  restyle(): void {
    this.views.restyle();
    this.composer.refresh();
    this.draw("now");
  }

  /** What lies over the app goes; the terminal is about to be somebody else's. */
  closeOverlays(): void {
    this.overlays.close();
  }

  /** The end has come in the middle of something: what the person has seen of it stays. */
  settleOpen(): void {
    this.isEnding = true;
    this.ports.source.dispatch({ type: "cut-short" });
    this.isEnding = false;
    this.views.settleAll(this.active.key, this.screen.size.columns);
  }

  close(): void {
    this.isClosed = true;
    this.spinner.stop();
    this.overlays.close();
    this.deeds.close();
    void this.options.draft.end();
    this.settleOpen();
    this.asks.close();
    this.screen.close();
  }

  // A long error is folded at its end, and what can be done about it stands there: then it is told apart from it.
  private tellEnd(words: readonly string[]): void {
    const isLong = words.length - 1 > this.options.look.outputLinesMax;
    const told = isLong ? words.slice(0, -1) : words;
    if (told.length > 0) this.notice("error", told.join("\n"));
    if (isLong) this.notice("info", words.at(-1) ?? "");
  }

  private get active(): SessionState {
    return activeSession(this.ports.source.state);
  }

  private notice(level: "info" | "warn" | "error", text: string): void {
    this.ports.source.dispatch({ type: "notice", level, text });
  }

  private get now(): number {
    return this.ports.clock.nowMs();
  }

  private composerKey(sequence: string): void {
    if (this.deeds.act(this.options.keymap.actionFor(keyName(sequence) ?? ""))) return;
    this.composer.key(sequence);
    const { text, as } = this.composer.draft;
    // A recovered draft is the user's own, so that no command of an agent may be kept.
    this.options.draft.changed(as === "prompt" && isCommand(text) ? "" : text);
  }

  private follow(changes: readonly Change[]): void {
    for (const change of changes) this.followOne(change);
    if (!this.isEnding) this.draw("soon");
  }

  private followOne(change: Change): void {
    switch (change.type) {
      case "block":
        if (change.change.type === "grew" && change.session === this.active.key) this.spinner.wordsCame();
        this.views.of(change.session).follow(change.change);
        return;
      case "facts":
        this.offerCommands();
        return;
      case "composer":
        if (change.session === this.active.key) this.composer.draft = { text: change.text, as: "prompt" };
        return;
      case "session.started":
        this.slash.sessionStarted(change.id);
        return;
      case "session.switched":
        this.switched(change.from, change.to);
        return;
      case "session.gone":
        this.views.settleUnseen(change.session, () => this.sessionHead(change.entry, change.place));
        this.drop(change.session);
        return;
      case "ask.raised":
      case "ask.settled":
        this.asks.follow(change);
        return;
      case "reply":
        this.slash.answered(change.command, change.answer);
        return;
      case "agent":
        if (change.change === "closed") this.tellEnd(change.words);
        else if (change.words.length > 0) this.notice("info", change.words.join("\n"));
        return;
      case "sessions":
      case "notice":
        return;
    }
  }

  private createSlash(): SlashRunner {
    const { ports } = this;
    return new SlashRunner(ports.source, {
      leave: () => ports.leave(),
      restart: () => ports.restart(),
      clear: () => this.screen.clear(),
      nowMs: () => this.now,
      draw: () => this.draw("soon"),
      choose: (title, choices, onChosen) => this.overlays.choose(title, choices, onChosen),
      openViewer: (search) => this.openTranscript(search),
      copy: (text) => this.copy(text),
      exportTranscript: (journal, format, path) => ports.exportTranscript(journal, format, path),
      settings: () => ports.settings(),
      change: (key, value) => {
        const trouble = ports.change(key, value);
        this.restyle();
        return trouble;
      },
      keyWords: () => keyWords(this.options.keymap),
    });
  }

  private settle(columns: number): void {
    this.views.settle(this.active.key, columns);
  }

  private frame(size: Size): Frame {
    const moment = { nowMs: this.now, tick: this.spinner.picture };
    return liveArea(this.area, size, { moment, branch: this.branch });
  }

  private completionsArrived(): void {
    this.composer.refresh();
    this.screen.requestFrame("soon");
  }

  private switched(from: number, to: number): void {
    const { sessions } = this.ports.source.state;
    this.composer.suggest(null);
    if (sessions.some(({ key }) => key === from)) this.drafts.set(from, this.composer.draft);
    else this.drop(from);
    this.composer.draft = this.drafts.get(to) ?? { text: "", as: "typed" };
    this.offerCommands();
    this.screen.settle(this.sessionHead(this.active, sessions.indexOf(this.active)));
    this.views.of(to).begunBelow();
  }

  private offerCommands(): void {
    const { commands } = this.active.facts;
    if (commands !== this.offered) this.composer.offer(commands);
    this.offered = commands;
  }

  private drop(session: number): void {
    this.views.drop(session);
    this.drafts.delete(session);
  }

  private sessionHead({ name, id }: OpenSession, place: number): string[] {
    const words = `session ${place + 1}: ${safeLine(name || id)}`;
    return ["", this.options.look.style.paint("dim", words)];
  }

  private openTranscript(search: string): void {
    this.overlays.read(documentOf(this.active.journal, this.screen.size.columns - 1, this.options.look), {
      at: "end",
      search,
    });
  }

  private submit({ text, as }: Written): void {
    const own = this.active.facts.commands.map(({ name }) => name);
    const input = as === "prompt" ? ({ type: "prompt", text } as const) : readSlash(text, own);
    this.screen.followEnd?.();
    if (input.type === "prompt") this.ports.source.dispatch({ type: "submit", text: input.text });
    else if (input.type === "command") this.slash.obey(input.command, input.argument);
    else if (input.type === "shell") this.deeds.runShell(input.command);
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.notice("warn", `there is no command /${input.name}; ${hint}`);
    }
    this.options.draft.changed("");
    this.draw("now");
  }

  // The terminal puts it on the clipboard, also over ssh; the source, not what it looks like.
  private copy(text: string): void {
    this.ports.terminal.write(clipboardBytes(text));
  }

  private callAttention(): void {
    const { facts } = this.active;
    this.ports.attention.update({
      agent: this.options.agent,
      wished: facts.title,
      phase: facts.phase,
      asking: this.asks.asking,
      focus: this.focus,
    });
  }
}
