// Questions in the screen reader. A question is announced when nothing is being typed and after a quiet moment. Only a line
// begun after a second quiet moment, long enough to hear the question, is an answer.
//
//   pending ──line empty, quiet──► announced (waiting) ──quiet──► active: lines are answers ──► settled
import type { Ask } from "../../contract/asks.js";
import type { Source } from "../../session/engine/source.js";
import type { KeyUse } from "../../session/typing-guard.js";
import type { AskDialog } from "../../terminal/dialogs/ask-dialog.js";
import type { DialogOutcome } from "../../terminal/painter/dialogs/dialog-keys.js";
import type { FindFilesAt } from "../../terminal/painter/dialogs/file-finder.js";
import { openPlainAsk, type PlainAside } from "../../terminal/painter/dialogs/plain-ask.js";
import type { PlainQuestion } from "../../terminal/painter/dialogs/plain-question.js";
import { EMPTY_FRAME } from "../../terminal/painter/frame.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { stopAgentOf } from "../inline/app-asks.js";
import { AskController, type AskPhaseChange } from "../inline/ask-controller.js";

export interface ReaderAskPorts {
  readonly source: Source;
  readonly clock: ScreenClock;
  /** So long no key has come before a question is announced, and before a line answers it. */
  readonly typingGuardMs: number;
  say(lines: readonly string[]): void;
  /** Whether nothing is being typed or chosen. */
  isQuiet(): boolean;
  /** A question was announced: the user may have to be called. */
  onAnnounced(): void;
}

export class ReaderAsks {
  readonly controller: AskController;
  private readonly ports: ReaderAskPorts;
  private hasExplained = false;

  constructor(ports: ReaderAskPorts) {
    this.ports = ports;
    this.controller = new AskController({
      source: ports.source,
      clock: ports.clock,
      typingGuardMs: ports.typingGuardMs,
      pendingShows: "whole",
      openDialog: (ask, { files }) => new ReaderQuestion(ask, { say: (lines) => ports.say(lines), files }),
      onStageChanged: (change) => this.stageChanged(change),
      mayTakeKeys: () => ports.isQuiet(),
      // The line that is being typed is the composer; what it is for was decided at its first letter.
      toComposer: () => undefined,
      hasDraft: () => false,
      onRequest: () => undefined,
      stopAgent: (ask) => stopAgentOf(ports.source, ask),
    });
  }

  /** The question that lines answer now; null when none was announced, or when it cannot have been heard yet. */
  get answerable(): { readonly askId: string; readonly question: ReaderQuestion } | null {
    const { shown } = this.controller;
    if (shown?.phase !== "active" || !(shown.view instanceof ReaderQuestion)) return null;
    return { askId: shown.ask.id, question: shown.view };
  }

  /** Whether a question was announced, answerable or not. */
  get isOpen(): boolean {
    const { shown } = this.controller;
    return shown !== null && shown.phase !== "pending";
  }

  get count(): number {
    return this.controller.open.length;
  }

  /** A letter was typed, for a line that answers or for another one. */
  typed(line: "answer" | "other"): void {
    if (line === "answer") this.controller.engage();
    else this.controller.typed();
  }

  /** To be called whenever the line may have become empty. */
  lookAgain(): void {
    if (this.ports.isQuiet()) this.controller.drawn();
  }

  repeat(): boolean {
    const { shown } = this.controller;
    if (!this.isOpen || !(shown?.view instanceof ReaderQuestion)) return false;
    shown.view.announce(this.aside(shown.ask));
    return true;
  }

  private stageChanged(change: AskPhaseChange): void {
    if (change === "active") this.announce();
    if (change === "pending") this.lookAgain();
  }

  private announce(): void {
    if (this.controller.shown === null) return;
    this.controller.typed();
    this.repeat();
    if (!this.hasExplained) this.ports.say(["Escape cancels a question; an empty line repeats it."]);
    this.hasExplained = true;
    this.ports.onAnnounced();
  }

  private aside(ask: Ask): PlainAside {
    const { sessions, active } = this.ports.source.state;
    const elsewhere = sessions.find(({ id }) => id === ask.sessionId && id !== active);
    const { origin, question } = ask;
    const name = origin.kind === "agent" ? "" : (origin.name ?? origin.kind);
    const who = question.params.title === name ? "" : name;
    const where = elsewhere === undefined ? "" : `session ${elsewhere.name || elsewhere.id}`;
    const from = [who, where].filter(Boolean).join(" in ");
    return { place: 1, of: this.controller.waiting + 1, ...(from === "" ? {} : { from }) };
  }
}

interface ReaderQuestionParts {
  say(lines: readonly string[]): void;
  readonly files: FindFilesAt;
}

/**
 * A question for the ear: it is opened when it is announced, and each typed line is an answer, asks for something to be said
 * again, or leads to the next question. An empty line never answers what has to be decided.
 */
class ReaderQuestion implements AskDialog {
  private readonly ask: Ask;
  private readonly parts: ReaderQuestionParts;
  private first: PlainQuestion;
  private now: PlainQuestion;

  constructor(ask: Ask, parts: ReaderQuestionParts) {
    this.ask = ask;
    this.parts = parts;
    this.first = openPlainAsk(ask, { place: 1, of: 1, files: parts.files, conversation: "running" });
    this.now = this.first;
  }

  announce(aside: PlainAside): void {
    this.first = openPlainAsk(this.ask, { ...aside, files: this.parts.files, conversation: "running" });
    this.now = this.first;
    this.parts.say(this.first.lines);
  }

  get secret(): "yes" | "no" {
    return this.now.secret;
  }

  /** Whether a line that begins with a slash is a command: where the answer is one of a list it can be nothing else. */
  get takesText(): boolean {
    const { kind } = this.ask.question;
    return this.now !== this.first || kind === "input" || kind === "editor" || kind === "form";
  }

  /** A whole line is an answer; the guard has judged its first letter. */
  use(): KeyUse {
    return "text";
  }

  frame(): typeof EMPTY_FRAME {
    return EMPTY_FRAME;
  }

  /** `line` is all that was typed before Enter. */
  key(line: string): DialogOutcome {
    if (line.trim() === "" && this.needsWords) {
      this.parts.say(this.now.lines);
      return null;
    }
    const read = this.now.read(line);
    if (read.type === "answered" || read.type === "cancelled") return read;
    if (read.type === "next") this.now = read.question;
    this.parts.say(read.type === "next" ? read.question.lines : read.lines);
    return null;
  }

  private get needsWords(): boolean {
    const { question } = this.ask;
    if (this.now !== this.first) return false;
    if (question.kind !== "input") return !this.takesText;
    const { opts = {} } = question.params;
    return opts.secret === true || typeof opts.default !== "string" || opts.default === "";
  }
}
