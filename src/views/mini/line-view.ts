// Asks on a terminal that cannot or should not be drawn on: they are printed as plain lines, and typed lines answer them. An
// ask has the same life as in a dialog; a line takes the place of a key.
//
//   Question: Which package manager? 1 npm. 2 pnpm. Type a number and press Enter, 0 cancels.
//   › 2
import type { Ask } from "../../contract/asks.js";
import type { KeyUse } from "../../session/typing-guard.js";
import type { AskDialog, DialogOutcome } from "../../terminal/dialogs/ask-dialog.js";
import { openPlainAsk } from "../../terminal/painter/dialogs/plain-ask.js";
import type { PlainQuestion } from "../../terminal/painter/dialogs/plain-question.js";
import { EMPTY_FRAME } from "../../terminal/painter/frame.js";
import type { AskPhaseChange, GivenToDialog } from "../inline/ask-controller.js";
import type { AskViewPorts } from "./ask-view.js";
import { type AskTiming, TerminalAskView } from "./terminal-ask-view.js";

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

export interface LineViewParts extends AskTiming {
  openTerminal(handlers: LineTerminalHandlers): LineTerminal | null;
}

const MARK = "> ";
const TOO_EARLY = "What you typed before this was not used.";

export class LineView extends TerminalAskView<LineTerminal> {
  protected override readonly manner = "spoken";
  private readonly parts: LineViewParts;
  private readonly lines = new TypedLines();
  private question: PlainQuestion | null = null;
  /** Whether the question is only announced, or lines answer it. */
  private phase: "announced" | "answerable" = "announced";
  /** Something was typed while the question was only announced. */
  private isEarly = false;

  constructor(parts: LineViewParts, ports: AskViewPorts) {
    super(parts, ports);
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

  protected override openDialog(ask: Ask, { files }: GivenToDialog): AskDialog | null {
    const question = openPlainAsk(ask, { place: 1, of: this.runner.waiting + 1, ...from(ask), files });
    return new LineDialog(question, (now) => this.say(now));
  }

  // The question is said at once, with every key by itself and unseen: what is typed until the quiet moment has passed was
  // not typed for it. The mark says that lines are answers from now on.
  protected override show(change: AskPhaseChange): void {
    const view = this.runner.shown?.view;
    if (change === "pending" && view instanceof LineDialog) this.announce(view.question);
    if (change === "active") this.ready();
    if (change === "gone") {
      this.question = null;
      this.phase = "announced";
    }
  }

  protected override withdrawn(): void {
    if (this.question !== null) this.terminal?.write("\nThe question was withdrawn.\n");
  }

  // Ctrl+D gives the question up, and with it all that wait: nothing more can be read from here.
  private gone(): void {
    this.giveUp();
    this.disconnected();
  }

  private giveUp(): "taken" | "left" {
    if (this.question === null) return "left";
    this.terminal?.write("\n");
    this.runner.cancel();
    return "taken";
  }

  private announce(question: PlainQuestion): void {
    this.question = question;
    this.phase = "announced";
    this.lines.clear();
    this.terminal?.setEcho("hidden");
    this.terminal?.write(`${question.lines.join("\n")}\n`);
  }

  private ready(): void {
    if (this.isEarly) this.terminal?.write(`${TOO_EARLY}\n`);
    this.isEarly = false;
    this.phase = "answerable";
    this.terminal?.setEcho(this.question?.secret === "yes" ? "hidden" : "shown");
    this.terminal?.write(MARK);
  }

  private say(question: PlainQuestion): void {
    this.question = question;
    this.lines.clear();
    this.terminal?.setEcho(question.secret === "yes" ? "hidden" : "shown");
    this.terminal?.write([...question.lines, MARK].join("\n"));
  }

  private hear(chunk: string): void {
    if (this.question === null || this.phase === "announced") {
      this.hearEarly(chunk);
      return;
    }
    const { secret } = this.question;
    const lines = this.lines.read(chunk, secret);
    for (const [index, typed] of lines.entries()) {
      const asked: PlainQuestion | null = this.question;
      if (secret === "yes" || typed.type === "end") this.terminal?.write("\n");
      if (typed.type === "end") this.runner.cancel();
      else this.runner.key(typed.text);
      const isLast = index === lines.length - 1;
      if (this.question !== asked && !isLast) {
        this.refuseRest();
        return;
      }
    }
  }

  // What stands behind an answer was typed before the next question was read.
  private refuseRest(): void {
    if (this.phase === "announced") this.isEarly = this.question !== null;
    else this.terminal?.write(`\n${TOO_EARLY}\n${MARK}`);
  }

  // Keys come raw here, so that giving up is a character.
  private hearEarly(chunk: string): void {
    if (/[\x03\x04]/.test(chunk) && this.question !== null) this.giveUp();
    else {
      this.isEarly = this.question !== null;
      this.runner.typed();
    }
  }
}

class LineDialog implements AskDialog {
  question: PlainQuestion;
  private readonly say: (question: PlainQuestion) => void;

  constructor(question: PlainQuestion, say: (question: PlainQuestion) => void) {
    this.question = question;
    this.say = say;
  }

  /** A whole line is an answer; only lines that were begun after the mark come here. */
  use(): KeyUse {
    return "text";
  }

  frame() {
    return EMPTY_FRAME;
  }

  key(line: string): DialogOutcome {
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

// Typed text as lines. The terminal edits a line itself, except for a secret: there it shows nothing, so that every key comes
// by itself and taking back, ending and giving up are done here.
type TypedLine =
  | { readonly type: "line"; readonly text: string }
  /** Ctrl+D, or Ctrl+C where the terminal does not make a signal of it. */
  | { readonly type: "end" };

const LINE_UNITS_MAX = 64 * 1024;

class TypedLines {
  private text = "";

  /** What is complete by now. `secret`: keys come raw. */
  read(chunk: string, secret: "yes" | "no"): TypedLine[] {
    const found: TypedLine[] = [];
    for (const char of chunk) {
      if (char === "\n" || char === "\r") found.push(this.take());
      else if (char === "\x04" && this.text === "") found.push({ type: "end" });
      else if (secret === "yes") this.secretKey(char, found);
      else this.add(char);
    }
    return found;
  }

  clear(): void {
    this.text = "";
  }

  private secretKey(char: string, found: TypedLine[]): void {
    if (char === "\x03" || char === "\x1b") {
      this.clear();
      found.push({ type: "end" });
    } else if (char === "\x7f" || char === "\b") this.text = Array.from(this.text).slice(0, -1).join("");
    else if (char === "\x15") this.clear();
    else if (char >= " ") this.add(char);
  }

  private add(char: string): void {
    if (this.text.length < LINE_UNITS_MAX) this.text += char;
  }

  private take(): TypedLine {
    const { text } = this;
    this.clear();
    return { type: "line", text };
  }
}
