// Questions of the daemon itself, such as those of MCP clients, in the attached view: the same engine, guard and dialogs as
// everywhere. The daemon says which are open; what vanished from its list was answered by somebody else.
import type { TUI } from "@earendil-works/pi-tui";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import { SessionEngine } from "../../session/engine/source.js";
import { type AskDialog, openAskDialog } from "../../terminal/dialogs/ask-dialog.js";
import { wholeRows } from "../../terminal/painter/dialogs/approval-body.js";
import { waitingHint } from "../../terminal/painter/dialogs/dialog-keys.js";
import type { Frame } from "../../terminal/painter/frame.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { safeLine } from "../../text/safe.js";
import type { AppLook } from "../inline/app-look.js";
import { AskController } from "../inline/ask-controller.js";

export interface DaemonAskParts {
  readonly look: AppLook;
  readonly tui: TUI;
  readonly clock: ScreenClock;
  readonly typingGuardMs: number;
  /** Whether the frame with the question is in front of the person. */
  isSeen(): boolean;
  answer(ask: Ask, outcome: AskOutcome): void;
  readWhole(rows: readonly string[]): void;
  draw(urgency: "soon" | "now"): void;
  /** A key that is not for a question. */
  toComposer(key: string): void;
  /** Whether something is written that is not sent. */
  hasDraft(): boolean;
}

export class DaemonAsks {
  private readonly parts: DaemonAskParts;
  private readonly engine: SessionEngine;
  private readonly runner: AskController;

  constructor(parts: DaemonAskParts) {
    this.parts = parts;
    const { look, tui, clock, typingGuardMs } = parts;
    this.engine = new SessionEngine({
      clock,
      send: () => undefined,
      respond: (ask, outcome) => {
        parts.answer(ask, outcome);
        return "delivered";
      },
    });
    this.runner = new AskController({
      source: this.engine,
      clock,
      typingGuardMs,
      openDialog: (ask, given) =>
        openAskDialog(ask, {
          ...given,
          look,
          tui,
          aside: () => this.aside(ask),
          fulfils: ["whole"],
        }),
      toComposer: (key) => parts.toComposer(key),
      hasDraft: () => parts.hasDraft(),
      onStageChanged: () => parts.draw("now"),
      mayTakeKeys: () => parts.isSeen(),
      onWish: (view, wish) => {
        if (wish.type === "whole") this.showWhole(view);
      },
    });
    this.engine.subscribe((changes) => {
      for (const change of changes) this.runner.follow(change);
    });
  }

  get isShown(): boolean {
    return this.runner.shown !== null;
  }

  /** Whether it is shown with its answers, and not only as a row that says it waits. */
  get isOpen(): boolean {
    const { shown } = this.runner;
    return shown !== null && shown.phase !== "pending";
  }

  /** Whether the cursor is in the question. */
  get hasCursor(): boolean {
    const { phase, engaged, draft } = this.runner.keys;
    return this.isOpen && phase !== "waiting" && (engaged !== "none" || draft === "empty");
  }

  /** Everything that is open at the daemon now. */
  opened(asks: readonly Ask[]): void {
    const ids = new Set(asks.map(({ id }) => id));
    const known = new Set(this.runner.open.map(({ id }) => id));
    const sessionId = null;
    for (const askId of known) {
      if (ids.has(askId)) continue;
      this.engine.take({
        type: "event",
        event: { type: "ask.withdrawn", sessionId, askId, reason: "agent_cancelled" },
      });
    }
    for (const ask of asks) {
      if (!known.has(ask.id)) this.engine.take({ type: "event", event: { type: "ask.raised", sessionId, ask } });
    }
  }

  key(sequence: string): void {
    this.runner.key(sequence);
  }

  /** A key went elsewhere. */
  typed(): void {
    this.runner.typed();
  }

  drawn(): void {
    this.runner.drawn();
  }

  close(): void {
    this.runner.close();
    this.engine.close();
  }

  frame(widthCells: number, rowsMax: number): Frame {
    const { shown } = this.runner;
    if (shown === null) return { rows: [], cursor: null };
    return shown.phase === "pending" ? this.pendingRow(shown.ask) : shown.view.frame(widthCells, rowsMax);
  }

  private pendingRow({ question }: Ask): Frame {
    const { style, glyphs } = this.parts.look;
    const title = safeLine(question.params.title);
    const words = style.paint("dim", waitingHint(this.runner.keys));
    return { rows: [`${style.paint("accent", glyphs.live)} ${title}  ${words}`], cursor: null };
  }

  private aside({ origin }: Ask): string {
    const behind = this.runner.waiting;
    const from = origin.name === undefined ? "" : `from ${safeLine(origin.name)}`;
    return [from, behind === 0 ? "" : `1 of ${behind + 1}`].filter(Boolean).join("  ");
  }

  private showWhole(view: AskDialog): void {
    const whole = view.whole?.() ?? null;
    if (whole !== null) this.parts.readWhole(wholeRows(whole, this.parts.look));
  }
}
