// The terminal UI: it puts the conversation on the screen and carries keys back. Everything that is shown follows from the
// states of the reducers; this file brings events in, effects out, and decides who has the keyboard.
import type { AskOutcome } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { Keymap } from "../../core/keymap.js";
import { readSlash } from "../../core/slash-command.js";
import type { Journal } from "../../core/transcript/journal.js";
import { planRows } from "../../screen/blocks/plan-rows.js";
import { statusRow, widgetRows, workingRows } from "../../screen/blocks/status-rows.js";
import { tabRows } from "../../screen/blocks/tab-row.js";
import { TranscriptView, type TranscriptViewOptions } from "../../screen/blocks/transcript-view.js";
import { type Frame, liveRowsMax, type Size } from "../../screen/frame.js";
import type { ScreenClock } from "../../screen/inline-screen.js";
import { documentOf } from "../../screen/viewer/transcript-document.js";
import { safeLine } from "../../text/safe.js";
import { hostTui } from "../component-host.js";
import { keyName } from "../dialogs/key-names.js";
import type { PictureAlbum } from "../pictures/picture-album.js";
import type { OwnedTerminal } from "../terminal/owned-terminal.js";
import { AppAsks } from "./app-asks.js";
import { appFrame } from "./app-frame.js";
import type { AppLook } from "./app-look.js";
import type { AttentionCaller } from "./attention-caller.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import type { DraftKeeper } from "./draft-file.js";
import type { Edited } from "./external-editor.js";
import type { Face } from "./face.js";
import type { PromptHistory } from "./history-file.js";
import { KeyDeeds, keyWords } from "./key-deeds.js";
import { Overlays } from "./overlays.js";
import type { SessionPane } from "./session-pane.js";
import { type Setting, SlashRunner } from "./slash-runner.js";

export interface AppPorts {
  readonly clock: ScreenClock;
  readonly terminal: Pick<OwnedTerminal, "write">;
  readonly face: Face;
  readonly attention: Pick<AttentionCaller, "update">;
  /** null where pictures are only words. */
  readonly pictures?: Pick<PictureAlbum, "linesFor"> | null;
  send(command: LinesCommand): void;
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
  readonly draft: DraftKeeper;
  readonly shell: string;
  readonly typingGuardMs: number;
}

const SPINNER_MS = 100;
/** Between two slices of something huge: time for keys. */
const REST_MS = 5;
const TAIL_ROWS_MIN = 3;
const DIALOG_ROWS_MIN = 6;

export class TerminalApp {
  readonly talk: Conversation;
  private readonly ports: AppPorts;
  private readonly options: AppOptions;
  private readonly views = new WeakMap<SessionPane, TranscriptView>();
  private readonly asks: AppAsks;
  private readonly composer: Composer;
  private readonly slash: SlashRunner;
  private readonly overlays: Overlays;
  private readonly deeds: KeyDeeds;
  private tick = 0;
  private grownAtMs = Number.NEGATIVE_INFINITY;
  private cancelTick: (() => void) | null = null;
  private cancelRest: (() => void) | null = null;
  private branch: string | null = null;
  private isClosed = false;
  private focus: "here" | "elsewhere" = "here";

  constructor(options: AppOptions, ports: AppPorts) {
    this.ports = ports;
    this.options = options;
    this.talk = new Conversation({
      nowMs: () => this.now,
      send: (command) => ports.send(command),
      onBlock: (pane, change) => {
        if (change.type === "grew" && pane === this.talk.active) this.grownAtMs = this.now;
        this.viewOf(pane).follow(change);
      },
      onSwitched: (from, to) => this.switched(from, to),
      setComposer: (text) => {
        this.composer.text = text;
      },
    });
    this.slash = new SlashRunner(this.talk, {
      send: (command) => ports.send(command),
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
      keyWords: () => keyWords(options.keymap),
    });
    this.screen.setView((size) => this.frame(size));
    const tui = hostTui({ size: () => this.screen.size, onRenderWanted: () => this.completionsArrived() });
    const { look, folder, history } = options;
    this.composer = new Composer({
      tui,
      look,
      folder,
      history,
      nowMs: () => this.now,
      onSubmit: (text) => this.submit(text),
    });
    this.overlays = new Overlays({ screen: ports.face, look, write: (bytes) => ports.terminal.write(bytes) });
    this.deeds = new KeyDeeds({
      ...options,
      ...ports,
      screen: ports.face,
      talk: this.talk,
      composer: this.composer,
      overlays: this.overlays,
      slash: this.slash,
      openTranscript: () => this.openTranscript(""),
      restyle: () => this.restyle(),
      draw: (urgency) => this.draw(urgency),
    });
    this.asks = new AppAsks({
      ...ports,
      look,
      tui,
      talk: this.talk,
      overlays: this.overlays,
      typingGuardMs: options.typingGuardMs,
      draw: (urgency) => this.draw(urgency),
    });
  }

  get screen(): Face {
    return this.ports.face;
  }

  /** What the agent reports. */
  hear(event: SessionEvent): void {
    this.asks.hear(event);
    this.talk.hear(event);
    if (event.type === "commands.changed") this.composer.offer(this.talk.active.front.commands);
    if (event.type === "command.answered") this.slash.answered(event.command, event.answer);
    if (event.type === "session.started" && event.sessionId !== null) this.slash.sessionStarted(event.sessionId);
    this.draw("soon");
  }

  /** Somebody else has answered: another front end, or the recording that is being played. */
  askSettled(askId: string, outcome: AskOutcome): void {
    this.asks.settledElsewhere(askId, outcome);
    this.draw("soon");
  }

  /** The agent is there, or gone; `words` say why. */
  linkChanged(change: "opened" | "closed", words: readonly string[]): void {
    if (change === "closed") this.asks.disconnected();
    this.talk.linkChanged(change);
    if (words.length > 0) this.talk.say(change === "closed" ? "error" : "info", words.join("\n"));
    this.draw("soon");
  }

  key(sequence: string): void {
    if (sequence === "\x1b[I" || sequence === "\x1b[O") this.focus = sequence === "\x1b[I" ? "here" : "elsewhere";
    else if (this.overlays.isOpen) this.overlays.key(sequence);
    else if (this.screen.key?.(sequence) === true) return;
    else if (this.asks.hasKeys) this.asks.key(sequence);
    else if (!this.deeds.act(this.options.keymap.actionFor(keyName(sequence) ?? ""))) {
      this.composer.key(sequence);
      this.options.draft.changed(this.composer.text);
      this.asks.typed();
    }
    if (!this.overlays.isReading) this.draw("now");
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
    this.settle(this.screen.size.columns);
    this.screen.requestFrame(urgency);
    this.keepTicking();
    this.callAttention();
    if (urgency === "now") this.asks.drawn();
  }

  setBranch(branch: string | null): void {
    if (branch === this.branch || this.isClosed) return;
    this.branch = branch;
    this.draw("soon");
  }

  /** Only into an empty composer: what the person has just typed comes first. */
  restoreDraft(text: string): void {
    if (this.composer.text === "") this.composer.text = text;
    this.talk.say("info", "the message you had not sent is back");
    this.draw("soon");
  }

  /** The look changed: everything that is still to be drawn has the new one. */
  restyle(): void {
    for (const { id } of this.talk.list.sessions) this.viewOf(this.talk.paneOf(id)).setOptions(this.viewOptions());
    this.composer.refresh();
    this.draw("now");
  }

  /** What lies over the app goes; the terminal is about to be somebody else's. */
  closeOverlays(): void {
    this.overlays.close();
  }

  close(): void {
    this.isClosed = true;
    this.cancelTick?.();
    this.overlays.close();
    this.deeds.close();
    this.options.draft.end();
    do this.settle(this.screen.size.columns);
    while (this.viewOf(this.talk.active).isBehind);
    this.cancelRest?.();
    this.asks.close();
    this.screen.close();
  }

  private get now(): number {
    return this.ports.clock.nowMs();
  }

  private viewOptions(): TranscriptViewOptions {
    const { style, glyphs, wrap, thinking, outputLinesMax } = this.options.look;
    const options = { style, glyphs, wrap, thinking, outputLinesMax };
    const { pictures } = this.ports;
    if (!pictures || this.options.look.images === "off") return options;
    return { ...options, pictureLines: (base64, widthCells) => pictures.linesFor(base64, widthCells) };
  }

  private viewOf(pane: SessionPane): TranscriptView {
    const known = this.views.get(pane);
    if (known !== undefined) return known;
    const view = new TranscriptView(this.viewOptions());
    this.views.set(pane, view);
    return view;
  }

  private settle(columns: number): void {
    const lines = this.viewOf(this.talk.active).takeSettled(columns);
    if (lines.length > 0) this.screen.settle(lines);
    if (this.viewOf(this.talk.active).isBehind && this.cancelRest === null) {
      this.cancelRest = this.ports.clock.after(REST_MS, () => {
        this.cancelRest = null;
        this.draw("soon");
      });
    }
  }

  private frame({ columns, rows: windowRows }: Size): Frame {
    const width = columns - 1;
    const { look } = this.options;
    const { front } = this.talk.active;
    const moment = { nowMs: this.now, tick: look.motion === "reduced" ? 0 : this.tick };
    // The end of what is being written is enough to follow it, and a short live area survives a window that shrinks.
    const tail = this.viewOf(this.talk.active)
      .liveRows(width, moment)
      .slice(-Math.max(TAIL_ROWS_MIN, Math.floor(windowRows / 3)));
    const hasDialog = this.overlays.isOpen || this.asks.hasKeys;
    const below = [
      ...widgetRows(front, "below"),
      ...tabRows(this.talk.list, this.asks.bySession(), width, look),
      statusRow(front, { agent: this.options.agent, branch: this.branch }, width, look),
    ];
    const room = liveRowsMax({ columns, rows: windowRows });
    // In a window of a few rows the question and its answers are all there is.
    const isTight = hasDialog && room < DIALOG_ROWS_MIN + below.length + 1;
    const dialogRows = isTight ? room : Math.max(DIALOG_ROWS_MIN, room - below.length - 1);
    return appFrame({
      tail,
      doing: [
        ...(hasDialog ? [] : [...workingRows(front, moment, look), ...planRows(front.plan, width, moment, look)]),
        ...widgetRows(front, "above"),
      ],
      dialog: this.overlays.isOpen ? this.overlays.frame(width, dialogRows) : this.asks.frame(width, dialogRows),
      composer: this.composer.frame(width, front.phase === "working" ? "hidden" : "shown"),
      below: isTight ? [] : below,
      focus: hasDialog ? "dialog" : "composer",
    });
  }

  private completionsArrived(): void {
    this.composer.refresh();
    this.screen.requestFrame("soon");
  }

  private switched(from: SessionPane, to: SessionPane): void {
    from.draft = this.composer.text;
    this.composer.text = to.draft;
    this.composer.offer(to.front.commands);
    const { style } = this.options.look;
    const { sessions, active } = this.talk.list;
    const at = sessions.findIndex(({ id }) => id === active);
    const name = safeLine(sessions[at]?.name || active);
    this.screen.settle(["", style.paint("dim", `session ${at + 1}: ${name}`), ""]);
  }

  private openTranscript(search: string): void {
    this.overlays.read(documentOf(this.talk.active.journal, this.screen.size.columns - 1, this.options.look), {
      at: "end",
      search,
    });
  }

  private submit(text: string): void {
    const own = this.talk.active.front.commands.map(({ name }) => name);
    const input = readSlash(text, own);
    if (input.type === "prompt") this.talk.submit(input.text);
    else if (input.type === "command") this.slash.obey(input.command, input.argument);
    else if (input.type === "shell") this.deeds.runShell(input.command);
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.talk.say("warn", `there is no command /${input.name}; ${hint}`);
    }
    this.options.draft.changed("");
    this.draw("now");
  }

  // The terminal puts it on the clipboard, also over ssh; the source, not what it looks like.
  private copy(text: string): void {
    this.ports.terminal.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  }

  private callAttention(): void {
    const { front } = this.talk.active;
    this.ports.attention.update({
      agent: this.options.agent,
      wished: front.title,
      phase: front.phase,
      asking: this.asks.asking,
      focus: this.focus,
    });
  }

  // Motion means work: nothing moves, and nothing is written, while the agent is idle.
  private keepTicking(): void {
    if ((!this.talk.isWorking && !this.viewOf(this.talk.active).isWorking) || this.cancelTick !== null) return;
    const everyMs = this.options.look.motion === "reduced" ? 10 * SPINNER_MS : SPINNER_MS;
    this.cancelTick = this.ports.clock.after(everyMs, () => {
      this.cancelTick = null;
      // Words that arrive are motion enough: the spinner moves when nothing else does.
      if (this.grownAtMs < this.now - SPINNER_MS) this.tick += 1;
      this.draw("soon");
    });
  }
}
