// The agent's questions in the terminal UI: whose they are, how they look while they wait and when they have the keys, and
// which of their requests are performed. The desk and the guard decide; this knows the sessions, the screen and the viewer.
import type { TUI } from "@earendil-works/pi-tui";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { responseTo } from "../../session/ask-response.js";
import type { Situation } from "../../session/attention.js";
import { outcomeWords } from "../../session/outcome-words.js";
import { type AskDialog, openAskDialog } from "../../terminal/dialogs/ask-dialog.js";
import { wholeRows } from "../../terminal/painter/dialogs/approval-body.js";
import { waitingHint } from "../../terminal/painter/dialogs/dialog-keys.js";
import { BAR_CELLS, fitted } from "../../terminal/painter/dialogs/dialog-rows.js";
import type { Frame } from "../../terminal/painter/frame.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { WINDOW_RESTS_AFTER_MS } from "../../terminal/painter/moving-window.js";
import { safeLine } from "../../text/safe.js";
import { textWidth } from "../../text/width.js";
import type { AppLook } from "./app-look.js";
import { AskController, type AskPhaseChange } from "./ask-controller.js";
import type { Conversation } from "./conversation.js";
import type { Edited } from "./external-editor.js";
import type { Overlays } from "./overlays.js";
import type { Surface } from "./surface.js";

export interface AppAskParts {
  readonly talk: Conversation;
  readonly look: AppLook;
  readonly tui: TUI;
  readonly face: Surface;
  readonly overlays: Overlays;
  readonly clock: ScreenClock;
  readonly typingGuardMs: number;
  send(command: LinesCommand): void;
  edit(text: string): Promise<Edited>;
  draw(urgency: "soon" | "now"): void;
  /** A key that is not for a question. */
  toComposer(key: string): void;
  hasDraft(): boolean;
}

export class AppAsks {
  private readonly parts: AppAskParts;
  private readonly runner: AskController;
  private cancelDraw: (() => void) | null = null;
  private cancelLook: (() => void) | null = null;

  constructor(parts: AppAskParts) {
    this.parts = parts;
    const { look, tui, overlays, talk } = parts;
    this.runner = new AskController({
      clock: parts.clock,
      typingGuardMs: parts.typingGuardMs,
      openDialog: (ask) =>
        openAskDialog(ask, {
          look,
          tui,
          keys: () => this.runner.keys,
          aside: () => this.aside(ask),
          previewOf: (id) => this.previewOf(id, ask),
        }),
      toComposer: (key) => parts.toComposer(key),
      hasDraft: () => parts.hasDraft(),
      tellAgent: (ask, outcome) => parts.send(responseTo(ask, outcome)),
      onStageChanged: (change) => this.stageChanged(change),
      mayTakeKeys: () => !overlays.isOpen && this.isSeen(),
      onWish: (view, wish) => (wish.type === "whole" ? this.showWhole(view) : void this.editAnswer(view, wish.text)),
      onClosed: (ask, outcome) =>
        talk.record(
          { type: "ask.settled", title: ask.question.params.title, outcome: outcomeWords(ask, outcome) },
          this.sessionOf(ask),
        ),
      onAudit: () => undefined,
    });
  }

  /** Whether a question is before the person with its answers, and not only as a row that says it waits. */
  get isOpen(): boolean {
    const { shown } = this.runner;
    return shown !== null && shown.phase !== "pending";
  }

  /** Whether the cursor is in the question: keys go there, or to nothing else. */
  get hasCursor(): boolean {
    const { phase, engaged, draft } = this.runner.keys;
    return this.isOpen && phase !== "waiting" && (engaged !== "none" || draft === "empty");
  }

  /** What the window should say about it. */
  get asking(): Situation["asking"] {
    const { shown, waiting } = this.runner;
    return shown === null ? null : { title: shown.ask.question.params.title, waiting };
  }

  hear(event: SessionEvent): void {
    const atMs = this.parts.clock.nowMs();
    if (event.type === "ask.raised") this.runner.ask(event.ask);
    else if (event.type === "ask.withdrawn") {
      this.runner.withdraw({ type: "withdraw", askId: event.askId, reason: event.reason, atMs });
    } else if (event.type === "prompt.finished") this.withdrawAll(event.sessionId, "turn_ended");
    else if (event.type === "session.closed") this.withdrawAll(event.sessionId, "session_closed");
  }

  disconnected(): void {
    const atMs = this.parts.clock.nowMs();
    this.runner.withdraw({ type: "withdraw-all", of: "everyone", reason: "disconnected", atMs });
  }

  settledElsewhere(askId: string, outcome: AskOutcome): void {
    this.runner.settledElsewhere(askId, outcome);
  }

  /** Every key that nothing else has taken: it answers the question, or comes back for the composer. */
  key(sequence: string): void {
    this.runner.key(sequence);
  }

  /** A key went somewhere else. */
  typed(): void {
    this.runner.typed();
  }

  /** A frame reached the terminal. */
  drawn(): void {
    this.runner.drawn();
  }

  frame(widthCells: number, rowsMax: number): Frame | null {
    const { shown } = this.runner;
    if (shown === null) return null;
    return shown.phase === "pending" ? this.pendingRow(shown.ask, widthCells) : shown.view.frame(widthCells, rowsMax);
  }

  /** How many questions are open in each session. */
  bySession(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const ask of this.runner.open) counts.set(this.sessionOf(ask), (counts.get(this.sessionOf(ask)) ?? 0) + 1);
    return counts;
  }

  close(): void {
    this.cancelDraw?.();
    this.cancelLook?.();
    this.runner.close();
  }

  // Where it is narrow the words for the wait are fewer; the end of the question goes last.
  private pendingRow(ask: Ask, widthCells: number): Frame {
    const { style, glyphs } = this.parts.look;
    const bar = style.paint("accent", glyphs.live);
    const title = safeLine(ask.question.params.title);
    const room = (words: string) => Math.max(1, widthCells - BAR_CELLS - textWidth(words) - 2);
    const long = waitingHint(this.runner.keys);
    const words = textWidth(title) <= room(long) ? long : "waiting";
    const row = `${bar} ${fitted(title, room(words), glyphs)}  ${style.paint("dim", words)}`;
    return { rows: [row], cursor: null };
  }

  private aside(ask: Ask): string {
    const { list } = this.parts.talk;
    const { waiting: behind } = this.runner;
    const waiting = behind === 0 ? "" : `1 of ${behind + 1}`;
    const from = ask.origin.kind === "agent" ? "" : `from ${safeLine(ask.origin.name ?? ask.origin.kind)}`;
    const session = list.sessions.find(({ id }) => id === ask.sessionId);
    const isElsewhere = session !== undefined && session.id !== list.active;
    return [isElsewhere ? `in ${safeLine(session.name || session.id)}` : "", from, waiting].filter(Boolean).join("  ");
  }

  // What the transcript has just shown need not be shown again in the question.
  private previewOf(toolCallId: string, ask: Ask): { diff: string; path: string | null } | null {
    const { talk } = this.parts;
    const session = this.sessionOf(ask);
    const { blocks } = talk.paneOf(session).journal;
    const found = blocks.findLast((block) => block.kind === "preview" && block.toolCallId === toolCallId);
    if (found?.kind !== "preview" || found.diff === null || session !== talk.list.active) return null;
    return { diff: found.diff, path: found.filePath };
  }

  private sessionOf({ sessionId }: Ask): string {
    const { list } = this.parts.talk;
    return list.sessions.some(({ id }) => id === sessionId) ? (sessionId ?? "") : list.active;
  }

  // An agent with one session may leave its name out in one frame and say it in another.
  private withdrawAll(sessionId: string | null, reason: "turn_ended" | "session_closed"): void {
    const of = this.parts.talk.list.sessions.length > 1 && sessionId !== null ? { sessionId } : "everyone";
    this.runner.withdraw({ type: "withdraw-all", of, reason, atMs: this.parts.clock.nowMs() });
  }

  // While the window moves nothing takes keys, and when it rests, nobody else may draw: so it is looked at again.
  private isSeen(): boolean {
    if (this.parts.face.activateConfirm() === "active") return true;
    this.cancelLook ??= this.parts.clock.after(WINDOW_RESTS_AFTER_MS, () => {
      this.cancelLook = null;
      this.drawn();
    });
    return false;
  }

  private stageChanged(change: AskPhaseChange): void {
    if (change === "pending") this.parts.face.confirm("requested");
    if (change === "gone") this.parts.face.confirm("closed");
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
    if (whole !== null) overlays.read({ lines: wholeRows(whole, look), marks: [] }, { at: "start" });
  }

  private async editAnswer(view: AskDialog, text: string): Promise<void> {
    const edited = await this.parts.edit(text);
    if ("text" in edited) view.replaceText?.(edited.text);
    else this.parts.talk.say("warn", edited.trouble);
    this.parts.draw("now");
  }
}
