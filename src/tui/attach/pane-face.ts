// A face for an app that has a part of somebody else's window: the same frames as on the full screen, drawn when it is in
// front and only remembered otherwise. So a hosted session is the same app in a tab as in a terminal of its own.
import { EMPTY_FRAME, type Frame, type Size } from "../../screen/frame.js";
import { type FullLook, fullFrame } from "../../screen/full/full-frame.js";
import { type PaneAction, type PaneIntent, paneIntent } from "../../screen/full/pane-keys.js";
import { TranscriptPane } from "../../screen/full/transcript-pane.js";
import { wheelRows } from "../../screen/full/wheel.js";
import type { LiveView } from "../../screen/inline-screen.js";
import { safeLine } from "../../text/safe.js";
import type { Face } from "../app/face.js";
import { keyName, pastedText, typedText } from "../dialogs/key-names.js";

export interface PaneFaceParts {
  readonly look: FullLook;
  readonly size: Size;
  isInFront(): boolean;
  /** Whether the last frame has reached the person. */
  isSeen(): boolean;
  draw(urgency: "soon" | "now"): void;
  /** Everything is drawn again, whatever is there. */
  redraw(): void;
  /** A viewer wants the screen for itself, or is done with it. */
  screenWanted(change: "given" | "back"): void;
}

export class PaneFace implements Face {
  private readonly parts: PaneFaceParts;
  private readonly pane = new TranscriptPane();
  private view: LiveView = () => EMPTY_FRAME;
  private now: Size;
  private question: "none" | "pending" | "drawn" | "active" = "none";
  private isGiven = false;

  constructor(parts: PaneFaceParts) {
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
    this.pane.startPage();
  }

  confirm(event: "requested" | "closed"): void {
    this.question = event === "requested" ? "pending" : "none";
  }

  /** A question nobody can see takes no keys. */
  activateConfirm(): "active" | "not yet" {
    const isBefore = this.parts.isInFront() && this.parts.isSeen() && !this.isGiven;
    if (this.question === "drawn" && isBefore) this.question = "active";
    return this.question === "active" ? "active" : "not yet";
  }

  key(sequence: string): boolean {
    const rows = wheelRows(sequence);
    if (rows !== null) return this.act({ type: "scroll", rows });
    const intent = this.intentOf(sequence);
    if (intent === null) return false;
    if (intent.type === "mine") return true;
    if (intent.type !== "pass") return this.act(intent);
    this.act({ type: "search.cancel" });
    return false;
  }

  // The window, the terminal's kind and its coming and going are the business of whoever owns them.
  drained(): void {}
  suspend(): void {}
  resume(): void {}
  close(): void {}
  setProfile(): void {}

  private act(action: PaneAction): true {
    this.pane.act(action);
    this.requestFrame("now");
    return true;
  }

  private intentOf(sequence: string): PaneIntent {
    const { reading } = this.pane;
    const search = reading?.search;
    const pasted = pastedText(sequence);
    if (pasted === null) {
      const keysOf = this.question === "active" ? "dialog" : "composer";
      return paneIntent({ reading, keysOf }, typedText(sequence) || (keyName(sequence) ?? "").toLowerCase());
    }
    if (search?.phase === "typing") return { type: "search.edit", query: search.query + safeLine(pasted) };
    return search === undefined || search.phase === "off" ? null : { type: "pass" };
  }
}
