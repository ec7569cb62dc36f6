// The terminal while it is ours: raw keys, bracketed pastes, the size and its changes, what kind of terminal it is, and the
// one place that writes. The first frame waits neither for the terminal's answers, which come later as an event, nor for
// the code that understands keys: what is typed before `onInput` listens is kept for it.

import type { Size } from "../painter/frame.js";
import type { CellSize } from "../painter/pictures/picture-area.js";
import { type Environment, type Profile, profileFor, type TerminalAnswers } from "../painter/profile.js";
import { pictureWayFor } from "../pictures/picture-way.js";
import { AnswerFilter, type TerminalReport } from "./answers.js";
import { terminalPlace } from "./foreground.js";
import { takeLateAnswers } from "./late-answers.js";
import {
  ASK_TERMINAL,
  CELL_SIZE_QUERY,
  FENCE_QUERY,
  GIVE_KEYBOARD_BACK,
  MODIFY_OTHER_KEYS_ON,
  TAKE_KEYBOARD,
} from "./modes.js";
import type { InputStream, OutputStream, ProcessEvents, Timers } from "./streams.js";
import { WindowWatch } from "./window-watch.js";

/** A terminal that has said nothing by then is a generic one. */
const ANSWERS_LIMIT_MS = 500;
/** How long a terminal that has answered before may take to answer the last question. */
const LAST_ANSWER_LIMIT_MS = 1_000;
/** How long the first byte of a possible answer may be held back before it counts as a key. */
const HELD_LIMIT_MS = 25;
/** What somebody can type while the program is still loading. */
const EARLY_UNITS_MAX = 65_536;
const FALLBACK_SIZE: Size = { columns: 80, rows: 24 };

interface TerminalHandlers {
  /** Called when the terminal has said how it reports keys. */
  readonly onKeyboard: (protocol: "kitty" | "legacy") => void;
  readonly onResize: (size: Size) => void;
  /** Where the cursor waits after a resize, in a terminal that may have put it elsewhere. */
  readonly onCursorColumn?: (column: number) => void;
  /** Called at most once per start, when the answers are complete or the limit has passed. */
  readonly onProfile: (profile: Profile) => void;
  readonly onDrained: () => void;
  readonly onInputClosed: () => void;
  /** The terminal said what its background is, or that it has changed. */
  readonly onGround?: (sequence: string) => void;
  /** How large a character cell is. */
  readonly onCell?: (cell: CellSize) => void;
  /** Something was typed before anybody reads; it is kept in `early`. */
  readonly onTooEarly?: () => void;
}

interface TerminalParts {
  readonly input: InputStream;
  readonly output: OutputStream;
  readonly environment: Environment;
  readonly timers: Timers;
  /**
   * Where the news of a changed window comes from. The stream's own event keeps quiet when the size is what it was before;
   * the signal tells of every change, also of one there and back.
   */
  readonly windowEvents?: Pick<ProcessEvents, "on" | "off">;
}

export class OwnedTerminal {
  private readonly parts: TerminalParts;
  private readonly handlers: TerminalHandlers;
  private readonly filter = new AnswerFilter();
  private readonly watch: WindowWatch;
  /** The size that the terminal told itself, before the system did. */
  private told: Size | undefined;
  private writes = 0;
  private isStarted = false;
  private readKeys: ((chunk: string) => void) | undefined;
  /** What was typed before anybody wanted to read it. */
  early = "";
  private answers: TerminalAnswers = {};
  private expecting: "answers" | "keys" = "keys";
  private hasAnswered = false;
  private hasKittyKeys = false;
  private readonly waiting: (() => void)[] = [];
  private cancelLimit: (() => void) | undefined;
  private cancelHeld: (() => void) | undefined;

  constructor(parts: TerminalParts, handlers: TerminalHandlers) {
    this.parts = parts;
    this.handlers = handlers;
    this.watch = new WindowWatch({
      timers: parts.timers,
      knownSize: () => this.size,
      writes: () => this.writes,
      ask: (question, reports) => {
        this.filter.cursorReports += reports;
        this.write(question);
      },
      onOtherSize: (size) => this.windowIs(size),
      onCursorColumn: (column) => handlers.onCursorColumn?.(column),
    });
  }

  get size(): Size {
    const { columns, rows } = this.told ?? this.parts.output;
    return { columns: columns || FALLBACK_SIZE.columns, rows: rows || FALLBACK_SIZE.rows };
  }

  /** What can be said before the terminal has answered anything. */
  get firstProfile(): Profile {
    return profileFor(this.answers, this.parts.environment);
  }

  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    const { input, output, timers } = this.parts;
    input.setRawMode?.(true);
    input.setEncoding("utf8");
    input.on("data", this.onData);
    input.on("end", this.onEnd);
    this.listenToWindow("on");
    output.on("drain", this.onDrain);
    input.resume();
    this.expecting = "answers";
    const asksForCell = pictureWayFor(this.parts.environment) !== "none";
    this.write(TAKE_KEYBOARD + (asksForCell ? CELL_SIZE_QUERY : "") + ASK_TERMINAL);
    this.cancelLimit = timers.after(ANSWERS_LIMIT_MS, () => this.concludeAnswers());
  }

  /** A program that ends before the answers came would leave them to the shell, which takes them for typing. */
  async whenAnswered(): Promise<void> {
    if (this.expecting === "keys") return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Gives keyboard and modes back. Safe to call at any moment and more than once. */
  stop(): void {
    if (!this.isStarted) return;
    this.isStarted = false;
    const { input, output } = this.parts;
    this.cancelLimit?.();
    this.cancelHeld?.();
    this.watch.end();
    this.filter.cursorReports = 0;
    this.told = undefined;
    input.off("data", this.onData);
    input.off("end", this.onEnd);
    this.listenToWindow("off");
    output.off("drain", this.onDrain);
    const asksLast = this.canAskLast;
    if (asksLast) this.setRawAnew();
    this.write(GIVE_KEYBOARD_BACK);
    if (asksLast) this.takeLateAnswers();
    input.pause();
    input.setRawMode?.(false);
  }

  /** Measures the window: who is about to scroll should not wait for the news of a change, which may be on its way. */
  look(): void {
    const { output, windowEvents } = this.parts;
    const { columns, rows } = output;
    output._refreshSize?.();
    const isSame = output.columns === columns && output.rows === rows;
    if (!isSame && windowEvents !== undefined) this.windowIs(undefined);
  }

  /** The only write of the program to its terminal. */
  write(bytes: string): "drained" | "full" {
    this.writes += 1;
    return this.parts.output.write(bytes) ? "drained" : "full";
  }

  /** Where typed bytes go, free of the terminal's answers. */
  onInput(readKeys: (chunk: string) => void): void {
    this.readKeys = readKeys;
    const { early } = this;
    this.early = "";
    if (early !== "") readKeys(early);
  }

  private pass(keys: string): void {
    if (keys === "") return;
    if (this.readKeys !== undefined) this.readKeys(keys);
    else {
      this.early = (this.early + keys).slice(0, EARLY_UNITS_MAX);
      this.handlers.onTooEarly?.();
    }
  }

  private readonly onData = (chunk: string): void => {
    this.cancelHeld?.();
    const { answers, keys } = this.filter.feed(chunk, this.expecting);
    for (const answer of answers) this.take(answer);
    this.pass(keys);
    if (this.filter.isHolding) {
      this.cancelHeld = this.parts.timers.after(HELD_LIMIT_MS, () => this.pass(this.filter.release()));
    }
  };

  private listenToWindow(how: "on" | "off"): void {
    const { windowEvents, output } = this.parts;
    if (windowEvents === undefined) output[how]("resize", this.onResize);
    else windowEvents[how]("SIGWINCH", this.onResize);
  }

  /** Somebody else reads the terminal when it is not ours any more, and would get the answer. */
  private get canAskLast(): boolean {
    const answers = this.expecting === "answers" || this.hasAnswered;
    return answers && this.parts.input.isTTY === true && terminalPlace() === "foreground";
  }

  // While we were stopped the shell may have set other modes, in which no answer could be read. Node sets ours only when they
  // are not what it set last.
  private setRawAnew(): void {
    this.parts.input.setRawMode?.(false);
    this.parts.input.setRawMode?.(true);
  }

  // What the shell must not read has to come before the modes are changed. So has the news that the terminal has read what we
  // wrote: from then on a ctrl+c makes the system throw away what it has not, and the terminal would stay as we had it.
  private takeLateAnswers(): void {
    const ask = () => void (this.expecting === "keys" && this.write(FENCE_QUERY));
    const begun = this.filter.release();
    const isFence = (text: string) =>
      new AnswerFilter().feed(begun + text, "answers").answers.some(({ type }) => type === "fence");
    takeLateAnswers(ask, isFence, this.hasAnswered ? LAST_ANSWER_LIMIT_MS : ANSWERS_LIMIT_MS);
  }

  private readonly onEnd = (): void => this.handlers.onInputClosed();
  private readonly onResize = (): void => this.windowIs(undefined);
  private readonly onDrain = (): void => this.handlers.onDrained();

  // Undefined when the system says that it has changed: then the system knows best.
  private windowIs(size: Size | undefined): void {
    this.told = size;
    if (this.hasAnswered && this.firstProfile.name === "tmux") this.watch.begin();
    this.handlers.onResize(this.size);
  }

  private take(answer: TerminalReport): void {
    switch (answer.type) {
      case "version":
        this.answers = { ...this.answers, version: answer.text };
        break;
      case "secondary-attributes":
        this.answers = { ...this.answers, secondaryAttributes: answer.params };
        break;
      case "mode":
        if (answer.mode === 2026) this.answers = { ...this.answers, synchronizedUpdates: answer.value };
        break;
      case "keyboard-flags":
        this.hasKittyKeys = answer.flags > 0;
        break;
      case "ground":
        this.handlers.onGround?.(answer.sequence);
        break;
      case "cell":
        if (answer.widthPx > 0 && answer.heightPx > 0) this.handlers.onCell?.(answer);
        break;
      case "window":
        this.watch.answered(answer.size);
        break;
      case "fence":
        this.hasAnswered = true;
        this.concludeAnswers();
        break;
    }
  }

  private concludeAnswers(): void {
    if (this.expecting === "keys") return;
    this.expecting = "keys";
    this.cancelLimit?.();
    for (const resolve of this.waiting.splice(0)) resolve();
    if (!this.hasKittyKeys) this.write(MODIFY_OTHER_KEYS_ON);
    this.handlers.onKeyboard(this.hasKittyKeys ? "kitty" : "legacy");
    this.handlers.onProfile(profileFor(this.answers, this.parts.environment));
  }
}
