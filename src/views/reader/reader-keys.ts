// The keyboard of the reader: letters go into the line and are echoed, a few keys act at once. What a line is for (a
// message, an answer, a choice) is settled by its first letter and does not change until it is sent. A text that the agent
// suggests stands on an empty line; while it is new, every key begins a line of the user's own instead.
import type { KeyAction, Keymap } from "../../session/keymap.js";
import { keyName, pastedText, typedText } from "../../terminal/dialogs/key-names.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { safeLine, safeLines } from "../../text/safe.js";
import { graphemes, textWidth } from "../../text/width.js";
import type { Written } from "../inline/composer.js";
import type { DraftKeeper } from "../inline/draft-file.js";
import type { PromptHistory } from "../inline/history-file.js";
import { commandsLike } from "./reader-commands.js";
import type { Speech } from "./speech.js";

export type LinePurpose =
  | { readonly type: "message" }
  /** It did not begin with the user's own letters: never a command. */
  | { readonly type: "prompt" }
  | { readonly type: "choice" }
  | { readonly type: "answer"; readonly askId: string; readonly secret: "yes" | "no"; readonly takesText: boolean };

export interface ReaderKeyParts {
  readonly keymap: Keymap;
  readonly history: PromptHistory;
  readonly draft: DraftKeeper;
  readonly columns: number;
  readonly clock: ScreenClock;
  readonly speech: Speech;
  commandNames(): readonly string[];
  /** What a line that is begun now would be for. */
  purpose(): LinePurpose;
  /** How long a suggestion takes no key. */
  readonly quietMs: number;
  onTyped(line: "answer" | "other"): void;
  onLine(text: string, as: Written["as"]): void;
  /** The suggestion is the user's now: edited, cleared or sent. */
  onTaken(): void;
  onAnswer(askId: string, line: string): void;
  onChoice(line: string): void;
  /** Closes a list or cancels a question; false when there is neither. */
  cancelInnermost(): boolean;
  stopWork(): boolean;
  interrupt(clear: () => boolean): void;
  leave(): void;
  edit(written: Written): void;
  /** false when the action means nothing here. */
  act(action: KeyAction): boolean;
  say(line: string): void;
}

/** An Enter that follows the first letter faster than this was pasted with it. */
const PASTED_WITHIN_MS = 20;
const ALL_AT_ONCE = "Notice: that came all at once, like a paste. Press enter to send it.";
const PASTED = "Notice: a paste answers no question.";
const LABELS = { message: "You: ", prompt: "You: ", choice: "Choice: ", answer: "Answer: " } as const;
const SUGGESTED = "Notice: the agent suggests this message. Enter sends it, control c clears it.";

export class ReaderKeys {
  readonly editor: LineEditor;
  private readonly parts: ReaderKeyParts;
  private readonly history: SentHistory;
  private purpose: LinePurpose = { type: "message" };
  /** What stands on the line as the agent suggested it, and since when. */
  private suggested: { readonly text: string; readonly sinceMs: number } | null = null;
  /** Whether the line was empty after the last key. One that has vanished since then is typed again as a message. */
  private wasEmpty = true;
  private begunAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ReaderKeyParts) {
    this.parts = parts;
    this.editor = new LineEditor(parts.columns);
    this.history = new SentHistory(parts.history);
  }

  /** A text to continue. */
  setText(text: string, as: Written["as"] = "typed"): void {
    this.parts.speech.endLine();
    this.suggested = null;
    this.purpose = { type: as === "prompt" ? "prompt" : "message" };
    this.editor.echo = "plain";
    this.show(this.editor.replace(text, LABELS.message));
  }

  /** What the user has typed, which a suggestion is not; to be set again later. */
  get draft(): Written {
    return this.suggested === null ? { text: this.editor.text, as: this.as } : { text: "", as: "typed" };
  }

  /** Puts what the agent suggests on an empty line; null takes it away again. */
  suggest(suggestion: string | null): void {
    const text = suggestion === null ? null : safeLines(suggestion).join("\n");
    if (text === (this.suggested?.text ?? null) || this.draft.text !== "") return;
    if (this.suggested !== null) this.leaveLine();
    this.suggested = null;
    this.purpose = { type: "message" };
    if (text === null) return;
    this.parts.say(SUGGESTED);
    this.setText(text, "prompt");
    this.suggested = { text, sinceMs: this.parts.clock.nowMs() };
  }

  key(sequence: string): void {
    const { clock, quietMs } = this.parts;
    if (this.suggested !== null && clock.nowMs() - this.suggested.sinceMs < quietMs) this.suggest(null);
    this.act(sequence);
    if (this.suggested !== null && this.editor.text !== this.suggested.text) {
      this.suggested = null;
      this.parts.onTaken();
    }
    this.wasEmpty = this.draft.text === "";
  }

  private act(sequence: string): void {
    const name = (keyName(sequence) ?? "").toLowerCase();
    const action = this.parts.keymap.actionFor(name);
    const own = (action === null ? undefined : this.actions[action]) ?? this.edits[name];
    const pasted = pastedText(sequence);
    const text = pasted ?? typedText(sequence);
    if (pasted !== null && this.isDeciding) this.parts.say(PASTED);
    else if (pasted === null && own !== undefined) own();
    else if (pasted === null && action !== null && this.parts.act(action)) return;
    else if (text !== "") this.type(text.replace(/\r\n?/g, "\n"));
  }

  private readonly edits: Readonly<Record<string, () => void>> = {
    enter: () => this.enter(),
    backspace: () => this.erase(),
    "ctrl+w": () => this.retype(this.editor.text.replace(/\S*\s*$/, "")),
    "ctrl+u": () => this.retype(""),
    up: () => this.recall("back"),
    down: () => this.recall("forward"),
    tab: () => this.complete(),
  };

  private readonly actions: Readonly<Partial<Record<KeyAction, () => void>>> = {
    submit: () => this.enter(),
    "previous-line": () => this.recall("back"),
    "next-line": () => this.recall("forward"),
    newline: () => this.type("\n"),
    cancel: () => this.ctrlC(),
    abort: () => this.escape(),
    leave: () => (this.editor.isEmpty ? this.parts.leave() : undefined),
    redraw: () => this.show(this.editor.again()),
    "external-editor": () => this.parts.edit({ text: this.leaveLine(), as: this.as }),
  };

  private get as(): Written["as"] {
    return this.purpose.type === "prompt" ? "prompt" : "typed";
  }

  private type(text: string): void {
    if (this.editor.isEmpty) {
      this.begunAtMs = this.parts.clock.nowMs();
      this.purpose = this.wasEmpty ? this.parts.purpose() : { type: "message" };
      this.editor.echo = this.purpose.type === "answer" && this.purpose.secret === "yes" ? "masked" : "plain";
      this.parts.speech.endLine();
    }
    this.show(this.editor.type(text, LABELS[this.purpose.type]));
  }

  private show(bytes: string): void {
    this.parts.speech.echo(bytes);
    if (this.purpose.type === "message") this.parts.draft.changed(this.editor.text);
    this.typed(this.purpose);
  }

  private typed({ type }: LinePurpose): void {
    this.parts.onTyped(type === "answer" ? "answer" : "other");
  }

  private erase(): void {
    this.show(this.editor.backspace());
  }

  private retype(text: string): void {
    if (this.editor.isEmpty) return;
    this.parts.speech.endLine();
    const bytes = this.editor.replace(text, LABELS[this.purpose.type]);
    this.show(bytes);
    if (bytes === "") this.parts.say("Notice: the line is empty.");
  }

  private leaveLine(): string {
    this.parts.speech.endLine();
    return this.editor.take();
  }

  /** Whether the line chooses one of a few answers. */
  private get isDeciding(): boolean {
    const purpose = this.editor.isEmpty ? this.parts.purpose() : this.purpose;
    return purpose.type === "answer" && !purpose.takesText;
  }

  private enter(): void {
    const isPasted = !this.editor.isEmpty && this.parts.clock.nowMs() - this.begunAtMs < PASTED_WITHIN_MS;
    if (isPasted && this.isDeciding) {
      const text = this.leaveLine();
      this.parts.say(ALL_AT_ONCE);
      this.show(this.editor.replace(text, LABELS.answer));
      return;
    }
    const purpose = this.editor.isEmpty && this.wasEmpty ? this.parts.purpose() : this.purpose;
    const text = this.leaveLine();
    this.purpose = { type: "message" };
    this.editor.echo = "plain";
    this.typed(purpose);
    if (purpose.type === "choice") this.parts.onChoice(text);
    else if (purpose.type === "answer" && (purpose.takesText || !text.startsWith("/"))) {
      this.parts.onAnswer(purpose.askId, text);
    } else this.send(text, purpose.type === "prompt" ? "prompt" : "typed");
  }

  private send(text: string, as: Written["as"]): void {
    if (text.trim() === "") return;
    if (as === "typed") this.history.add(text);
    this.parts.draft.changed("");
    this.parts.onLine(text, as);
  }

  private recall(direction: "back" | "forward"): void {
    if (!this.editor.isEmpty && this.purpose.type !== "message" && this.purpose.type !== "prompt") return;
    const text = this.history.step(direction, this.as === "prompt" ? "" : this.editor.text);
    if (text === null) this.interrupt(direction === "back" ? "Notice: nothing older." : "Notice: nothing newer.");
    else this.setText(text);
  }

  private complete(): void {
    if (this.purpose.type !== "message") return;
    const found = commandsLike(this.editor.text, this.parts.commandNames());
    const [only] = found;
    if (found.length === 1 && only !== undefined) this.type(`${only.slice(this.editor.text.length - 1)} `);
    else if (found.length > 1) {
      this.interrupt(`${found.length} commands: ${found.map((name) => `/${name}`).join(", ")}.`);
    }
  }

  // Messages about the line itself are not held back; the line continues after them.
  private interrupt(words: string): void {
    const { as } = this;
    const text = this.leaveLine();
    this.parts.say(words);
    this.setText(text, as);
  }

  private escape(): void {
    if (this.editor.isEmpty) {
      if (!this.parts.cancelInnermost()) this.parts.stopWork();
    } else if (this.purpose.type === "message" && this.parts.stopWork()) return;
    else this.retype("");
  }

  // It closes what is open, clears what was typed, or stops the agent, in this order; twice in a row it leaves.
  private ctrlC(): void {
    if (this.editor.isEmpty && this.parts.cancelInnermost()) return;
    this.parts.interrupt(() => {
      const isWritten = !this.editor.isEmpty;
      this.retype("");
      return isWritten;
    });
  }
}

/** Goes back through what was sent before, one step at a time, and forward again to what was being written. */
class SentHistory {
  private readonly history: PromptHistory;
  private readonly sent: string[];
  /** How far back one is; 0 is the line that is being written. */
  private back = 0;
  private draft = "";

  constructor(history: PromptHistory) {
    this.history = history;
    this.sent = history.load();
  }

  add(text: string): void {
    this.back = 0;
    if (text === this.sent.at(-1)) return;
    this.sent.push(text);
    this.history.append(text);
  }

  /** null when there is nothing further in this direction. */
  step(direction: "back" | "forward", now: string): string | null {
    const next = this.back + (direction === "back" ? 1 : -1);
    if (next < 0 || next > this.sent.length) return null;
    if (this.back === 0) this.draft = now;
    this.back = next;
    return next === 0 ? this.draft : (this.sent.at(-next) ?? null);
  }
}

// Line input on an append-only terminal: letters are echoed as they are typed, Backspace removes the last one, and any other
// change repeats the line on a new row. The cursor cannot move inside the line; the external editor is there for that.

/** A paste of more is told by its size. */
const ECHOED_UNITS_MAX = 400;
const TEXT_UNITS_MAX = 1024 * 1024;

class LineEditor {
  text = "";
  /** "masked" for a secret. */
  echo: "plain" | "masked" = "plain";
  columns: number;
  private label = "";
  /** Cells since the line began, by which one knows where the terminal broke it. */
  private cells = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  get isEmpty(): boolean {
    return this.text === "";
  }

  /** What stands on the terminal for it; empty when nothing is typed. */
  get shown(): string {
    return this.isEmpty ? "" : this.label + this.picture(this.text);
  }

  /** The bytes that show the text at the end of the line. `label` is said once, before the first letter. */
  type(text: string, label: string): string {
    const fits = text.slice(0, Math.max(0, TEXT_UNITS_MAX - this.text.length));
    const opening = this.begin(label);
    this.text += fits;
    const picture = this.picture(fits);
    this.cells += textWidth(picture);
    return opening + picture;
  }

  /** The bytes that take the last character back. */
  backspace(): string {
    const last = graphemes(this.text.split("\n").at(-1) ?? "").at(-1);
    if (this.isEmpty) return "";
    const before = this.text;
    this.text = last === undefined ? before.slice(0, -1) : before.slice(0, -last.length);
    const cells = last === undefined ? 0 : textWidth(this.picture(last));
    const column = this.cells % Math.max(1, this.columns);
    // At the start of a row "\b" cannot go back to the one above.
    if (last === undefined || column < cells || column === 0 || !isOnOneRow(before)) return this.again();
    this.cells -= cells;
    return "\b".repeat(cells) + " ".repeat(cells) + "\b".repeat(cells);
  }

  /** Another text instead; it is said on a new line. */
  replace(text: string, label: string): string {
    this.text = "";
    this.label = "";
    return text === "" ? "" : this.type(text, label);
  }

  /** The text as it is, on a new line. */
  again(): string {
    if (this.isEmpty) return "";
    const { label, text } = this;
    return `\r\n${this.replace(text, label)}`;
  }

  take(): string {
    const { text } = this;
    this.text = "";
    this.label = "";
    this.cells = 0;
    return text;
  }

  private begin(label: string): string {
    if (!this.isEmpty) return "";
    this.label = label;
    this.cells = textWidth(label);
    return label;
  }

  private picture(text: string): string {
    if (this.echo === "masked") return "*".repeat(graphemes(text).length);
    const lines = text.split("\n");
    if (text.length > ECHOED_UNITS_MAX) {
      const size = lines.length > 1 ? `${lines.length} lines` : `${text.length} characters`;
      return `(${size}: ${safeLine(text.slice(0, 40))} and more)`;
    }
    return lines.map((line) => safeLines(line)[0] ?? "").join("\r\n");
  }
}

function isOnOneRow(text: string): boolean {
  return text.length <= ECHOED_UNITS_MAX && !text.includes("\n");
}
