// Questions for somebody who listens. One is announced when nothing is being typed and a quiet moment has passed, and only
// a line that is begun after that, by a person who can have heard of it, is an answer.
//
//   pending ──line empty, quiet──► announced ──a moment──► lines are answers ──► settled
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { PlainAside } from "../../screen/dialogs/plain-ask.js";
import type { ScreenClock } from "../../screen/inline-screen.js";
import { AskDeskRunner } from "../app/ask-desk-runner.js";
import { CANCEL_LINE, ReaderQuestion } from "./reader-question.js";

export interface ReaderAskPorts {
  readonly clock: ScreenClock;
  /** Nobody types for so long before a question is announced, and nobody has heard it for as long after. */
  readonly typingGuardMs: number;
  say(lines: readonly string[]): void;
  tellAgent(ask: Ask, outcome: AskOutcome): void;
  onClosed(ask: Ask, outcome: AskOutcome): void;
  /** Whether nothing is being typed or chosen. */
  isQuiet(): boolean;
  /** In which session it is asked, when that is not the one before the person. */
  elsewhere(ask: Ask): string | null;
  /** A question was announced: somebody may have to be called. */
  onAnnounced(ask: Ask): void;
}

export class ReaderAsks {
  readonly desk: AskDeskRunner;
  private readonly ports: ReaderAskPorts;
  private announced: { readonly askId: string; readonly atMs: number } | null = null;
  private hasExplained = false;

  constructor(ports: ReaderAskPorts) {
    this.ports = ports;
    this.desk = new AskDeskRunner({
      clock: ports.clock,
      typingGuardMs: ports.typingGuardMs,
      openDialog: (ask) => new ReaderQuestion(ask, (lines) => ports.say(lines)),
      tellAgent: (ask, outcome) => ports.tellAgent(ask, outcome),
      onStageChanged: (change) => this.stageChanged(change),
      mayTakeKeys: () => ports.isQuiet(),
      onClosed: (ask, outcome) => ports.onClosed(ask, outcome),
      onWish: () => undefined,
      onAudit: () => undefined,
    });
  }

  /** The question that lines answer now; null when none was announced, or when nobody can have heard it yet. */
  get answerable(): { readonly askId: string; readonly question: ReaderQuestion } | null {
    const { shown } = this.desk;
    if (shown?.phase !== "active" || !(shown.view instanceof ReaderQuestion)) return null;
    const sinceMs = this.ports.clock.nowMs() - (this.announced?.atMs ?? 0);
    return sinceMs < this.ports.typingGuardMs ? null : { askId: shown.ask.id, question: shown.view };
  }

  /** Whether a question stands before the person, answerable or not. */
  get isOpen(): boolean {
    return this.desk.shown?.phase === "active";
  }

  answer(line: string): void {
    this.desk.key(line);
  }

  cancel(): void {
    this.desk.key(CANCEL_LINE);
  }

  /** To be called whenever the line may have become empty. */
  lookAgain(): void {
    if (this.ports.isQuiet()) this.desk.drawn();
  }

  repeat(): boolean {
    const { shown } = this.desk;
    if (shown?.phase !== "active" || !(shown.view instanceof ReaderQuestion)) return false;
    shown.view.announce(this.aside(shown.ask));
    return true;
  }

  private stageChanged(change: "pending" | "active" | "gone"): void {
    if (change === "active") this.announce();
    if (change === "gone") this.announced = null;
    if (change === "pending") this.lookAgain();
  }

  private announce(): void {
    const { shown } = this.desk;
    if (shown === null) return;
    this.announced = { askId: shown.ask.id, atMs: this.ports.clock.nowMs() };
    this.repeat();
    if (!this.hasExplained) this.ports.say(["Escape cancels a question; an empty line says it again."]);
    this.hasExplained = true;
    this.ports.onAnnounced(shown.ask);
  }

  private aside(ask: Ask): PlainAside {
    const elsewhere = this.ports.elsewhere(ask);
    const who = ask.origin.kind === "agent" ? "" : (ask.origin.name ?? ask.origin.kind);
    const from = [who, elsewhere === null ? "" : `session ${elsewhere}`].filter(Boolean).join(" in ");
    return { place: 1, of: this.desk.waiting + 1, ...(from === "" ? {} : { from }) };
  }
}
