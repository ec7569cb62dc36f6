// The terminal UI: it puts the conversation on the screen and carries keys back. Everything that is shown follows from the
// states of the reducers; this file brings events in, effects out, and decides who has the keyboard.
import type { Ask } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { neighbour } from "../../core/session-list.js";
import { readSlash } from "../../core/slash-command.js";
import type { Journal } from "../../core/transcript/journal.js";
import { planRows } from "../../screen/blocks/plan-rows.js";
import { statusRow, widgetRows, workingRows } from "../../screen/blocks/status-rows.js";
import { tabRows } from "../../screen/blocks/tab-row.js";
import { TranscriptView, type TranscriptViewOptions } from "../../screen/blocks/transcript-view.js";
import type { Frame, Size } from "../../screen/frame.js";
import type { InlineScreen, ScreenClock } from "../../screen/inline-screen.js";
import { documentOf } from "../../screen/viewer/transcript-document.js";
import type { ViewerDocument } from "../../screen/viewer/viewer-state.js";
import { safeLine } from "../../text/safe.js";
import { hostTui } from "../component-host.js";
import { openAskDialog } from "../dialogs/ask-dialog.js";
import { ChoiceDialog } from "../dialogs/choice-dialog.js";
import { keyName } from "../dialogs/key-names.js";
import type { OwnedTerminal } from "../terminal/owned-terminal.js";
import { appFrame } from "./app-frame.js";
import type { AppLook } from "./app-look.js";
import { AskDeskRunner } from "./ask-desk-runner.js";
import { outcomeWords, responseTo } from "./ask-outcome.js";
import type { AttentionCaller } from "./attention-caller.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import type { PromptHistory } from "./history-file.js";
import type { SessionPane } from "./session-pane.js";
import { type Option, type Setting, SlashRunner } from "./slash-runner.js";
import { ViewerSession } from "./viewer-session.js";

export interface AppPorts {
  readonly clock: ScreenClock;
  readonly terminal: Pick<OwnedTerminal, "write">;
  readonly screen: InlineScreen;
  readonly attention: Pick<AttentionCaller, "update">;
  send(command: LinesCommand): void;
  /** The person wants to leave, or to start the agent again. */
  leave(): void;
  restart(): void;
  exportTranscript(journal: Journal, format: string, path: string): string;
  settings(): readonly Setting[];
  change(key: string, value: string): string | null;
}

export interface AppOptions {
  readonly agent: string;
  readonly folder: string;
  readonly look: AppLook;
  readonly history: PromptHistory;
}

/** Whoever has the keys before the composer has them. */
type Picker = { readonly dialog: ChoiceDialog; readonly onChosen: (value: string) => void };

const SPINNER_MS = 100;
const DOUBLE_PRESS_MS = 2_000;
const TAIL_ROWS_MIN = 3;

export class TerminalApp {
  readonly talk: Conversation;
  private readonly ports: AppPorts;
  private readonly options: AppOptions;
  private readonly views = new WeakMap<SessionPane, TranscriptView>();
  private readonly asks: AskDeskRunner;
  private readonly composer: Composer;
  private readonly slash: SlashRunner;
  private viewer: ViewerSession | null = null;
  private picker: Picker | null = null;
  private tick = 0;
  private cancelTick: (() => void) | null = null;
  private lastCtrlCMs = Number.NEGATIVE_INFINITY;
  private focus: "here" | "elsewhere" = "here";

  constructor(options: AppOptions, ports: AppPorts) {
    this.ports = ports;
    this.options = options;
    this.talk = new Conversation({
      nowMs: () => this.now,
      send: (command) => ports.send(command),
      onBlock: (pane, change) => this.viewOf(pane).follow(change),
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
      choose: (title, choices, onChosen) => this.choose(title, choices, onChosen),
      openViewer: (search) => this.openTranscript(search),
      copy: (text) => this.copy(text),
      exportTranscript: (journal, format, path) => ports.exportTranscript(journal, format, path),
      settings: () => ports.settings(),
      change: (key, value) => ports.change(key, value),
      keyWords: () => [],
    });
    this.screen.setView((size) => this.frame(size));
    const tui = hostTui({ size: () => this.screen.size, onRenderWanted: () => this.screen.requestFrame("soon") });
    const { look } = options;
    this.composer = new Composer({
      tui,
      look,
      folder: options.folder,
      history: options.history,
      agentCommands: () => this.talk.active.front.commands,
      onSubmit: (text) => this.submit(text),
    });
    this.asks = new AskDeskRunner({
      clock: ports.clock,
      openDialog: (ask) => openAskDialog(ask, { look, tui, aside: () => this.aside(ask) }),
      tellAgent: (ask, outcome) => ports.send(responseTo(ask, outcome)),
      onStageChanged: (change) => this.stageChanged(change),
      mayTakeKeys: () => this.picker === null && this.screen.activateConfirm() === "active",
      onClosed: (ask, outcome) =>
        this.talk.record(
          { type: "ask.settled", title: ask.question.params.title, outcome: outcomeWords(outcome) },
          this.sessionOf(ask),
        ),
      onAudit: () => undefined,
    });
  }

  get screen(): InlineScreen {
    return this.ports.screen;
  }

  /** What the agent reports. */
  hear(event: SessionEvent): void {
    if (event.type === "ask.raised") this.asks.ask(event.ask);
    else if (event.type === "ask.withdrawn") {
      this.asks.withdraw({ type: "withdraw", askId: event.askId, reason: event.reason, atMs: this.now });
    } else if (event.type === "prompt.finished") this.withdrawAll(event.sessionId, "turn_ended");
    else if (event.type === "session.closed") this.withdrawAll(event.sessionId, "session_closed");
    this.talk.hear(event);
    if (event.type === "command.answered") this.slash.answered(event.command, event.answer);
    if (event.type === "session.started" && event.sessionId !== null) this.slash.sessionStarted(event.sessionId);
    this.draw("soon");
  }

  /** The agent is there, or gone; `words` say why. */
  linkChanged(change: "opened" | "closed", words: readonly string[]): void {
    if (change === "closed") {
      this.asks.withdraw({ type: "withdraw-all", of: "everyone", reason: "disconnected", atMs: this.now });
    }
    this.talk.linkChanged(change);
    if (words.length > 0) this.talk.say(change === "closed" ? "error" : "info", words.join("\n"));
    this.draw("soon");
  }

  key(sequence: string): void {
    if (sequence === "\x1b[I" || sequence === "\x1b[O") this.focusChanged(sequence === "\x1b[I" ? "here" : "elsewhere");
    else if (this.viewer !== null) this.viewerKey(this.viewer, sequence);
    else if (this.picker !== null) this.pickerKey(this.picker, sequence);
    else if (this.asks.shown?.phase === "active") this.asks.key(sequence);
    else if (!this.command(keyName(sequence))) {
      this.composer.key(sequence);
      this.asks.typed();
    }
    if (this.viewer === null) this.draw("now");
  }

  resize(size: Size): void {
    this.settle(size.columns);
    this.screen.resize(size);
    this.viewer?.resize(size);
  }

  drained(): void {
    this.viewer?.drained();
    this.screen.drained();
  }

  draw(urgency: "soon" | "now"): void {
    this.settle(this.screen.size.columns);
    this.screen.requestFrame(urgency);
    this.keepTicking();
    this.callAttention();
    if (urgency === "now") this.asks.drawn();
  }

  /** The look changed: everything that is still to be drawn has the new one. */
  restyle(): void {
    for (const { id } of this.talk.list.sessions) this.viewOf(this.talk.paneOf(id)).setOptions(this.viewOptions());
    this.composer.restyle();
    this.draw("now");
  }

  close(): void {
    this.cancelTick?.();
    if (this.viewer !== null) this.closeViewer();
    this.settle(this.screen.size.columns);
    this.screen.close();
  }

  private get now(): number {
    return this.ports.clock.nowMs();
  }

  private viewOptions(): TranscriptViewOptions {
    const { style, glyphs, wrap, thinking, outputLinesMax } = this.options.look;
    return { style, glyphs, wrap, thinking, outputLinesMax };
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
    const { shown } = this.asks;
    const hasDialog = this.picker !== null || shown?.phase === "active";
    return appFrame({
      tail,
      doing: [
        ...(hasDialog ? [] : [...workingRows(front, moment, look), ...planRows(front.plan, width, moment, look)]),
        ...widgetRows(front, "above"),
      ],
      dialog: this.dialogFrame(width),
      composer: this.composer.frame(width),
      below: [
        ...widgetRows(front, "below"),
        ...tabRows(this.talk.list, this.asksBySession(), width, look),
        statusRow(front, this.options.agent, width, look),
      ],
      focus: hasDialog ? "dialog" : "composer",
    });
  }

  private dialogFrame(width: number): Frame | null {
    if (this.picker !== null) return this.picker.dialog.frame(width);
    const { shown } = this.asks;
    if (shown === null) return null;
    return shown.phase === "active" ? shown.view.frame(width) : this.pendingRow(shown.ask);
  }

  private pendingRow(ask: Ask): Frame {
    const { style, glyphs } = this.options.look;
    const bar = style.paint("accent", glyphs.live);
    const row = `${bar} ${safeLine(ask.question.params.title)}  ${style.paint("dim", "waiting for you to finish typing")}`;
    return { rows: [row], cursor: null };
  }

  private aside(ask: Ask): string {
    const waiting = this.asks.waiting === 0 ? "" : `1 of ${this.asks.waiting + 1}`;
    const from = ask.origin.kind === "agent" ? "" : `from ${safeLine(ask.origin.name ?? ask.origin.kind)}`;
    const session = this.talk.list.sessions.find(({ id }) => id === ask.sessionId);
    const isElsewhere = session !== undefined && session.id !== this.talk.list.active;
    return [isElsewhere ? `in ${safeLine(session.name || session.id)}` : "", from, waiting].filter(Boolean).join("  ");
  }

  private sessionOf({ sessionId }: Ask): string {
    return this.talk.list.sessions.some(({ id }) => id === sessionId) ? (sessionId ?? "") : this.talk.list.active;
  }

  private asksBySession(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const ask of this.asks.open) counts.set(this.sessionOf(ask), (counts.get(this.sessionOf(ask)) ?? 0) + 1);
    return counts;
  }

  // An agent with one session may leave its name out in one frame and say it in another.
  private withdrawAll(sessionId: string | null, reason: "turn_ended" | "session_closed"): void {
    const of = this.talk.list.sessions.length > 1 && sessionId !== null ? { sessionId } : "everyone";
    this.asks.withdraw({ type: "withdraw-all", of, reason, atMs: this.now });
  }

  private stageChanged(change: "pending" | "active" | "gone"): void {
    if (change === "pending") this.screen.confirm("requested");
    if (change === "gone") this.screen.confirm("closed");
    this.draw("now");
  }

  private choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void {
    const { look } = this.options;
    const dialog = new ChoiceDialog({
      head: { title, message: "", danger: "normal" },
      choices: options,
      typing: "filter",
      cursor: 0,
      parts: {
        look,
        tui: hostTui({ size: () => this.screen.size, onRenderWanted: () => undefined }),
        aside: () => "",
      },
    });
    this.picker = { dialog, onChosen };
  }

  private pickerKey(picker: Picker, sequence: string): void {
    const outcome = picker.dialog.key(sequence);
    if (outcome === null) return;
    this.picker = null;
    if (outcome.type === "answered") picker.onChosen(String(outcome.value));
  }

  private switched(from: SessionPane, to: SessionPane): void {
    from.draft = this.composer.text;
    this.composer.text = to.draft;
    const { style } = this.options.look;
    const { sessions, active } = this.talk.list;
    const at = sessions.findIndex(({ id }) => id === active);
    const name = safeLine(sessions[at]?.name || active);
    this.screen.settle(["", style.paint("dim", `session ${at + 1}: ${name}`), ""]);
  }

  private openTranscript(search: string): void {
    this.openViewer(documentOf(this.talk.active.journal, this.screen.size.columns - 1, this.options.look), search);
  }

  // On the alternate screen; what comes meanwhile waits for the scrollback.
  private openViewer(document: ViewerDocument, search: string): void {
    const { look } = this.options;
    this.screen.hold();
    this.viewer = new ViewerSession(document, this.screen.size, {
      apply: (bytes) => this.ports.terminal.write(bytes),
      look: { dim: (text) => look.style.paint("dim", text) },
      search,
    });
  }

  private viewerKey(viewer: ViewerSession, sequence: string): void {
    if (viewer.key(sequence) === "closed") this.closeViewer();
  }

  private closeViewer(): void {
    this.viewer?.close();
    this.viewer = null;
    this.screen.release();
    this.draw("now");
  }

  private submit(text: string): void {
    const own = this.talk.active.front.commands.map(({ name }) => name);
    const input = readSlash(text, own);
    if (input.type === "prompt") this.talk.submit(input.text);
    else if (input.type === "command") this.slash.obey(input.command, input.argument);
    else if (input.type === "shell") this.talk.say("warn", "commands cannot be run here yet");
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.talk.say("warn", `there is no command /${input.name}; ${hint}`);
    }
    this.draw("now");
  }

  // The terminal puts it on the clipboard, also over ssh; the source, not what it looks like.
  private copy(text: string): void {
    this.ports.terminal.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  }

  /** Keys with a meaning of their own; false when the key is the composer's. */
  private command(name: string | undefined): boolean {
    if (name === "ctrl+c") this.ctrlC();
    else if (name === "ctrl+o") this.openTranscript("");
    else if (name === "ctrl+d" && this.composer.text === "") this.ports.leave();
    else if (name === "escape" && this.talk.active.front.phase === "working") this.talk.send({ type: "abort" });
    else if (name === "alt+right") this.talk.activate(neighbour(this.talk.list, 1));
    else if (name === "alt+left") this.talk.activate(neighbour(this.talk.list, -1));
    else return false;
    return true;
  }

  // First it clears what was typed, then it stops the agent, and twice in a row it leaves.
  private ctrlC(): void {
    const isSecond = this.now - this.lastCtrlCMs < DOUBLE_PRESS_MS;
    this.lastCtrlCMs = this.now;
    if (isSecond) this.ports.leave();
    else if (this.composer.text !== "") this.composer.text = "";
    else if (this.talk.active.front.phase === "working") this.talk.send({ type: "abort" });
    else this.talk.say("info", "ctrl+c again leaves");
  }

  private focusChanged(focus: "here" | "elsewhere"): void {
    this.focus = focus;
  }

  private callAttention(): void {
    const { shown, waiting } = this.asks;
    const { front } = this.talk.active;
    this.ports.attention.update({
      agent: this.options.agent,
      wished: front.title,
      phase: front.phase,
      asking: shown === null ? null : { title: shown.ask.question.params.title, waiting },
      focus: this.focus,
    });
  }

  // Motion means work: nothing moves, and nothing is written, while the agent is idle.
  private keepTicking(): void {
    if ((!this.talk.isWorking && !this.viewOf(this.talk.active).isWorking) || this.cancelTick !== null) return;
    this.cancelTick = this.ports.clock.after(
      this.options.look.motion === "reduced" ? 10 * SPINNER_MS : SPINNER_MS,
      () => {
        this.cancelTick = null;
        this.tick += 1;
        this.draw("soon");
      },
    );
  }
}
