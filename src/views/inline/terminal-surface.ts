// The two surfaces of the app in one object: the inline screen, or the same frames on the alternate screen. While the
// alternate screen is shown, the inline screen collects every settled line; when it is left, all of them are printed into the
// scrollback, once and in order. So the user can switch at any time and loses nothing.
//
//   inline                      full
//   | $ palaver            |    | › fix the failing test         |
//   | › fix the failing    |    | I'll look at the test first.   |
//   | I'll look at the te  | ⇄  |                                |
//   | │ The separator los  |    | │ The separator lost its sp    |
//   | › message            |    | › message                      |

import type { Keymap } from "../../session/keymap.js";
import type { Appearance } from "../../terminal/painter/blocks/glyphs.js";
import { EMPTY_FRAME, type Size } from "../../terminal/painter/frame.js";
import { fullFrame } from "../../terminal/painter/full/full-frame.js";
import type { PaneAction } from "../../terminal/painter/full/pane-keys.js";
import { TranscriptPane } from "../../terminal/painter/full/transcript-pane.js";
import { wheelRows } from "../../terminal/painter/full/wheel.js";
import { BELOW_EVERYTHING } from "../../terminal/painter/handover.js";
import type {
  ApplyTerminalEffects,
  InlineScreen,
  LiveView,
  ScreenClock,
} from "../../terminal/painter/inline-screen.js";
import { withoutPictures } from "../../terminal/painter/pictures/picture-mark.js";
import type { Profile } from "../../terminal/painter/profile.js";
import type { MouseUse } from "./full-modes.js";
import { PacedScreen } from "./paced-screen.js";
import { paneIntentOf, type Surface } from "./surface.js";

export type ScreenMode = "inline" | "full";

export interface ScreenFaceParts {
  readonly inline: InlineScreen;
  readonly apply: ApplyTerminalEffects;
  readonly clock: ScreenClock;
  /** A mouse that is "off" is left to the terminal, for selecting; then the wheel does whatever the terminal thinks best. */
  readonly look: Appearance & { readonly mouse?: MouseUse };
  readonly keymap?: Pick<Keymap, "actionFor">;
  /** The alternate screen is in use from now on, or no longer: what has to be cleaned up after a kill depends on it. */
  onAlternate?(use: "entered" | "left"): void;
}

const FRAME_INTERVAL_MS = 33;
/**
 * So many lines may wait for the scrollback while the full screen shows. Then they are printed there behind its back, so
 * that a session of any length takes the same memory.
 */
export const UNPRINTED_LINES_MAX = 10_000;

/** "shown" is the usual state; "held" means that a viewer has the alternate screen, "suspended" that the shell has it all. */
type Phase = "shown" | "held" | "suspended" | "closed";

export class TerminalSurface implements Surface {
  private readonly parts: ScreenFaceParts;
  private readonly inline: InlineScreen;
  private readonly full: PacedScreen;
  private readonly pane = new TranscriptPane();
  private view: LiveView = () => EMPTY_FRAME;
  private now: Size;
  private chosen: ScreenMode = "inline";
  private phase: Phase = "shown";
  /** A confirmation on the full screen becomes active like one on the inline screen: only after it was drawn. */
  private confirmPhase: "none" | "pending" | "drawn" | "active" = "none";
  private unprintedLines = 0;
  /** The size when the main screen was left, and whether the window had another one since. */
  private left: { readonly size: Size; isResized: boolean } | null = null;

  constructor(parts: ScreenFaceParts) {
    this.parts = parts;
    this.inline = parts.inline;
    this.now = parts.inline.size;
    this.full = new PacedScreen({
      apply: parts.apply,
      clock: parts.clock,
      size: this.now,
      view: (size) => fullFrame(this.pane, this.view(size), size, parts.look),
      frameIntervalMs: FRAME_INTERVAL_MS,
      mouse: () => parts.look.mouse ?? "wheel",
      beforeDraw: () => {
        if (this.unprintedLines > UNPRINTED_LINES_MAX) this.printMeanwhile();
      },
      onDrawn: () => this.drew(),
    });
  }

  get size(): Size {
    return this.now;
  }

  get mode(): ScreenMode {
    return this.chosen;
  }

  setMode(mode: ScreenMode): void {
    if (mode === this.chosen || this.phase === "closed") return;
    this.chosen = mode;
    if (this.phase !== "shown") this.inline.setView(this.inlineView());
    else if (mode === "full") {
      this.leaveMain();
      this.openFull();
    } else {
      this.closeFull();
      this.returnToMain();
    }
  }

  settle(lines: readonly string[]): void {
    this.inline.settle(lines);
    // Pictures are for the scrollback; here they are the words that stand above them.
    this.pane.add(withoutPictures(lines));
    if (this.left !== null) this.unprintedLines += lines.length;
  }

  setView(view: LiveView): void {
    this.view = view;
    this.inline.setView(this.inlineView());
  }

  /** On the full screen rows are ours. */
  get reflows(): boolean {
    return this.chosen === "inline" && this.inline.reflows;
  }

  setProfile(profile: Profile): void {
    this.inline.setProfile(profile);
  }

  requestFrame(urgency: "soon" | "now"): void {
    if (this.left === null) this.inline.requestFrame(urgency);
    else this.full.draw(urgency);
  }

  drawDue(): void {
    if (this.left === null) this.inline.drawDue();
    else this.full.drawDue();
  }

  resize(size: Size): void {
    this.now = size;
    if (this.left !== null) this.left.isResized = true;
    this.inline.resize(size);
    this.full.resize(size);
    this.drew();
  }

  drained(): void {
    this.full.drained();
    this.drew();
    this.inline.drained();
  }

  /** A viewer comes before the app, on the alternate screen that this surface gives up for it. */
  hold(): void {
    if (this.phase !== "shown") return;
    if (this.chosen === "full") this.closeFull();
    else this.leaveMain();
    this.phase = "held";
    this.parts.onAlternate?.("entered");
  }

  release(): void {
    if (this.phase !== "held") return;
    this.phase = "shown";
    this.parts.onAlternate?.("left");
    if (this.chosen === "full") this.openFull();
    else this.returnToMain();
  }

  /** The shell gets the main screen with all lines in it. A viewer has to be closed before. */
  suspend(): void {
    if (this.phase !== "shown") return;
    if (this.chosen === "full") {
      this.closeFull();
      this.returnToMain();
    }
    this.inline.suspend();
    this.phase = "suspended";
  }

  resume(): void {
    if (this.phase !== "suspended") return;
    this.phase = "shown";
    this.inline.resume();
    if (this.chosen === "inline") return;
    this.leaveMain();
    this.openFull();
  }

  close(): void {
    if (this.phase === "closed") return;
    if (this.showsFull) this.closeFull();
    this.phase = "closed";
    this.belowIfLost();
    this.inline.close();
  }

  // Empty lines push what is on the screen into the scrollback: terminals differ in what they keep of an erased screen.
  clear(): void {
    if (this.left === null) this.inline.settle(Array.from({ length: this.emptyRows }, () => ""));
    this.inline.clear();
    this.pane.startPage();
  }

  private get emptyRows(): number {
    return Math.max(0, this.now.rows - this.inline.liveRows);
  }

  confirm(event: "requested" | "closed"): void {
    this.confirmPhase = event === "requested" ? "pending" : "none";
    this.inline.confirm(event);
  }

  activateConfirm(): "active" | "not yet" {
    if (this.left === null) {
      const answer = this.inline.activateConfirm();
      if (answer === "active") this.confirmPhase = "active";
      return answer;
    }
    if (this.confirmPhase === "drawn" && this.showsFull) this.confirmPhase = "active";
    return this.confirmPhase === "active" ? "active" : "not yet";
  }

  followEnd(): void {
    if (this.showsFull && this.pane.reading !== null) this.act({ type: "follow" });
  }

  /** Scrolling and searching; only the full screen has keys of its own. */
  key(sequence: string): boolean {
    const rows = wheelRows(sequence);
    if (rows !== null) {
      if (rows !== 0 && this.showsFull) this.act({ type: "scroll", rows });
      return true;
    }
    if (!this.showsFull) return false;
    const keysOf = this.confirmPhase === "active" ? "dialog" : "composer";
    const intent = paneIntentOf(sequence, { reading: this.pane.reading, keysOf, keymap: this.parts.keymap });
    if (intent === null) return false;
    if (intent.type === "pass") this.act({ type: "search.cancel" });
    else if (intent.type !== "mine") this.act(intent);
    return intent.type !== "pass";
  }

  private get showsFull(): boolean {
    return this.chosen === "full" && this.phase === "shown";
  }

  private act(action: PaneAction): void {
    this.pane.act(action);
    this.full.draw("now");
  }

  private inlineView(): LiveView {
    return this.chosen === "full" ? () => EMPTY_FRAME : this.view;
  }

  private leaveMain(): void {
    this.inline.hold();
    // From here on the inline screen only prints what waits. It must not need the app for that: the app may have crashed.
    this.inline.setView(this.inlineView());
    this.left = { size: this.now, isResized: false };
  }

  private returnToMain(): void {
    this.belowIfLost();
    this.inline.setView(this.inlineView());
    this.left = null;
    this.unprintedLines = 0;
    this.inline.release();
  }

  // The inline screen looks after a window that has another size than before. It cannot know of one that went there and
  // back, in which the terminal may have lost the place just as well.
  private belowIfLost(): void {
    if (this.left === null || !this.left.isResized) return;
    const { size } = this.left;
    const isSame = size.columns === this.now.columns && size.rows === this.now.rows;
    if (isSame) this.parts.apply(BELOW_EVERYTHING);
  }

  private openFull(): void {
    this.parts.onAlternate?.("entered");
    this.full.open();
    this.drew();
  }

  private closeFull(): void {
    this.full.close();
    this.parts.onAlternate?.("left");
  }

  // A slow terminal gets its frame later, and until then the question in it was not shown.
  private drew(): void {
    if (this.confirmPhase === "pending" && this.full.isSeen) this.confirmPhase = "drawn";
  }

  // The other screen shows for less than a frame.
  private printMeanwhile(): void {
    this.closeFull();
    this.returnToMain();
    this.leaveMain();
    this.openFull();
  }
}
