// What others see from a spinner that starts or stops, and from a plan above the composer, as sentences: each said once, when
// it has changed.
import type { SessionState } from "../../session/engine/engine-state.js";
import type { SessionFacts } from "../../session/session-facts.js";
import { planNews } from "../../terminal/painter/reader/status-speech.js";
import { safeLine } from "../../text/safe.js";

export class SessionNews {
  private readonly agent: string;
  private readonly told = new Map<number, { readonly plan: string; readonly phase: SessionFacts["phase"] }>();

  constructor(agent: string) {
    this.agent = agent;
  }

  /** The sentences since it was asked last. */
  take({ key, facts }: SessionState): string[] {
    const { phase } = facts;
    const plan = planNews(facts.plan);
    const before = this.told.get(key);
    this.told.set(key, { phase, plan });
    const news = plan !== "" && plan !== before?.plan ? [plan] : [];
    return phase === before?.phase ? news : [...news, ...this.phaseNews(phase, before?.phase)];
  }

  /** The session is over. */
  drop(session: number): void {
    this.told.delete(session);
  }

  private phaseNews(phase: SessionFacts["phase"], before: SessionFacts["phase"] | undefined): string[] {
    if (phase === "starting") return [`Starting ${safeLine(this.agent)}.`];
    if (phase !== "idle" || before === undefined) return [];
    return [before === "starting" ? "Ready. Type a message and press Enter; /help lists the commands." : "Done."];
  }
}
