// The terminal while we own it: raw keys, pastes, size, terminal type, and the only place that writes. The first frame
// waits neither for the terminal's reports nor for key handling: early input is kept until `onInput`.
import type { Size } from "../painter/frame.js";
import type { CellSize } from "../painter/pictures/picture-mark.js";
import { type Environment, type Profile, profileFor, type TerminalAnswers } from "../painter/profile.js";
import { RESTORE_CURSOR, SAVE_CURSOR } from "../painter/sequences.js";
import { pictureWayFor } from "../pictures/picture-way.js";
import { AnswerFilter, type TerminalReport, takeLateAnswers } from "./answers.js";
import { terminalPlace } from "./exit-guard.js";
import {
  ASK_TERMINAL,
  CELL_SIZE_QUERY,
  FENCE_QUERY,
  GIVE_KEYBOARD_BACK,
  MODIFY_OTHER_KEYS_ON,
  TAKE_KEYBOARD,
} from "./modes.js";
import type { InputStream, OutputStream, ProcessEvents, Timers } from "./streams.js";

/** Without reports by then the terminal is treated as generic. */
const ANSWERS_LIMIT_MS = 500;
/** For the last query to a terminal that has answered before. */
const LAST_ANSWER_LIMIT_MS = 1_000;
/** How long the first byte of a possible report is held back. */
const HELD_LIMIT_MS = 25;
const EARLY_UNITS_MAX = 65_536;
const FALLBACK_SIZE: Size = { columns: 80, rows: 24 };

interface TerminalHandlers {
  readonly onKeyboard: (protocol: "kitty" | "legacy") => void;
  readonly onResize: (size: Size) => void;
  /** The cursor's column after a resize, in a terminal that may have moved it. */
  readonly onCursorColumn?: (column: number) => void;
  /** Called once per start, when the reports are complete or the limit has passed. */
  readonly onProfile: (profile: Profile) => void;
  readonly onDrained: () => void;
  readonly onInputClosed: () => void;
  /** The terminal reported its background, or a change of it. */
  readonly onGround?: (sequence: string) => void;
  readonly onCell?: (cell: CellSize) => void;
  /** Input arrived before `onInput`; it is kept in `early`. */
  readonly onTooEarly?: () => void;
}

interface TerminalParts {
  readonly input: InputStream;
  readonly output: OutputStream;
  readonly environment: Environment;
  readonly timers: Timers;
  /**
   * Where SIGWINCH comes from. The stream's own "resize" event is silent when the size is the same as before; the
   * signal reports every change, also one there and back.
   */
  readonly windowEvents?: Pick<ProcessEvents, "on" | "off">;
}

export class OwnedTerminal {
  private readonly parts: TerminalParts;
  private readonly handlers: TerminalHandlers;
  private readonly filter = new AnswerFilter();
  private readonly watch: WindowWatch;
  /** The size from a cursor report, which may be newer than the system's. */
  private told: Size | undefined;
  private writes = 0;
  private isStarted = false;
  early = "";
  /** Until `onInput` names another reader. */
  private readKeys = (keys: string): void => {
    this.early = (this.early + keys).slice(0, EARLY_UNITS_MAX);
    this.handlers.onTooEarly?.();
  };
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

  /** A program that exits earlier would leave the reports to the shell, which takes them for typing. */
  async whenAnswered(): Promise<void> {
    if (this.expecting === "keys") return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Restores keyboard and modes. Safe at any moment and more than once. */
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

  /** Measures the window before a frame: the signal of a change may still be on its way. */
  measure(): void {
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

  /** Where typed bytes go, without reports. */
  onInput(readKeys: (chunk: string) => void): void {
    this.readKeys = readKeys;
    const { early } = this;
    this.early = "";
    if (early !== "") readKeys(early);
  }

  private readonly onData = (chunk: string): void => {
    this.cancelHeld?.();
    const { answers, keys } = this.filter.feed(chunk, this.expecting);
    for (const answer of answers) this.take(answer);
    if (keys !== "") this.readKeys(keys);
    if (this.filter.isHolding) {
      this.cancelHeld = this.parts.timers.after(HELD_LIMIT_MS, () => this.readKeys(this.filter.release()));
    }
  };

  private listenToWindow(how: "on" | "off"): void {
    const { windowEvents, output } = this.parts;
    if (windowEvents === undefined) output[how]("resize", this.onResize);
    else windowEvents[how]("SIGWINCH", this.onResize);
  }

  /** In the background another process would read the report. */
  private get canAskLast(): boolean {
    const answers = this.expecting === "answers" || this.hasAnswered;
    return answers && this.parts.input.isTTY === true && terminalPlace() === "foreground";
  }

  // While we were stopped the shell may have set other modes. Node sets raw mode only when its own value changes.
  private setRawAnew(): void {
    this.parts.input.setRawMode?.(false);
    this.parts.input.setRawMode?.(true);
  }

  // Reads the last reports before the modes are restored, so that the shell does not get them. It also proves that the
  // terminal has read our output: after the restore, ctrl+c makes the system discard unread output.
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

  // Undefined when the system announced the change: then its size is the newest.
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

// Polls tmux for the real window size and cursor. tmux resizes at once but signals at most four times a second, and
// frames drawn for the old size leave gaps in the scrollback.
//
//   window    80×24 ─────── 40×10 ── 20×4 ─────────────────────────
//   tmux says          40×10 at once          20×4, 250 ms later
//   we ask                        ? ? ? 20×4

interface WatchPorts {
  readonly timers: Timers;
  knownSize(): Size;
  /** Counts writes: a report from before the last write does not tell where the cursor is now. */
  writes(): number;
  /** Sends a query that is answered with this many cursor reports. */
  ask(question: string, reports: number): void;
  onOtherSize(size: Size): void;
  onCursorColumn(column: number): void;
}

/** Asks for the cursor, then for the last cell, which is the size. */
const QUESTION = `\x1b[6n${SAVE_CURSOR}\x1b[999;999H\x1b[6n${RESTORE_CURSOR}`;
const REPORTS = 2;
const ASK_EVERY_MS = 15;
/** tmux delays a signal for 250 ms after the one before. */
const ASK_FOR_MS = 300;

class WindowWatch {
  private readonly ports: WatchPorts;
  private asked: "nothing" | "this window" | "a window of before" = "nothing";
  private next: "cursor" | "last cell" = "cursor";
  private writesWhenAsked = 0;
  private cancelAsk: (() => void) | undefined;

  constructor(ports: WatchPorts) {
    this.ports = ports;
  }

  /** The window has changed; pending reports are about the old one. */
  begin(): void {
    if (this.asked === "this window") this.asked = "a window of before";
    this.askLater(ASK_FOR_MS);
  }

  /** A cursor report as it came, counted from 1. */
  answered(place: Size): void {
    if (this.next === "cursor") this.cursorIsAt(place);
    else this.windowIs(place);
  }

  private cursorIsAt({ columns }: Size): void {
    this.next = "last cell";
    const isStillThere = this.asked === "this window" && this.ports.writes() === this.writesWhenAsked;
    if (isStillThere) this.ports.onCursorColumn(columns - 1);
  }

  private windowIs(size: Size): void {
    const { asked } = this;
    this.next = "cursor";
    this.asked = "nothing";
    const known = this.ports.knownSize();
    const isKnown = size.columns === known.columns && size.rows === known.rows;
    if (asked === "this window" && !isKnown) this.ports.onOtherSize(size);
  }

  end(): void {
    this.cancelAsk?.();
    this.asked = "nothing";
    this.next = "cursor";
  }

  // Sends no query while one is unanswered.
  private askLater(leftMs: number): void {
    this.cancelAsk?.();
    if (leftMs <= 0) return;
    this.cancelAsk = this.ports.timers.after(ASK_EVERY_MS, () => {
      if (this.asked === "nothing") {
        this.asked = "this window";
        this.ports.ask(QUESTION, REPORTS);
        this.writesWhenAsked = this.ports.writes();
      }
      this.askLater(leftMs - ASK_EVERY_MS);
    });
  }
}
