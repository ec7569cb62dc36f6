// The hosted sessions of a daemon, each in its tab: the terminal UI itself on a pane of the window, connected to a session that
// lives in the daemon. Leaving a tab, or the view, ends nothing. The daemon's list decides which tabs there are; a session that
// was lost on the way is joined again when the list names it again.
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { Situation } from "../../session/attention.js";
import type { Change } from "../../session/engine/engine-messages.js";
import type { RemoteConnection } from "../../session/engine/source.js";
import type { SessionMark } from "../../terminal/painter/attach/tab-line.js";
import type { Size } from "../../terminal/painter/frame.js";
import type { AppOptions, AppPorts } from "../inline/app.js";
import { ScreenRenderer } from "../inline/screen-renderer.js";
import type { AttachDaemon } from "./attach-daemon.js";
import { EarlierPart } from "./earlier-part.js";
import { type PaneFaceParts, PaneSurface } from "./pane-surface.js";

interface SessionTabParts
  extends Omit<PaneFaceParts, "look" | "isInFront">,
    Pick<AppOptions, "look" | "keymap" | "folder" | "shell" | "history" | "typingGuardMs">,
    Pick<AppPorts, "clock" | "leave" | "edit" | "exportTranscript"> {
  isInFront(sessionId: string): boolean;
  readonly daemon: Pick<AttachDaemon, "openSession">;
  write(bytes: string): "drained" | "full";
}

/** So long nothing else keeps the first screen from being drawn. */
const SEEN_MS = 100;

class SessionTab {
  readonly id: string;
  private readonly parts: SessionTabParts;
  readonly face: PaneSurface;
  readonly renderer: ScreenRenderer;
  private readonly connection: RemoteConnection;
  private readonly earlier: EarlierPart;
  private hasBegun = false;
  private situation: Situation | null = null;

  constructor({ id, name }: HostedSession, parts: SessionTabParts) {
    this.id = id;
    this.parts = parts;
    this.face = new PaneSurface({ ...parts, isInFront: () => parts.isInFront(id) });
    this.connection = parts.daemon.openSession(id);
    this.renderer = this.createRenderer(name);
    const { connection, face } = this;
    const { look, clock } = parts;
    this.earlier = new EarlierPart({ look, clock, connection, face });
    connection.source.subscribe((changes) => this.follow(changes));
    void connection.open();
  }

  /** Whether the session is no longer joined, and a new tab would have to join it again. */
  get isGone(): boolean {
    return this.connection.phase === "ended";
  }

  /** Nothing is half written and nothing else wants keys. */
  get isIdle(): boolean {
    return !this.renderer.hasDraft && !this.face.isEngaged;
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
    // The end is what one came for; what was before it has time until that is seen.
    this.renderer.draw("now");
    this.parts.clock.after(SEEN_MS, () => this.earlier.begin());
  }

  // A user who was asked as well wants to know who answered.
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
        face: this.face,
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
    // The key that led here was none for a question that waits here.
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
