// What a hosted session said before the end that its tab began with. While the tab is in front it is brought in from the newest
// piece to the oldest, a little at a time, so that keys are heard in between: above what stands there already, and into the
// journal that is read, searched and exported.
//
//   | line 99,970 |        | line 99,940 |
//   | line 99,971 |   →    | …           |     the window still shows the end, or what the person reads
//   | ▏           |        | line 99,971 |
//                          | ▏           |

import type { EarlierPage } from "../../agents/remote/earlier-page.js";
import type { TranscriptItem } from "../../contract/hosted-sessions.js";
import { activeSession, startingState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { type Recorded, recorded } from "../../session/engine/step-draft.js";
import { outcomeWords } from "../../session/outcome-words.js";
import type { TranscriptInput } from "../../session/transcript/transcript.js";
import { TranscriptView } from "../../terminal/painter/blocks/transcript-view.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { AppLook } from "../inline/app-look.js";
import type { PaneSurface } from "./pane-surface.js";

export interface EarlierPorts {
  readonly source: Source;
  readonly face: Pick<PaneSurface, "addBefore" | "takesEarlier" | "size">;
  readonly look: AppLook;
  readonly clock: ScreenClock;
  read(before: number, chars: number): Promise<EarlierPage>;
}

/** Some milliseconds of reading; where nothing of it is drawn, a piece may be larger. */
const DRAWN_CHARS = 48 * 1024;
const KEPT_CHARS = 512 * 1024;

/** Between two pieces: time for keys. */
const REST_MS = 15;
/** Until somebody who reads is done, or the daemon is there again. */
const WAIT_MS = 500;

/** As much as a journal keeps; what would only be given up again is not asked for. */
const JOURNAL_BLOCKS_MAX = 20_000;
const JOURNAL_UNITS_MAX = 24 * 1024 * 1024;

export class EarlierPart {
  private readonly ports: EarlierPorts;
  private before: number | null = null;
  private state: "resting" | "coming" | "stopped" = "resting";
  private cancelStep: () => void = () => undefined;

  constructor(ports: EarlierPorts) {
    this.ports = ports;
  }

  /** There is something before this number. */
  offered(before: number): void {
    this.before = before;
  }

  /** Somebody looks: it may come now. */
  begin(): void {
    if (this.state !== "resting" || this.before === null) return;
    this.state = "coming";
    this.stepIn(REST_MS);
  }

  stop(): void {
    this.state = "stopped";
    this.cancelStep();
  }

  private stepIn(delayMs: number): void {
    this.cancelStep = this.ports.clock.after(delayMs, () => void this.step());
  }

  private async step(): Promise<void> {
    const { before } = this;
    const { face, read } = this.ports;
    if (before === null || this.state !== "coming") return;
    const wants = face.takesEarlier;
    if (wants === "later") return this.stepIn(WAIT_MS);
    try {
      this.take(await read.call(this.ports, before, wants === "lines" ? DRAWN_CHARS : KEPT_CHARS), wants);
    } catch {
      return this.stepIn(WAIT_MS);
    }
    if (this.before !== null) this.stepIn(REST_MS);
  }

  private take({ items, earlier }: EarlierPage, wants: "lines" | "text"): void {
    if (this.state !== "coming") return;
    const { source, look, face } = this.ports;
    let told: Recorded = activeSession(startingState());
    const view = new TranscriptView(look);
    const inputs = items.filter((item) => this.isOfTheActive(item)).map(inputOf);
    // Only the time between two moments is shown, so that the daemon's clock is as good as ours.
    let atMs = inputs.map(momentOf).find((moment) => moment !== undefined) ?? 0;
    const hear = (input: TranscriptInput) => {
      atMs = momentOf(input) ?? atMs;
      const step = recorded(told, input, atMs);
      told = step;
      for (const change of step.changes) view.follow(change);
    };
    for (const input of inputs) hear(input);
    // What a piece leaves open was ended by what came after it.
    hear({ type: "prompt.finished", sessionId: null });
    if (wants === "lines") face.addBefore(linesOf(view, face.size.columns));
    source.dispatch({ type: "prepend", journal: told.journal });
    const { blocks, units } = activeSession(source.state).journal;
    this.before = blocks.length > JOURNAL_BLOCKS_MAX || units > JOURNAL_UNITS_MAX ? null : earlier;
  }

  private isOfTheActive(item: TranscriptItem): boolean {
    const { sessions, active } = this.ports.source.state;
    const sessionId = "event" in item ? sessionOf(item.event) : (sessionOf(item.settled) ?? null);
    return sessionId === active || !sessions.some(({ id }) => id === sessionId);
  }
}

function sessionOf(told: unknown): string | null {
  const { sessionId = null, ask } = told as { sessionId?: string | null; ask?: { sessionId: string | null } };
  return sessionId ?? ask?.sessionId ?? null;
}

function inputOf(item: TranscriptItem): TranscriptInput {
  if ("event" in item) return item.event as TranscriptInput;
  const { ask, outcome } = item.settled as Extract<TranscriptItem, { settled: unknown }>["settled"];
  return { type: "ask.settled", title: ask.question.params.title, outcome: outcomeWords(ask, outcome) };
}

function momentOf(input: TranscriptInput): number | undefined {
  return "atMs" in input ? input.atMs : undefined;
}

function linesOf(view: TranscriptView, columns: number): string[] {
  const lines = view.takeSettled(columns);
  while (view.isBehind) lines.push(...view.takeSettled(columns));
  // The blank line before what follows.
  return lines.length === 0 ? [] : [...lines, ""];
}
