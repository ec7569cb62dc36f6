// The agent's questions in the terminal UI: which session they belong to, how they look while they wait and while they take
// keys, and which of their requests are performed. Engine and guard decide; this file connects them to the sessions, the
// screen and the viewer.
import type { TUI } from "@earendil-works/pi-tui";
import type { Ask } from "../../contract/asks.js";
import { toolCallOf } from "../../session/ask-facts.js";
import type { Situation } from "../../session/attention.js";
import { sessionOfAsk } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { type AskDialog, openAskDialog } from "../../terminal/dialogs/ask-dialog.js";
import { wholeRows } from "../../terminal/painter/dialogs/approval-body.js";
import type { DialogFrame } from "../../terminal/painter/dialogs/dialog-frame.js";
import { waitingHint } from "../../terminal/painter/dialogs/dialog-keys.js";
import { BAR_CELLS, fitted } from "../../terminal/painter/dialogs/dialog-rows.js";
import { richRows } from "../../terminal/painter/dialogs/rich-rows.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { WINDOW_RESTS_AFTER_MS } from "../../terminal/painter/moving-window.js";
import { safeLine } from "../../text/safe.js";
import { textWidth } from "../../text/width.js";
import type { AppLook } from "./app-look.js";
import { AskController, type AskPhaseChange } from "./ask-controller.js";
import type { Edited } from "./external-editor.js";
import type { Overlays } from "./overlays.js";
import type { Surface } from "./surface.js";

export interface AppAskParts {
  readonly source: Source;
  readonly look: AppLook;
  readonly tui: TUI;
  readonly surface: Pick<Surface, "confirm" | "activateConfirm">;
  readonly overlays: Pick<Overlays, "isOpen" | "read">;
  readonly clock: ScreenClock;
  readonly typingGuardMs: number;
  readonly folder?: string;
  /** Missing where no agent behind the question takes a prompt or can be stopped. */
  readonly conversation?: "running";
  /** Missing where an answer cannot be written in an editor. */
  edit?(text: string): Promise<Edited>;
  /** "many": asks of several agents, each with the name of its own. */
  readonly agents?: "one" | "many";
  draw(urgency: "soon" | "now"): void;
  /** A key that is not for a question. */
  toComposer(key: string): void;
  hasDraft(): boolean;
}

export class AppAsks {
  private readonly parts: AppAskParts;
  readonly controller: AskController;
  private cancelDraw: (() => void) | null = null;
  private cancelLook: (() => void) | null = null;

  constructor(parts: AppAskParts) {
    this.parts = parts;
    const { look, tui, overlays, source } = parts;
    this.controller = new AskController({
      source,
      clock: parts.clock,
      typingGuardMs: parts.typingGuardMs,
      isHere: (ask) => sessionOfAsk(source.state, ask).id === source.state.active,
      openDialog: (ask, given) =>
        openAskDialog(ask, {
          ...given,
          look,
          rich: richRows,
          tui,
          ...(parts.folder === undefined ? {} : { folder: parts.folder }),
          aside: () => this.aside(ask),
          conversation: parts.conversation,
          ...(parts.edit === undefined ? { fulfils: ["whole"] } : {}),
        }),
      toComposer: (key) => parts.toComposer(key),
      hasDraft: () => parts.hasDraft(),
      ...(parts.conversation === undefined ? {} : { stopAgent: (ask: Ask) => stopAgentOf(source, ask) }),
      onStageChanged: (change) => this.stageChanged(change),
      mayTakeKeys: () => !overlays.isOpen && this.isSeen(),
      onRequest: (view, request) =>
        request.type === "whole" ? this.showWhole(view) : void this.editAnswer(view, request.text),
    });
  }

  /** Whether a question is before the user with its answers, and not only as a row that says it waits. */
  get isOpen(): boolean {
    const { shown } = this.controller;
    return shown !== null && shown.phase !== "pending";
  }

  /** Whether the cursor is in the question: keys go there, or to nothing else. */
  get hasCursor(): boolean {
    const { phase, engaged, draft } = this.controller.keys;
    return this.isOpen && phase !== "waiting" && (engaged !== "none" || draft === "empty");
  }

  /** Whether the user has begun to answer. */
  get isEngaged(): boolean {
    const { phase, engaged } = this.controller.keys;
    return this.isOpen && (phase === "held" || engaged !== "none");
  }

  /** What the window should say about it. */
  get asking(): Situation["asking"] {
    const { shown, open } = this.controller;
    const ask = shown?.ask ?? open[0];
    return ask === undefined ? null : { title: ask.question.params.title, waiting: open.length - 1 };
  }

  /** The first question of a session that is not shown. */
  get elsewhere(): Ask | null {
    const { state } = this.parts.source;
    return this.controller.open.find((ask) => sessionOfAsk(state, ask).id !== state.active) ?? null;
  }

  /** The tool call that the shown question is about. */
  get toolCallId(): string | null {
    const { shown } = this.controller;
    return shown === null ? null : toolCallOf(shown.ask);
  }

  frame(widthCells: number, rowsMax: number): DialogFrame | null {
    const { shown } = this.controller;
    if (shown === null) return null;
    return shown.phase === "pending" ? this.pendingRow(shown.ask, widthCells) : shown.view.frame(widthCells, rowsMax);
  }

  /** How many questions are open in each session. */
  bySession(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const ask of this.controller.open) {
      const { id } = sessionOfAsk(this.parts.source.state, ask);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  close(): void {
    this.cancelDraw?.();
    this.cancelLook?.();
    this.controller.close();
  }

  // Where it is narrow the words for the wait are fewer; the end of the question goes last.
  private pendingRow(ask: Ask, widthCells: number): DialogFrame {
    const { style, glyphs } = this.parts.look;
    const bar = style.paint("accent", glyphs.live);
    const title = safeLine(ask.question.params.title);
    const room = (words: string) => Math.max(1, widthCells - BAR_CELLS - textWidth(words) - 2);
    const long = waitingHint(this.controller.keys);
    const words = textWidth(title) <= room(long) ? long : "waiting";
    const row = `${bar} ${fitted(title, room(words), glyphs)}  ${style.paint("dim", words)}`;
    return { rows: [row], cursor: null };
  }

  private aside(ask: Ask): string {
    const { agents = "one" } = this.parts;
    const { waiting: behind } = this.controller;
    const waiting = behind === 0 ? "" : `1 of ${behind + 1}`;
    const { kind, name = kind === "agent" ? "" : kind } = ask.origin;
    const isSaid = ask.question.params.title.startsWith(`${name} `) || (kind === "agent" && agents === "one");
    const from = name === "" || isSaid ? "" : `from ${safeLine(name)}`;
    return [from, waiting].filter(Boolean).join("  ");
  }

  // While the window moves nothing takes keys, and when it rests, nothing else may be drawn: so it is looked at again.
  private isSeen(): boolean {
    if (this.parts.surface.activateConfirm() === "active") return true;
    this.cancelLook ??= this.parts.clock.after(WINDOW_RESTS_AFTER_MS, () => {
      this.cancelLook = null;
      this.controller.drawn();
    });
    return false;
  }

  private stageChanged(change: AskPhaseChange): void {
    if (change === "pending") this.parts.surface.confirm("requested");
    if (change === "gone") this.parts.surface.confirm("closed");
    // A thousand questions may come and go in one moment; one frame shows what is left of them.
    this.cancelDraw ??= this.parts.clock.after(0, () => {
      this.cancelDraw = null;
      this.parts.draw("now");
    });
  }

  // The dialog stays open behind it; Esc in the viewer leads back to the question.
  private showWhole(view: AskDialog): void {
    const whole = view.whole?.() ?? null;
    const { look, overlays } = this.parts;
    if (whole !== null) overlays.read({ lines: wholeRows(whole, look, richRows), marks: [] }, { at: "start" });
  }

  private async editAnswer(view: AskDialog, text: string): Promise<void> {
    const edited = await this.parts.edit?.(text);
    if (edited === undefined) return;
    if ("text" in edited) view.replaceText?.(edited.text);
    else this.parts.source.dispatch({ type: "notice", level: "warn", text: edited.trouble });
    this.parts.draw("now");
  }
}

/** Other sessions are stopped where they are shown. */
export function stopAgentOf(source: Source, ask: Ask): void {
  const { state } = source;
  if (sessionOfAsk(state, ask).id === state.active) source.dispatch({ type: "abort" });
}
