// The hosted sessions of a daemon, each in a tab: the terminal UI itself on a pane of the window, connected to the session in
// the daemon. Leaving a tab or the view ends nothing. The daemon's list decides which tabs exist; a session that was lost is
// joined again when the list has it again.
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { Situation } from "../../session/attention.js";
import type { Change } from "../../session/engine/engine-messages.js";
import { activeSession } from "../../session/engine/engine-state.js";
import type { RemoteConnection } from "../../session/engine/source.js";
import type { Block } from "../../session/transcript/block.js";
import { emptyJournal, journaled } from "../../session/transcript/journal.js";
import type { SessionMark } from "../../terminal/painter/attach/tab-line.js";
import { TranscriptView } from "../../terminal/painter/blocks/transcript-view.js";
import type { Size } from "../../terminal/painter/frame.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { AppOptions, AppPorts } from "../inline/app.js";
import type { AppLook } from "../inline/app-look.js";
import { ScreenRenderer } from "../inline/screen-renderer.js";
import type { AttachDaemon } from "./attach-daemon.js";
import { PaneSurface, type PaneSurfaceParts } from "./pane-surface.js";

interface SessionTabParts
  extends Omit<PaneSurfaceParts, "look" | "isInFront">,
    Pick<AppOptions, "look" | "keymap" | "folder" | "shell" | "history" | "typingGuardMs">,
    Pick<AppPorts, "clock" | "leave" | "edit" | "exportTranscript"> {
  isInFront(sessionId: string): boolean;
  readonly daemon: Pick<AttachDaemon, "openSession">;
  write(bytes: string): "drained" | "full";
}

/** For this long only the first screen is drawn. */
const SEEN_MS = 100;

class SessionTab {
  readonly id: string;
  private readonly parts: SessionTabParts;
  readonly surface: PaneSurface;
  readonly renderer: ScreenRenderer;
  private readonly connection: RemoteConnection;
  private readonly earlier: EarlierPart;
  private hasBegun = false;
  private situation: Situation | null = null;

  constructor({ id, name }: HostedSession, parts: SessionTabParts) {
    this.id = id;
    this.parts = parts;
    this.surface = new PaneSurface({ ...parts, isInFront: () => parts.isInFront(id) });
    this.connection = parts.daemon.openSession(id);
    this.renderer = this.createRenderer(name);
    const { connection, surface } = this;
    const { look, clock } = parts;
    this.earlier = new EarlierPart({ look, clock, connection, surface });
    connection.source.subscribe((changes) => this.follow(changes));
    void connection.open();
  }

  /** Whether the session is no longer joined, and a new tab would have to join it again. */
  get isGone(): boolean {
    return this.connection.phase === "ended";
  }

  /** Nothing is half written and nothing else wants keys. */
  get isIdle(): boolean {
    return !this.renderer.hasDraft && !this.surface.isEngaged;
  }

  get mark(): SessionMark {
    const { phase = "idle", asking = null } = this.situation ?? {};
    const work = phase === "working" ? "working" : "idle";
    return { id: this.id, work, asks: asking === null ? 0 : asking.waiting + 1 };
  }

  /** It came to the front; a question that has waited there may be seen now. */
  shown(): void {
    this.renderer.draw("now");
    if (this.connection.phase === "live") this.earlier.begin();
  }

  close(): void {
    this.earlier.stop();
    this.renderer.close();
    void this.connection.close();
  }

  private follow(changes: readonly Change[]): void {
    if (this.connection.phase !== "live") return;
    for (const change of changes) if (change.type === "ask.settled") this.nameWhoAnswered(change);
    if (!this.hasBegun) this.caughtUp();
  }

  private caughtUp(): void {
    this.hasBegun = true;
    if (!this.parts.isInFront(this.id)) return;
    // Users want to see the end first; earlier parts load after it is drawn.
    this.renderer.draw("now");
    this.parts.clock.after(SEEN_MS, () => this.earlier.begin());
  }

  // The question was open here, too, so the user is told who answered it.
  private nameWhoAnswered({ outcome }: Extract<Change, { type: "ask.settled" }>): void {
    const isOthers = "by" in outcome && outcome.by !== this.connection.source.by;
    if (isOthers) this.renderer.app.notice("info", `${outcome.kind} by ${outcome.by}`);
  }

  // The line of tabs tells of it, whichever tab is in front.
  private situationKnown(situation: Situation): void {
    const before = this.mark;
    this.situation = situation;
    const { work, asks } = this.mark;
    if (work !== before.work || asks !== before.asks) this.parts.draw("soon");
  }

  private createRenderer(name: string): ScreenRenderer {
    const { look, clock, keymap, folder, shell, history, typingGuardMs, write, leave, edit, exportTranscript } =
      this.parts;
    const draft = { recover: () => null, changed: () => undefined, end: () => Promise.resolve() };
    return new ScreenRenderer(
      { agent: name || this.id, folder, look, keymap, history, draft, shell, typingGuardMs },
      {
        clock,
        surface: this.surface,
        terminal: { write },
        attention: { update: (situation) => this.situationKnown(situation) },
        source: this.connection.source,
        leave,
        restart: () => this.connection.restart(),
        edit,
        exportTranscript,
        settings: () => [],
        change: () => "change settings in palaver itself",
      },
    );
  }
}

export type SessionTabsParts = Omit<SessionTabParts, "isInFront">;

/** Each tab is a connection. */
const SESSIONS_MAX = 50;

export class SessionTabs {
  private readonly parts: SessionTabsParts;
  private readonly tabs = new Map<string, SessionTab>();
  private front: string | null = null;
  private size: Size;

  constructor(parts: SessionTabsParts) {
    this.parts = parts;
    this.size = parts.size;
  }

  /**
   * The daemon has these now. Those that have tabs are returned: the running ones, and those that were joined while they
   * ran, because one may still want to read how they ended.
   */
  listed(sessions: readonly HostedSession[]): HostedSession[] {
    const ids = new Set(sessions.map(({ id }) => id));
    const running = new Set(sessions.filter(({ state }) => state === "running").map(({ id }) => id));
    for (const [id, tab] of this.tabs) {
      if (ids.has(id) && !(tab.isGone && running.has(id))) continue;
      tab.close();
      this.tabs.delete(id);
    }
    for (const session of sessions) {
      const isWanted = session.state === "running" && this.tabs.size < SESSIONS_MAX;
      if (isWanted && !this.tabs.has(session.id)) this.join(session);
    }
    return sessions.filter(({ id }) => this.tabs.has(id));
  }

  marks(): SessionMark[] {
    return [...this.tabs.values()].map(({ mark }) => mark);
  }

  /** The session that is in front now; null when another kind of tab is. */
  shown(id: string | null): void {
    if (id === this.front) return;
    this.front = id;
    // The key that opened this tab does not count for a question in it.
    this.inFront?.renderer.asks.controller.typed();
    this.inFront?.shown();
  }

  resize(size: Size): void {
    this.size = size;
    for (const { renderer } of this.tabs.values()) renderer.resize(size);
  }

  restyle(): void {
    for (const { renderer } of this.tabs.values()) renderer.restyle();
  }

  close(): void {
    for (const tab of this.tabs.values()) tab.close();
    this.tabs.clear();
  }

  get inFront(): SessionTab | undefined {
    return this.front === null ? undefined : this.tabs.get(this.front);
  }

  private join(session: HostedSession): void {
    const isInFront = (id: string) => id === this.front;
    this.tabs.set(session.id, new SessionTab(session, { ...this.parts, size: this.size, isInFront }));
  }
}

// What a hosted session said before the end that its tab began with. While the tab is in front it is brought in from the newest
// piece to the oldest, a little at a time, so that keys are heard in between: above what stands there already, and into the
// journal that is read, searched and exported.
//
//   | line 99,970 |        | line 99,940 |
//   | line 99,971 |   →    | …           |     the window still shows the end, or what the user reads
//   | ▏           |        | line 99,971 |
//                          | ▏           |

interface EarlierPorts {
  readonly connection: Pick<RemoteConnection, "source" | "readEarlier">;
  readonly surface: Pick<PaneSurface, "addBefore" | "takesEarlier" | "size">;
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

class EarlierPart {
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
    const { surface, connection } = this.ports;
    const wants = surface.takesEarlier;
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
    const { connection, look, surface } = this.ports;
    const view = new TranscriptView({ ...look, wrap: look.wrap === "terminal" ? "terminal" : "words" });
    let journal = emptyJournal();
    for (const block of blocks) {
      view.follow({ type: "opened", block });
      view.follow({ type: "closed", block });
      journal = journaled(journal, block);
    }
    if (wants === "lines") surface.addBefore(linesOf(view, surface.size.columns));
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
