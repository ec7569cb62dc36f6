// What a hosted session said before the end that its tab began with. While the tab is in front it is brought in from the newest
// piece to the oldest, a little at a time, so that keys are heard in between: above what stands there already, and into the
// journal that is read, searched and exported.
//
//   | line 99,970 |        | line 99,940 |
//   | line 99,971 |   →    | …           |     the window still shows the end, or what the user reads
//   | ▏           |        | line 99,971 |
//                          | ▏           |

import { activeSession } from "../../session/engine/engine-state.js";
import type { RemoteConnection } from "../../session/engine/source.js";
import type { Block } from "../../session/transcript/block.js";
import { emptyJournal, journaled } from "../../session/transcript/journal.js";
import { TranscriptView } from "../../terminal/painter/blocks/transcript-view.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { AppLook } from "../inline/app-look.js";
import type { PaneSurface } from "./pane-surface.js";

export interface EarlierPorts {
  readonly connection: Pick<RemoteConnection, "source" | "readEarlier">;
  readonly face: Pick<PaneSurface, "addBefore" | "takesEarlier" | "size">;
  readonly look: AppLook;
  readonly clock: ScreenClock;
}

/** Some milliseconds of reading; where nothing of it is drawn, a piece may be larger. */
const DRAWN_CHARS = 48 * 1024;
const KEPT_CHARS = 512 * 1024;

/** Between two pieces: time for keys. */
const REST_MS = 15;
/** Until the user has read on, or the daemon is there again. */
const WAIT_MS = 500;

/** As much as a journal keeps; what would only be given up again is not asked for. */
const JOURNAL_BLOCKS_MAX = 20_000;
const JOURNAL_UNITS_MAX = 24 * 1024 * 1024;

export class EarlierPart {
  private readonly ports: EarlierPorts;
  private state: "resting" | "coming" | "stopped" = "resting";
  private cancelStep: () => void = () => undefined;

  constructor(ports: EarlierPorts) {
    this.ports = ports;
  }

  /** The session is being looked at: it may come now. */
  begin(): void {
    if (this.state !== "resting") return;
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
    const { face, connection } = this.ports;
    const wants = face.takesEarlier;
    if (this.state !== "coming" || this.isFull) return;
    if (wants === "later") return this.stepIn(WAIT_MS);
    try {
      const blocks = await connection.readEarlier(wants === "lines" ? DRAWN_CHARS : KEPT_CHARS);
      if (blocks === null) return;
      this.take(blocks, wants);
    } catch {
      return this.stepIn(WAIT_MS);
    }
    this.stepIn(REST_MS);
  }

  private take(blocks: readonly Block[], wants: "lines" | "text"): void {
    if (this.state !== "coming") return;
    const { connection, look, face } = this.ports;
    const view = new TranscriptView({ ...look, wrap: look.wrap === "terminal" ? "terminal" : "words" });
    let journal = emptyJournal();
    for (const block of blocks) {
      view.follow({ type: "opened", block });
      view.follow({ type: "closed", block });
      journal = journaled(journal, block);
    }
    if (wants === "lines") face.addBefore(linesOf(view, face.size.columns));
    connection.source.dispatch({ type: "prepend", journal });
  }

  private get isFull(): boolean {
    const { blocks, units } = activeSession(this.ports.connection.source.state).journal;
    return blocks.length > JOURNAL_BLOCKS_MAX || units > JOURNAL_UNITS_MAX;
  }
}

function linesOf(view: TranscriptView, columns: number): string[] {
  const lines = view.takeSettled(columns);
  while (view.isBehind) lines.push(...view.takeSettled(columns));
  // The blank line before what follows.
  return lines.length === 0 ? [] : [...lines, ""];
}
