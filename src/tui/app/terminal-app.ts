// The terminal UI: it owns the terminal and the screen, hears what the agent reports, and performs what the reducers decide.
// Everything that is shown follows from their states; this file only carries events in and effects out.
import type { Ask } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import {
  type FrontEffect,
  type FrontInput,
  type FrontState,
  reduceFront,
  startingFront,
} from "../../core/front-state.js";
import { readSlash, type SlashCommand, slashCommands } from "../../core/slash-command.js";
import { emptyJournal, journaled } from "../../core/transcript/journal.js";
import { emptyTranscript, reduceTranscript, type TranscriptInput } from "../../core/transcript/transcript.js";
import { type Glyphs, unicodeGlyphs } from "../../screen/blocks/glyphs.js";
import { statusRow, widgetRows, workingRows } from "../../screen/blocks/status-rows.js";
import { TranscriptView } from "../../screen/blocks/transcript-view.js";
import type { Frame, Size } from "../../screen/frame.js";
import { InlineScreen, type ScreenClock } from "../../screen/inline-screen.js";
import type { Style } from "../../screen/style/style.js";
import { documentOf } from "../../screen/viewer/transcript-document.js";
import { safeLine } from "../../text/safe.js";
import { hostTui } from "../component-host.js";
import { openAskDialog } from "../dialogs/ask-dialog.js";
import { keyName } from "../dialogs/key-names.js";
import type { OwnedTerminal } from "../terminal/owned-terminal.js";
import { AskDeskRunner } from "./ask-desk-runner.js";
import { outcomeWords, responseTo } from "./ask-outcome.js";
import { Composer } from "./composer.js";
import type { PromptHistory } from "./history-file.js";
import { ViewerSession } from "./viewer-session.js";

export interface AppPorts {
  readonly clock: ScreenClock;
  readonly terminal: Pick<OwnedTerminal, "size" | "firstProfile" | "write">;
  send(command: LinesCommand): void;
  /** The person wants to leave, or to start the agent again. */
  leave(): void;
  restart(): void;
}

export interface AppOptions {
  readonly agent: string;
  readonly folder: string;
  readonly style: Style;
  readonly glyphs?: Glyphs;
  readonly history: PromptHistory;
}

const SPINNER_MS = 100;
const DOUBLE_PRESS_MS = 2_000;
const OUTPUT_LINES_MAX = 5;
const TAIL_ROWS_MIN = 3;

export class TerminalApp {
  readonly screen: InlineScreen;
  private readonly ports: AppPorts;
  private readonly options: AppOptions;
  private readonly glyphs: Glyphs;
  private readonly view: TranscriptView;
  private readonly asks: AskDeskRunner;
  private readonly composer: Composer;
  private front: FrontState = startingFront;
  private transcript = emptyTranscript;
  private journal = emptyJournal();
  private viewer: ViewerSession | null = null;
  private tick = 0;
  private cancelTick: (() => void) | null = null;
  private lastCtrlCMs = Number.NEGATIVE_INFINITY;

  constructor(options: AppOptions, ports: AppPorts) {
    this.ports = ports;
    this.options = options;
    this.glyphs = options.glyphs ?? unicodeGlyphs;
    const { style } = options;
    this.view = new TranscriptView({
      style,
      glyphs: this.glyphs,
      wrap: "words",
      thinking: "shown",
      outputLinesMax: OUTPUT_LINES_MAX,
    });
    this.screen = new InlineScreen({
      apply: (bytes) => ports.terminal.write(bytes),
      clock: ports.clock,
      size: ports.terminal.size,
      profile: ports.terminal.firstProfile,
      onViolation: "count",
    });
    this.screen.setView((size) => this.frame(size));
    const tui = hostTui({ size: () => this.screen.size, onRenderWanted: () => this.screen.requestFrame("soon") });
    const look = { style, glyphs: this.glyphs };
    this.composer = new Composer({
      tui,
      ...look,
      folder: options.folder,
      history: options.history,
      onSubmit: (text) => this.submit(text),
    });
    this.asks = new AskDeskRunner({
      clock: ports.clock,
      openDialog: (ask) => openAskDialog(ask, { look, tui, aside: () => this.aside(ask) }),
      tellAgent: (ask, outcome) => ports.send(responseTo(ask, outcome)),
      onStageChanged: (change) => this.stageChanged(change),
      mayTakeKeys: () => this.screen.activateConfirm() === "active",
      onClosed: (ask, outcome) =>
        this.record({ type: "ask.settled", title: ask.question.params.title, outcome: outcomeWords(outcome) }),
      onAudit: () => undefined,
    });
  }

  /** What the agent reports. */
  hear(event: SessionEvent): void {
    if (event.type === "ask.raised") this.asks.ask(event.ask);
    else if (event.type === "ask.withdrawn") {
      this.asks.withdraw({ type: "withdraw", askId: event.askId, reason: event.reason, atMs: this.now });
    } else if (event.type === "prompt.finished") {
      this.asks.withdraw({ type: "withdraw-all", of: "everyone", reason: "turn_ended", atMs: this.now });
    } else if (event.type === "command.answered") this.answer(event.command, event.answer);
    this.record(event);
    this.feedFront(event);
    this.draw("soon");
  }

  /** The agent is there, or gone; `words` say why. */
  linkChanged(change: "opened" | "closed", words: readonly string[]): void {
    if (change === "closed") {
      this.record({ type: "prompt.finished", sessionId: null });
      this.asks.withdraw({ type: "withdraw-all", of: "everyone", reason: "disconnected", atMs: this.now });
    }
    const level = change === "closed" ? "error" : "info";
    if (words.length > 0) this.record({ type: "notice.shown", sessionId: null, level, message: words.join("\n") });
    this.feedFront({ type: change === "opened" ? "link.opened" : "link.closed" });
    this.draw("soon");
  }

  key(sequence: string): void {
    if (this.viewer !== null) {
      this.viewerKey(this.viewer, sequence);
      return;
    }
    const name = keyName(sequence);
    const { shown } = this.asks;
    if (shown?.phase === "active") this.asks.key(sequence);
    else if (name === "ctrl+c") this.ctrlC();
    else if (name === "ctrl+o") this.openViewer();
    else if (name === "ctrl+d" && this.composer.text === "") this.ports.leave();
    else if (name === "escape" && this.front.phase === "working") this.ports.send({ type: "abort" });
    else {
      this.composer.key(sequence);
      this.asks.typed();
    }
    this.draw("now");
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
    if (urgency === "now") this.asks.drawn();
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

  private settle(columns: number): void {
    const lines = this.view.takeSettled(columns);
    if (lines.length > 0) this.screen.settle(lines);
  }

  private frame({ columns, rows: windowRows }: Size): Frame {
    const width = columns - 1;
    const look = { style: this.options.style, glyphs: this.glyphs };
    const moment = { nowMs: this.now, tick: this.tick };
    // The end of what is being written is enough to follow it, and a short live area survives a window that shrinks.
    const tail = this.view.liveRows(width, moment).slice(-Math.max(TAIL_ROWS_MIN, Math.floor(windowRows / 3)));
    const { shown } = this.asks;
    const dialog =
      shown === null ? null : shown.phase === "active" ? shown.view.frame(width) : this.pendingRow(shown.ask);
    const isAsking = shown?.phase === "active";
    const working = [...(isAsking ? [] : workingRows(this.front, moment, look)), ...widgetRows(this.front, "above")];
    const composer = isAsking ? { rows: [], cursor: null } : this.composer.frame(width);
    const above = [...tail, "", ...working, ...(working.length > 0 ? [""] : [])];
    const status = [...widgetRows(this.front, "below"), statusRow(this.front, this.options.agent, width, look)];
    const rows = [...above, ...(dialog?.rows ?? []), ...composer.rows, ...status];
    const active = isAsking ? dialog : composer;
    const offset = above.length + (isAsking ? 0 : (dialog?.rows.length ?? 0));
    const cursor = active?.cursor ? { row: offset + active.cursor.row, column: active.cursor.column } : null;
    return Object.assign({ rows, cursor }, { transcriptRows: tail.length });
  }

  private pendingRow(ask: Ask): Frame {
    const { style } = this.options;
    const bar = style.paint("accent", this.glyphs.live);
    const row = `${bar} ${safeLine(ask.question.params.title)}  ${style.paint("dim", "waiting for you to finish typing")}`;
    return { rows: [row], cursor: null };
  }

  private aside(ask: Ask): string {
    const waiting = this.asks.waiting === 0 ? "" : `1 of ${this.asks.waiting + 1}`;
    const from = ask.origin.kind === "agent" ? "" : `from ${safeLine(ask.origin.name ?? ask.origin.kind)}`;
    return [from, waiting].filter(Boolean).join("  ");
  }

  private stageChanged(change: "pending" | "active" | "gone"): void {
    if (change === "pending") this.screen.confirm("requested");
    if (change === "gone") this.screen.confirm("closed");
    this.draw("now");
  }

  private record(input: TranscriptInput): void {
    const step = reduceTranscript(this.transcript, input, this.now);
    this.transcript = step.state;
    for (const change of step.changes) {
      this.view.follow(change);
      if (change.type === "closed") this.journal = journaled(this.journal, change.block);
    }
  }

  private feedFront(input: FrontInput): void {
    const step = reduceFront(this.front, input, this.now);
    this.front = step.state;
    for (const effect of step.effects) this.perform(effect);
  }

  private perform(effect: FrontEffect): void {
    switch (effect.type) {
      case "send-prompt":
        this.record({ type: "prompt.sent", text: effect.text });
        this.ports.send({ type: "prompt", text: effect.text });
        return;
      case "set-title":
        this.ports.terminal.write(`\x1b]0;${safeLine(effect.title).slice(0, 200)}\x07`);
        return;
      case "set-composer":
        this.composer.text = effect.text;
        return;
    }
  }

  // The whole transcript on the alternate screen; what comes meanwhile waits for the scrollback.
  private openViewer(): void {
    const look = { style: this.options.style, glyphs: this.glyphs };
    const { size } = this.screen;
    this.screen.hold();
    this.viewer = new ViewerSession(documentOf(this.journal, size.columns - 1, look), size, {
      apply: (bytes) => this.ports.terminal.write(bytes),
      look: { dim: (text) => look.style.paint("dim", text) },
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
    const input = readSlash(text);
    if (input.type === "prompt") this.feedFront({ type: "prompt.submitted", text: input.text });
    else if (input.type === "command") this.obey(input.command, input.argument);
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.say("warn", `there is no command /${input.name}; ${hint}`);
    }
    this.draw("now");
  }

  private obey({ meaning }: SlashCommand, argument: string): void {
    if (meaning.type === "send") {
      this.ports.send({ type: meaning.command });
      return;
    }
    switch (meaning.action) {
      case "quit":
        this.ports.leave();
        return;
      case "restart":
        this.ports.restart();
        return;
      case "clear":
        this.screen.clear();
        return;
      case "queue":
        this.queue(argument);
        return;
      case "copy":
        this.copy();
        return;
      case "help":
        this.say("info", slashCommands.map(({ name, summary }) => `/${name.padEnd(8)} ${summary}`).join("\n"));
        return;
    }
  }

  private queue(argument: string): void {
    if (argument === "clear") this.feedFront({ type: "queue.cleared" });
    const { queue } = this.front;
    this.say(
      "info",
      queue.length === 0 ? "nothing is queued" : queue.map((text, index) => `${index + 1}  ${text}`).join("\n"),
    );
  }

  // The terminal puts it on the clipboard, also over ssh; the source, not what it looks like.
  private copy(): void {
    const prose = this.journal.blocks.findLast((block) => block.kind === "prose");
    if (prose?.kind !== "prose") {
      this.say("warn", "there is nothing to copy yet");
      return;
    }
    this.ports.terminal.write(`\x1b]52;c;${Buffer.from(prose.text).toString("base64")}\x07`);
    this.say("info", "the last message is on the clipboard");
  }

  private answer(command: string, answer: Readonly<Record<string, unknown>>): void {
    if (command === "pong") this.say("info", "the agent is there");
    else if (command !== "initialized") this.say("info", `${command} ${JSON.stringify(answer)}`);
  }

  private say(level: "info" | "warn", message: string): void {
    this.record({ type: "notice.shown", sessionId: null, level, message });
  }

  // First it clears what was typed, then it stops the agent, and twice in a row it leaves.
  private ctrlC(): void {
    const isSecond = this.now - this.lastCtrlCMs < DOUBLE_PRESS_MS;
    this.lastCtrlCMs = this.now;
    if (isSecond) this.ports.leave();
    else if (this.composer.text !== "") this.composer.text = "";
    else if (this.front.phase === "working") this.ports.send({ type: "abort" });
    else this.say("info", "ctrl+c again leaves");
  }

  // Motion means work: nothing moves, and nothing is written, while the agent is idle.
  private keepTicking(): void {
    const isMoving = this.front.phase === "working" || this.front.phase === "starting" || this.view.isWorking;
    if (!isMoving || this.cancelTick !== null) return;
    this.cancelTick = this.ports.clock.after(SPINNER_MS, () => {
      this.cancelTick = null;
      this.tick += 1;
      this.draw("soon");
    });
  }
}
