// Asks as mini dialogs: one at a time, first come first served. A dialog is drawn at once and takes keys only after a quiet
// moment, so that what was typed for the shell answers nothing. What a dialog cannot show whole is opened on the same screen.
import type { Ask } from "../../contract/asks.js";
import { isApproval } from "../../session/ask-facts.js";
import { hostTui } from "../../terminal/component-host.js";
import { type AskDialog, openAskDialog } from "../../terminal/dialogs/ask-dialog.js";
import { isKeyRelease, keyName, typedText } from "../../terminal/dialogs/key-names.js";
import type { Appearance } from "../../terminal/painter/blocks/glyphs.js";
import { wholeRows } from "../../terminal/painter/dialogs/approval-body.js";
import type { DialogRequest } from "../../terminal/painter/dialogs/dialog-keys.js";
import { BAR_CELLS, fitted } from "../../terminal/painter/dialogs/dialog-rows.js";
import type { RichRows } from "../../terminal/painter/dialogs/rich-rows.js";
import type { Frame, Size } from "../../terminal/painter/frame.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { type GroundHints, hintIn } from "../../terminal/painter/style/theme-choice.js";
import { viewerFrame } from "../../terminal/painter/viewer/viewer-frame.js";
import { viewerIntent } from "../../terminal/painter/viewer/viewer-keys.js";
import { openViewer, reduceViewer, type ViewerState } from "../../terminal/painter/viewer/viewer-state.js";
import { plainText, rowWidth, sliceRow } from "../../text/row.js";
import { safeReveal } from "../../text/safe.js";
import type { AskPhaseChange, GivenToDialog } from "../inline/ask-controller.js";
import type { AskViewPorts } from "./ask-view.js";
import type { MiniTerminalParts } from "./mini-terminal.js";
import { type AskTiming, TerminalAskView } from "./terminal-ask-view.js";

/** What a mini dialog needs of a terminal; a test plays one. */
export interface DialogTerminal {
  readonly size: Size;
  draw(): void;
  close(): Promise<void>;
}

export interface DialogViewParts extends AskTiming {
  readonly environment: Environment;
  /** The look on a background; nothing is known of it at first. */
  lookOn(ground: GroundHints): Appearance;
  /** Missing where no approval comes with a diff or with Markdown. */
  readonly rich?: RichRows | undefined;
  /** "below": under what a script printed, in the rows it needs. */
  readonly place?: MiniTerminalParts["place"] | undefined;
  /** "user": a script of the user's own asks, whose defaults Enter takes. */
  readonly author?: "user" | undefined;
  /** Takes the terminal; null when it cannot be had any more. */
  openTerminal(parts: MiniTerminalParts): DialogTerminal | null;
}

const WAITING = "waiting for you to finish typing";
const NOWHERE: Size = { columns: 80, rows: 24 };

const EARLY_KEYS_MAX = 1_000;

export class DialogView extends TerminalAskView<DialogTerminal> {
  private readonly early: string[] = [];
  protected override readonly manner = "drawn";
  private readonly parts: DialogViewParts;
  /** Dialogs hold it: its fields change when the terminal reports its background. */
  private readonly look: { -readonly [Key in keyof Appearance]: Appearance[Key] };
  private reading: ViewerState | null = null;

  constructor(parts: DialogViewParts, ports: AskViewPorts) {
    super(parts, ports);
    this.parts = parts;
    this.look = { ...parts.lookOn({}) };
  }

  protected override openTerminal(): DialogTerminal | null {
    const { clock, environment } = this.parts;
    return this.parts.openTerminal({
      ...{ clock, environment, place: this.place },
      view: (size) => this.frame(size),
      onKey: (sequence) => this.key(sequence),
      onResize: (size) => {
        if (this.reading !== null) this.reading = reduceViewer(this.reading, { type: "resize", size });
      },
      onGone: () => this.disconnected(),
      onGround: (sequence) => {
        Object.assign(this.look, this.parts.lookOn(hintIn(sequence) ?? {}));
        this.terminal?.draw();
      },
    });
  }

  private get place(): MiniTerminalParts["place"] {
    return this.parts.place ?? "over";
  }

  protected override openDialog(ask: Ask, given: GivenToDialog): AskDialog | null {
    const tui = hostTui({ size: () => this.size, onRenderWanted: () => this.terminal?.draw() });
    const aside = () => asideWords(ask, this.runner.waiting);
    const { look } = this;
    const { author, rich } = this.parts;
    const own = author === undefined ? {} : { author };
    // There is nothing else here to type into.
    return openAskDialog(ask, { ...given, look, rich, tui, aside, fulfils: ["whole"], letters: "lead", ...own });
  }

  protected override show(change: AskPhaseChange): void {
    if (change === "gone") {
      this.reading = null;
      this.early.length = 0;
      return;
    }
    if (this.runner.shown?.phase === "active") for (const key of this.early.splice(0)) this.runner.key(key);
    this.terminal?.draw();
  }

  // In a question of the user's own script. Enter is not kept: it must see what it sends.
  protected override typedEarly(key: string): void {
    const question = this.parts.author === "user" ? this.runner.shown?.ask.question : undefined;
    const isKept = question !== undefined && isKeptEarly(question, typedText(key));
    if (isKept && this.early.length < EARLY_KEYS_MAX) this.early.push(key);
  }

  protected override fulfil(view: AskDialog, request: DialogRequest): void {
    const whole = request.type === "whole" ? (view.whole?.() ?? null) : null;
    if (whole === null) return;
    // A text begins with its title; a diff has none in it, so the file it is about is said.
    const heading = whole.kind === "diff" ? [safeReveal(whole.title), ""] : [];
    const lines = [...heading, ...wholeRows(whole, this.look, this.parts.rich)];
    const opened = openViewer({ lines, marks: [] }, this.size);
    this.reading = reduceViewer(opened, { type: "go", to: "start" });
  }

  private get size(): Size {
    return this.terminal?.size ?? NOWHERE;
  }

  private key(sequence: string): void {
    if (isKeyRelease(sequence)) return;
    if (this.reading !== null) {
      this.readOn(this.reading, sequence);
      this.runner.typed();
    } else this.runner.key(sequence);
    this.terminal?.draw();
  }

  private readOn(reading: ViewerState, sequence: string): void {
    const intent = viewerIntent(reading, typedText(sequence) || keyName(sequence) || "");
    if (intent !== null) this.reading = intent.type === "close" ? null : reduceViewer(reading, intent);
  }

  private frame(size: Size): Frame {
    const { look } = this;
    if (this.reading !== null) return viewerFrame(this.reading, look);
    const { shown } = this.runner;
    if (shown === null) return { rows: [], cursor: null };
    const { ask, view, phase } = shown;
    const dialog = (widthCells: number, rowsMax: number) => view.frame(widthCells, rowsMax);
    const shownView = { ask, dialog, waiting: phase === "pending" || phase === "waiting" ? WAITING : null };
    return this.place === "below" ? belowFrame(shownView, size, look) : miniFrame(shownView, size, look);
  }
}

/** Text or a search, which is typed ahead; never an answer, or the mark of a choice that is not seen yet. */
function isKeptEarly(question: Ask["question"], text: string): boolean {
  if (text === "") return false;
  const { kind, params } = question;
  if (kind === "select") return text !== " " || params.opts?.multiple !== true;
  if (kind === "form") return TYPED_FIELDS.has(params.fields[0]?.kind);
  return kind === "input" || kind === "editor" || kind === "files";
}

const TYPED_FIELDS: ReadonlySet<string | undefined> = new Set(["text", "secret", "number"]);

function asideWords({ origin }: Ask, waiting: number): string {
  const more = waiting === 0 ? "" : `${waiting} more`;
  const from = origin.name === undefined || origin.kind === "agent" ? "" : `from ${origin.name}`;
  return [more, from].filter(Boolean).join("  ");
}

// The mini dialog as rows of a whole window: the dialog of the terminal UI without its bar, in a frame in the middle. The
// title goes into the frame when it fits, and the names of the keys do. Its left edge is the bar of every dialog, which text
// from outside cannot have: a frame that an agent prints has none.
//
//        ┌ Enter feature name ────────────────────┐
//        ▌                                        │
//        ▌ › checkout-v2▏                         │
//        ▌                                        │
//        └ enter send · esc cancel ───────────────┘

/** The frame and a blank on each side. */
const SIDE_CELLS = 4;
/** Its first row and its last. */
const FRAME_ROWS = 2;
/** Smaller windows have no room to give away: the dialog stands in them without a frame. */
const FRAMED_COLUMNS_MIN = 24;
const FRAMED_ROWS_MIN = 7;

/** What the question is at least as wide as, where the window is. */
const WIDTH_MIN: Readonly<Partial<Record<Ask["question"]["kind"], number>>> = { input: 44, form: 64, editor: 72 };
const WIDTH_MIN_DEFAULT = 56;
const WIDTH_MIN_APPROVAL = 72;

interface MiniView {
  readonly ask: Ask;
  /** The dialog at a width, in no more rows than these. */
  readonly dialog: (widthCells: number, rowsMax: number) => Frame;
  /** While the dialog takes no keys yet, these words stand where the keys are named. */
  readonly waiting: string | null;
}

/** The blank row above the dialog, the row below it, and the last one that was printed. */
const ROWS_AROUND = 3;
/** A low window gives the dialog these instead. */
const ROWS_LEAST = 5;

/** The dialog below what was printed: with its bar, in the rows it needs. */
function belowFrame({ dialog, waiting }: MiniView, size: Size, look: Appearance): Frame {
  const width = Math.max(1, size.columns - 1);
  const rowsMax = Math.max(size.rows - ROWS_AROUND, Math.min(size.rows - 1, ROWS_LEAST), 1);
  const { rows, cursor } = dialog(width, rowsMax);
  const last = rows.at(-1) ?? "";
  const isHinted = isHint(sliceRow(last, BAR_CELLS, width), look) && cursor?.row !== rows.length - 1;
  if (waiting === null || !isHinted) return { rows, cursor };
  const words = look.style.paint("dim", fitted(waiting, width - BAR_CELLS, look.glyphs));
  return { rows: [...rows.slice(0, -1), sliceRow(last, 0, BAR_CELLS) + words], cursor };
}

function miniFrame({ ask, dialog, waiting }: MiniView, size: Size, look: Appearance): Frame {
  if (size.columns < FRAMED_COLUMNS_MIN || size.rows < FRAMED_ROWS_MIN) {
    return dialog(Math.max(1, size.columns - 1), Math.max(1, size.rows));
  }
  const width = boxWidth(ask, size.columns);
  const inner = width - SIDE_CELLS;
  const { title, body, hint } = fittingParts((rowsMax) => {
    return parted(withoutBar(dialog(inner + BAR_CELLS, rowsMax), inner), ask, inner, look);
  }, size.rows);
  const shown = waiting === null ? hint : look.style.paint("dim", fitted(waiting, inner, look.glyphs));
  const padded = padding(body);
  return centred({ ...padded, title, hint: shown }, width, size, look);
}

/** Half of the window, or what the question needs. */
function boxWidth(ask: Ask, columns: number): number {
  const { kind } = ask.question;
  const least = isApproval(ask) ? WIDTH_MIN_APPROVAL : (WIDTH_MIN[kind] ?? WIDTH_MIN_DEFAULT);
  return Math.min(Math.max(Math.floor(columns / 2), least), columns - 2);
}

function withoutBar({ rows, cursor }: Frame, inner: number): Frame {
  return {
    rows: rows.map((row) => sliceRow(row, BAR_CELLS, BAR_CELLS + inner)),
    cursor:
      cursor === null ? null : { row: cursor.row, column: Math.max(0, Math.min(cursor.column - BAR_CELLS, inner - 1)) },
  };
}

interface Parts {
  readonly title: string;
  readonly body: Frame;
  readonly hint: string;
}

// A title and the keys that go into the frame leave their rows to what is asked about.
function fittingParts(partsFor: (rowsMax: number) => Parts, rows: number): Parts {
  const roomy = partsFor(rows);
  return roomy.body.rows.length <= rows - FRAME_ROWS ? roomy : partsFor(rows - FRAME_ROWS);
}

// The first row is the title when all of it is there; the last one names keys unless the cursor stands in it.
function parted({ rows, cursor }: Frame, ask: Ask, inner: number, look: Appearance): Parts {
  const title = safeReveal(ask.question.params.title);
  const hasTitle = rows.length > 1 && title !== "" && plainText(rows[0] ?? "").startsWith(title);
  const last = rows.at(-1) ?? "";
  const hasHint = rows.length > 2 && isHint(last, look) && cursor?.row !== rows.length - 1;
  const from = hasTitle && rowWidth(rows[0] ?? "") <= inner - 2 ? 1 : 0;
  const body = rows.slice(from, hasHint ? rows.length - 1 : rows.length);
  return {
    title: from === 1 ? (rows[0] ?? "") : "",
    hint: hasHint ? last : "",
    body: { rows: body, cursor: cursor === null ? null : { ...cursor, row: cursor.row - from } },
  };
}

const HINT = /^(?:enter|type|tab|space|esc|ctrl|shift|any|up|waiting|d|y\/n)\b/;

function isHint(row: string, { style }: Appearance): boolean {
  const opening = style.paint("dim", "x").split("x")[0] ?? "";
  return row.startsWith(opening) && HINT.test(plainText(row));
}

// One line of text stands between two blank ones, so that it can be seen.
function padding({ rows, cursor }: Frame): Frame {
  if (rows.length !== 1) return { rows, cursor };
  return { rows: ["", ...rows, ""], cursor: cursor === null ? null : { ...cursor, row: cursor.row + 1 } };
}

interface Box extends Frame {
  readonly title: string;
  readonly hint: string;
}

function centred({ rows, cursor, title, hint }: Box, width: number, size: Size, look: Appearance): Frame {
  const left = Math.floor((size.columns - width) / 2);
  const top = Math.max(0, Math.floor((size.rows - rows.length - 2) / 2));
  const margin = " ".repeat(left);
  const line = linesFor(look);
  const bar = look.style.paint("warn", look.glyphs.live);
  const edge = look.style.paint("warn", line.side);
  const filled = (row: string) => row + " ".repeat(Math.max(0, width - SIDE_CELLS - rowWidth(row)));
  const heading = title === "" ? "" : look.style.paint("accent", title);
  return {
    rows: [
      ...Array<string>(top).fill(""),
      margin + rule(line.top, heading, width, look),
      ...rows.map((row) => `${margin}${bar} ${filled(row)} ${edge}`),
      margin + rule(line.bottom, hint, width, look),
    ],
    cursor: cursor === null ? null : { row: top + 1 + cursor.row, column: left + 2 + cursor.column },
  };
}

function rule([begin, middle, end]: readonly string[], words: string, width: number, { style }: Appearance): string {
  const across = (cells: number) => (middle ?? "").repeat(Math.max(0, cells));
  if (words === "") return style.paint("warn", `${begin}${across(width - 2)}${end}`);
  const rest = across(width - 4 - rowWidth(words));
  return `${style.paint("warn", begin ?? "")} ${words} ${style.paint("warn", `${rest}${end}`)}`;
}

function linesFor({ glyphs }: Appearance) {
  const isAscii = /^[\x20-\x7e]+$/.test(glyphs.live);
  return isAscii
    ? { top: ["+", "-", "+"], side: "|", bottom: ["+", "-", "+"] }
    : { top: ["┌", "─", "┐"], side: "│", bottom: ["└", "─", "┘"] };
}
