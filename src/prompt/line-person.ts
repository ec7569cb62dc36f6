// A person at a terminal that cannot be drawn on, or who does not want it drawn on: questions are said as plain lines, and
// typed lines answer them. The life of a question is the same as in a dialog; a line takes the place of a key.
//
//   Question: Which package manager? 1 npm. 2 pnpm. Type a number and press Enter, 0 cancels.
//   › 2
import type { Ask, WithdrawReason } from "../contract/asks.js";
import { openPlainAsk } from "../screen/dialogs/plain-ask.js";
import type { PlainQuestion } from "../screen/dialogs/plain-question.js";
import { EMPTY_FRAME } from "../screen/frame.js";
import type { ScreenClock } from "../screen/inline-screen.js";
import { AskDeskRunner } from "../tui/app/ask-desk-runner.js";
import type { AskDialog, DialogOutcome } from "../tui/dialogs/ask-dialog.js";
import type { Person, PersonHandlers } from "./person.js";
import { TypedLines } from "./typed-lines.js";

/** A terminal for lines. */
export interface LineTerminal {
  write(text: string): void;
  /** "hidden" shows nothing of what is typed. */
  setEcho(echo: "shown" | "hidden"): void;
  close(): void;
}

export interface LineTerminalHandlers {
  onText(chunk: string): void;
  onGone(): void;
}

export interface LinePersonParts {
  readonly clock: ScreenClock;
  readonly typingGuardMs: number;
  openTerminal(handlers: LineTerminalHandlers): LineTerminal | null;
}

const MARK = "> ";
/** What a line dialog is told when the person gave up. */
const GIVE_UP = "\x04";

export class LinePerson implements Person {
  private readonly parts: LinePersonParts;
  private readonly handlers: PersonHandlers;
  private readonly runner: AskDeskRunner;
  private readonly lines = new TypedLines();
  private terminal: LineTerminal | null = null;
  private question: PlainQuestion | null = null;

  constructor(parts: LinePersonParts, handlers: PersonHandlers) {
    this.parts = parts;
    this.handlers = handlers;
    this.runner = new AskDeskRunner({
      clock: parts.clock,
      typingGuardMs: parts.typingGuardMs,
      openDialog: (ask) => this.openDialog(ask),
      tellAgent: (ask, outcome) => handlers.onOutcome(ask, outcome),
      onClosed: (ask, outcome) => {
        if (outcome.kind === "withdrawn") this.takenBack(ask, outcome);
      },
      onStageChanged: (change) => this.follow(change),
      mayTakeKeys: () => this.terminal !== null,
      onWish: () => undefined,
      onAudit: () => undefined,
    });
  }

  ask(ask: Ask): void {
    this.runner.ask(ask);
  }

  withdraw(askId: string, reason: WithdrawReason): void {
    this.runner.withdraw({ type: "withdraw", askId, reason, atMs: this.parts.clock.nowMs() });
  }

  async close(): Promise<void> {
    const atMs = this.parts.clock.nowMs();
    this.runner.withdraw({ type: "withdraw-all", of: "everyone", reason: "shutdown", atMs });
    this.leave();
  }

  private takenBack(ask: Ask, outcome: { kind: "withdrawn"; reason: WithdrawReason }): void {
    if (this.question !== null) this.terminal?.write("\nThe question was taken back.\n");
    this.handlers.onOutcome(ask, outcome);
  }

  private openDialog(ask: Ask): AskDialog | null {
    if (this.terminal === null && !this.take()) return null;
    const question = openPlainAsk(ask, { place: 1, of: this.runner.waiting + 1, ...from(ask) });
    return new LineDialog(question, (now) => this.say(now));
  }

  private take(): boolean {
    this.handlers.onOpening();
    this.terminal = this.parts.openTerminal({
      onText: (chunk) => this.hear(chunk),
      onGone: () => this.gone(),
    });
    if (this.terminal === null) this.handlers.onClosed();
    return this.terminal !== null;
  }

  // Ctrl+D gives the question up, and with it all that wait: nothing more can be read from here.
  private gone(): void {
    if (this.question !== null) this.runner.key(GIVE_UP);
    const atMs = this.parts.clock.nowMs();
    this.runner.withdraw({ type: "withdraw-all", of: "everyone", reason: "disconnected", atMs });
  }

  // A line that was typed before the question was read answers nothing: it is said only after a quiet moment.
  private follow(change: "pending" | "active" | "gone"): void {
    if (change === "pending") {
      this.runner.typed();
      this.runner.drawn();
    } else if (change === "active") {
      const view = this.runner.shown?.view;
      if (view instanceof LineDialog) view.begin();
    } else {
      this.question = null;
      queueMicrotask(() => {
        if (this.runner.shown === null) this.leave();
      });
    }
  }

  private say(question: PlainQuestion): void {
    this.question = question;
    this.lines.clear();
    this.terminal?.setEcho(question.secret === "yes" ? "hidden" : "shown");
    this.terminal?.write([...question.lines, MARK].join("\n"));
  }

  private hear(chunk: string): void {
    if (this.question === null) {
      this.runner.typed();
      return;
    }
    const { secret } = this.question;
    for (const typed of this.lines.read(chunk, secret)) {
      if (secret === "yes" || typed.type === "end") this.terminal?.write("\n");
      this.runner.key(typed.type === "line" ? typed.text : GIVE_UP);
    }
  }

  private leave(): void {
    const { terminal } = this;
    if (terminal === null) return;
    this.terminal = null;
    terminal.setEcho("shown");
    terminal.close();
    this.handlers.onClosed();
  }
}

class LineDialog implements AskDialog {
  private question: PlainQuestion;
  private readonly say: (question: PlainQuestion) => void;

  constructor(question: PlainQuestion, say: (question: PlainQuestion) => void) {
    this.question = question;
    this.say = say;
  }

  begin(): void {
    this.say(this.question);
  }

  frame() {
    return EMPTY_FRAME;
  }

  key(line: string): DialogOutcome {
    if (line === GIVE_UP) return { type: "cancelled" };
    const read = this.question.read(line);
    if (read.type === "answered" || read.type === "cancelled") return read;
    if (read.type === "next") this.question = read.question;
    this.say(read.type === "next" ? read.question : { ...this.question, lines: read.lines });
    return null;
  }
}

function from({ origin }: Ask): { from?: string } {
  return origin.kind === "agent" || origin.name === undefined ? {} : { from: origin.name };
}
