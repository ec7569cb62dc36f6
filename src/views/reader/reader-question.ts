// A question of the agent's for the ear: it is opened when it is announced, and each typed line is an answer, asks for
// something to be said again, or leads to the next question. An empty line never answers what has to be decided.
import type { Ask } from "../../contract/asks.js";
import type { KeyUse } from "../../session/typing-guard.js";
import type { AskDialog } from "../../terminal/dialogs/ask-dialog.js";
import type { DialogOutcome } from "../../terminal/painter/dialogs/dialog-keys.js";
import type { FindFilesAt } from "../../terminal/painter/dialogs/file-finder.js";
import { openPlainAsk, type PlainAside } from "../../terminal/painter/dialogs/plain-ask.js";
import type { PlainQuestion } from "../../terminal/painter/dialogs/plain-question.js";
import { EMPTY_FRAME } from "../../terminal/painter/frame.js";

interface ReaderQuestionParts {
  say(lines: readonly string[]): void;
  readonly files: FindFilesAt;
}

export class ReaderQuestion implements AskDialog {
  private readonly ask: Ask;
  private readonly parts: ReaderQuestionParts;
  private first: PlainQuestion;
  private now: PlainQuestion;

  constructor(ask: Ask, parts: ReaderQuestionParts) {
    this.ask = ask;
    this.parts = parts;
    this.first = openPlainAsk(ask, { place: 1, of: 1, files: parts.files });
    this.now = this.first;
  }

  announce(aside: PlainAside): void {
    this.first = openPlainAsk(this.ask, { ...aside, files: this.parts.files });
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
