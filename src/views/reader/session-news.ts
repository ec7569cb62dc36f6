// What others see from a spinner that starts or stops, and from a plan above the composer, as sentences: each said once, when
// it has changed.
import type { FrontState } from "../../session/front-state.js";
import { planNews } from "../../terminal/painter/reader/status-speech.js";
import { safeLine } from "../../text/safe.js";
import type { SessionPane } from "../inline/session-pane.js";

export class SessionNews {
  private readonly agent: string;
  private readonly told = new WeakMap<SessionPane, { readonly plan: string; readonly phase: FrontState["phase"] }>();

  constructor(agent: string) {
    this.agent = agent;
  }

  /** The sentences since it was asked last. */
  take(pane: SessionPane): string[] {
    const { phase } = pane.front;
    const plan = planNews(pane.front.plan);
    const before = this.told.get(pane);
    this.told.set(pane, { phase, plan });
    const news = plan !== "" && plan !== before?.plan ? [plan] : [];
    return phase === before?.phase ? news : [...news, ...this.phaseNews(phase, before?.phase)];
  }

  private phaseNews(phase: FrontState["phase"], before: FrontState["phase"] | undefined): string[] {
    if (phase === "starting") return [`Starting ${safeLine(this.agent)}.`];
    if (phase !== "idle" || before === undefined) return [];
    return [before === "starting" ? "Ready. Type a message and press Enter; /help lists the commands." : "Done."];
  }
}
