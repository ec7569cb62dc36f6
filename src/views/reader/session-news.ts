// What others see from a spinner that starts or stops, and from a plan above the composer, as sentences: each said once, when
// it has changed.
import type { SessionState } from "../../session/engine/engine-state.js";
import type { SessionFacts } from "../../session/session-facts.js";
import type { BlockChange, ToolBlock } from "../../session/transcript/block.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { toolWords } from "../../terminal/painter/reader/block-speech.js";
import { modeNews, planNews } from "../../terminal/painter/reader/status-speech.js";
import { safeLine } from "../../text/safe.js";

interface Told {
  readonly plan: string;
  readonly mode: string;
  readonly stop: string;
  readonly phase: SessionFacts["phase"];
}

export class SessionNews {
  private readonly agent: string;
  private readonly told = new Map<number, Told>();

  constructor(agent: string) {
    this.agent = agent;
  }

  /** The sentences since it was asked last. */
  take({ key, facts }: SessionState): string[] {
    const { phase } = facts;
    const plan = planNews(facts.plan);
    const mode = modeNews(facts);
    const stop = facts.stoppingSinceMs === null ? "" : "Stopping. If it does not stop, /restart ends it.";
    const before = this.told.get(key);
    this.told.set(key, { phase, plan, mode, stop });
    const news = [
      ...(plan !== "" && plan !== before?.plan ? [plan] : []),
      ...(mode !== "" && mode !== before?.mode ? [mode] : []),
      ...(stop !== "" && stop !== before?.stop ? [stop] : []),
    ];
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

const SLOW_MS = 5_000;

/** Says that a tool is still at work when it takes long: silence does not tell waiting from a program that hangs. */
export class SlowTools {
  private readonly clock: ScreenClock;
  private readonly say: (line: string) => void;
  private readonly waiting = new Map<string, () => void>();

  constructor(clock: ScreenClock, say: (line: string) => void) {
    this.clock = clock;
    this.say = say;
  }

  follow(change: BlockChange): void {
    if (change.type === "grew" || change.block.kind !== "tool") return;
    if (change.type === "closed") this.forget(change.block.id);
    else if (change.block.phase === "running" && !this.waiting.has(change.block.id)) this.watch(change.block);
  }

  close(): void {
    for (const id of [...this.waiting.keys()]) this.forget(id);
  }

  private watch(tool: ToolBlock): void {
    this.waiting.set(
      tool.id,
      this.clock.after(SLOW_MS, () => this.say(`Tool ${toolWords(tool)}, still running.`)),
    );
  }

  private forget(id: string): void {
    this.waiting.get(id)?.();
    this.waiting.delete(id);
  }
}
