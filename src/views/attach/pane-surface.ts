// The surface of an app that has part of another view's window: the same frames as in full screen, drawn when the pane is in
// front and only stored otherwise. So a hosted session is the same app in a tab as in a terminal of its own.

import type { Appearance } from "../../terminal/painter/blocks/glyphs.js";
import { EMPTY_FRAME, type Frame, type Size } from "../../terminal/painter/frame.js";
import { fullFrame } from "../../terminal/painter/full/full-frame.js";
import type { PaneAction } from "../../terminal/painter/full/pane-keys.js";
import { TranscriptPane } from "../../terminal/painter/full/transcript-pane.js";
import { wheelRows } from "../../terminal/painter/full/wheel.js";
import type { LiveView } from "../../terminal/painter/inline-screen.js";
import { rowsOf, type ViewerState } from "../../terminal/painter/viewer/viewer-state.js";
import { paneIntentOf, type Surface } from "../inline/surface.js";

export interface PaneSurfaceParts {
  readonly look: Appearance;
  readonly size: Size;
  isInFront(): boolean;
  /** Whether the last frame has reached the user. */
  isSeen(): boolean;
  draw(urgency: "soon" | "now"): void;
  /** Everything is drawn again, whatever is there. */
  redraw(): void;
  /** A viewer wants the screen for itself, or is done with it. */
  screenWanted(change: "given" | "back"): void;
}

/** A little less than a pane keeps: what comes in above must not push out what is read. */
const LINES_MAX = 18_000;
const UNITS_MAX = 3 * 1024 * 1024;

/** Within so many lines of the top, the lines above it are loaded. */
const NEAR_TOP_LINES = 300;

export class PaneSurface implements Surface {
  private readonly parts: PaneSurfaceParts;
  private pane = new TranscriptPane();
  /** Everything that was settled, for a pane that begins earlier. */
  private lines: string[] = [];
  private units = 0;
  /** Where the page begins that was asked for last. */
  private pageStart = 0;
  private view: LiveView = () => EMPTY_FRAME;
  private now: Size;
  private question: "none" | "pending" | "drawn" | "active" = "none";
  private isGiven = false;

  constructor(parts: PaneSurfaceParts) {
    this.parts = parts;
    this.now = parts.size;
  }

  get size(): Size {
    return this.now;
  }

  /** Whether a question or a viewer has the keys, so that none of them leads elsewhere. */
  get isEngaged(): boolean {
    return this.isGiven || this.question === "active" || this.pane.reading !== null;
  }

  get hasScreen(): boolean {
    return this.isGiven;
  }

  frame(size: Size): Frame {
    const frame = fullFrame(this.pane, this.view(size), size, this.parts.look);
    if (this.question === "pending") this.question = "drawn";
    return frame;
  }

  settle(lines: readonly string[]): void {
    this.pane.add(lines);
    for (const line of lines) {
      this.lines.push(line);
      this.units += line.length;
    }
    if (this.lines.length > 2 * LINES_MAX || this.units > 2 * UNITS_MAX) this.forgetOldest();
  }

  /** Whether lines from before the first one are welcome; "text": they would not be kept, but others may want the words. */
  get takesEarlier(): "lines" | "text" | "later" {
    const { reading } = this.pane;
    if (reading !== null && (reading.search.phase !== "off" || reading.top.line > NEAR_TOP_LINES)) return "later";
    return this.lines.length < LINES_MAX && this.units < UNITS_MAX ? "lines" : "text";
  }

  /** Lines from before the first one. The scroll position stays. */
  addBefore(lines: readonly string[]): void {
    const { reading } = this.pane;
    const pane = new TranscriptPane();
    if (reading !== null) pane.fit(reading.size);
    this.lines = [...lines, ...this.lines];
    this.units += lines.reduce((sum, { length }) => sum + length, 0);
    this.pageStart = this.pageStart === 0 ? 0 : this.pageStart + lines.length;
    pane.add(this.lines.slice(0, this.pageStart));
    if (this.pageStart > 0) pane.startPage();
    pane.add(this.lines.slice(this.pageStart));
    if (reading !== null) {
      pane.act({ type: "go", to: "start" });
      pane.act({ type: "scroll", rows: rowsBefore(lines, reading) });
    }
    this.pane = pane;
    this.requestFrame("soon");
  }

  followEnd(): void {
    this.pane.act({ type: "follow" });
    this.requestFrame("soon");
  }

  setView(view: LiveView): void {
    this.view = view;
  }

  requestFrame(urgency: "soon" | "now"): void {
    if (this.parts.isInFront() && !this.isGiven) this.parts.draw(urgency);
  }

  resize(size: Size): void {
    const isSame = size.columns === this.now.columns && size.rows === this.now.rows;
    this.now = size;
    if (isSame && this.parts.isInFront() && !this.isGiven) this.parts.redraw();
  }

  hold(): void {
    this.isGiven = true;
    this.parts.screenWanted("given");
  }

  release(): void {
    this.isGiven = false;
    this.parts.screenWanted("back");
  }

  clear(): void {
    this.pageStart = this.lines.length;
    this.pane.startPage();
  }

  confirm(event: "requested" | "closed"): void {
    this.question = event === "requested" ? "pending" : "none";
  }

  /** A hidden question takes no keys. */
  activateConfirm(): "active" | "not yet" {
    const isBefore = this.parts.isInFront() && this.parts.isSeen() && !this.isGiven;
    if (this.question === "drawn" && isBefore) this.question = "active";
    return this.question === "active" ? "active" : "not yet";
  }

  key(sequence: string): boolean {
    const rows = wheelRows(sequence);
    if (rows !== null) return this.act({ type: "scroll", rows });
    const keysOf = this.question === "active" ? "dialog" : "composer";
    const intent = paneIntentOf(sequence, { reading: this.pane.reading, keysOf });
    if (intent === null) return false;
    if (intent.type === "mine") return true;
    if (intent.type !== "pass") return this.act(intent);
    this.act({ type: "search.cancel" });
    return false;
  }

  // The window, the terminal's kind and its coming and going belong to the owner of the window.
  drained(): void {}
  suspend(): void {}
  resume(): void {}
  close(): void {}
  setProfile(): void {}

  // The pane has given them up as well; the newest stays, however long it is.
  private forgetOldest(): void {
    let count = 0;
    const isTooMuch = () => this.lines.length - count > LINES_MAX || this.units > UNITS_MAX;
    for (; isTooMuch() && count < this.lines.length - 1; count += 1) this.units -= this.lines[count]?.length ?? 0;
    this.lines.splice(0, count);
    this.pageStart = Math.max(0, this.pageStart - count);
  }

  private act(action: PaneAction): true {
    this.pane.act(action);
    this.requestFrame("now");
    return true;
  }
}

// The rows above the page: those that came in, and those that were above it already.
function rowsBefore(lines: readonly string[], { document, top, size }: ViewerState): number {
  const above = [...lines, ...document.lines.slice(0, top.line)];
  return above.reduce((sum, line) => sum + rowsOf(line, size.columns).length, top.row);
}
