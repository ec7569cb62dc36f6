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
import type { Frame, Size } from "../../terminal/painter/frame.js";
import type { Environment } from "../../terminal/painter/profile.js";
import { type GroundHints, hintIn } from "../../terminal/painter/style/theme-choice.js";
import { viewerFrame } from "../../terminal/painter/viewer/viewer-frame.js";
import { viewerIntent } from "../../terminal/painter/viewer/viewer-keys.js";
import { openViewer, reduceViewer, type ViewerState } from "../../terminal/painter/viewer/viewer-state.js";
import { safeReveal } from "../../text/safe.js";
import type { AskPhaseChange, GivenToDialog } from "../inline/ask-controller.js";
import type { AskViewPorts } from "./ask-view.js";
import { belowFrame, miniFrame } from "./mini-frame.js";
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
    // Beside a small dialog there is nothing else to type into; what is approved still takes its letter alone, or an arrow.
    const letters = isApproval(ask) ? {} : { letters: "lead" as const };
    const { look } = this;
    const { author } = this.parts;
    const own = author === undefined ? {} : { author };
    return openAskDialog(ask, { ...given, look, tui, aside, fulfils: ["whole"], ...letters, ...own });
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

  // Text that is typed ahead is kept for a text that a script of the user's own asks for. Enter is not: it must see what it sends.
  protected override typedEarly(key: string): void {
    const kind = this.runner.shown?.ask.question.kind;
    const takesText = this.parts.author === "user" && (kind === "input" || kind === "editor");
    if (takesText && typedText(key) !== "" && this.early.length < EARLY_KEYS_MAX) this.early.push(key);
  }

  protected override fulfil(view: AskDialog, request: DialogRequest): void {
    const whole = request.type === "whole" ? (view.whole?.() ?? null) : null;
    if (whole === null) return;
    // A text begins with its title; a diff has none in it, so the file it is about is said.
    const heading = whole.kind === "diff" ? [safeReveal(whole.title), ""] : [];
    const lines = [...heading, ...wholeRows(whole, this.look)];
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

function asideWords({ origin }: Ask, waiting: number): string {
  const more = waiting === 0 ? "" : `${waiting} more`;
  const from = origin.name === undefined || origin.kind === "agent" ? "" : `from ${origin.name}`;
  return [more, from].filter(Boolean).join("  ");
}
