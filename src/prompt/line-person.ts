// A person at a terminal that cannot be drawn on, or who does not want it drawn on: questions are said as plain lines, and
// typed lines answer them. The life of a question is the same as in a dialog; a line takes the place of a key.
//
//   Question: Which package manager? 1 npm. 2 pnpm. Type a number and press Enter, 0 cancels.
//   › 2
import type { Ask, AskOutcome } from "../contract/asks.js";
import { openPlainAsk } from "../screen/dialogs/plain-ask.js";
import type { PlainQuestion } from "../screen/dialogs/plain-question.js";
import { EMPTY_FRAME } from "../screen/frame.js";
import type { AskDialog, DialogOutcome } from "../tui/dialogs/ask-dialog.js";
import type { PersonHandlers } from "./person.js";
import { PersonAtTerminal, type PersonTiming } from "./person-at-terminal.js";
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
  /** Ctrl+C, which a terminal that reads lines does not hand on as a key; "left" when there is no question to give up. */
  onInterrupt(): "taken" | "left";
  onGone(): void;
}

export interface LinePersonParts extends PersonTiming {
  openTerminal(handlers: LineTerminalHandlers): LineTerminal | null;
}

const MARK = "> ";
/** What a line dialog is told when the person gave up. */
const GIVE_UP = "\x04";

export class LinePerson extends PersonAtTerminal<LineTerminal> {
  protected override readonly manner = "spoken";
  private readonly parts: LinePersonParts;
  private readonly lines = new TypedLines();
  private question: PlainQuestion | null = null;

  constructor(parts: LinePersonParts, handlers: PersonHandlers) {
    super(parts, handlers);
    this.parts = parts;
  }

  protected override openTerminal(): LineTerminal | null {
    const terminal = this.parts.openTerminal({
      onText: (chunk) => this.hear(chunk),
      onInterrupt: () => this.giveUp(),
      onGone: () => this.gone(),
    });
    if (terminal === null) return null;
    const close = () => {
      terminal.setEcho("shown");
      terminal.close();
    };
    return { write: (text) => terminal.write(text), setEcho: (echo) => terminal.setEcho(echo), close };
  }

  protected override openDialog(ask: Ask): AskDialog | null {
    const question = openPlainAsk(ask, { place: 1, of: this.runner.waiting + 1, ...from(ask) });
    return new LineDialog(question, (now) => this.say(now));
  }

  // A line that was typed before the question was read answers nothing: it is said only after a quiet moment.
  protected override show(change: "pending" | "active" | "gone"): void {
    const view = this.runner.shown?.view;
    if (change === "active" && view instanceof LineDialog) view.begin();
    if (change === "gone") this.question = null;
  }

  protected override takenBack(ask: Ask, outcome: Extract<AskOutcome, { kind: "withdrawn" }>): void {
    if (this.question !== null) this.terminal?.write("\nThe question was taken back.\n");
    super.takenBack(ask, outcome);
  }

  // Ctrl+D gives the question up, and with it all that wait: nothing more can be read from here.
  private gone(): void {
    this.giveUp();
    this.withdrawAll("disconnected");
  }

  private giveUp(): "taken" | "left" {
    if (this.question === null) return "left";
    this.terminal?.write("\n");
    this.runner.key(GIVE_UP);
    return "taken";
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
