// One hosted session in a tab: the terminal UI itself on a pane of the window, connected to a session that lives in the daemon.
// Leaving the tab, or the view, ends nothing.
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { Situation } from "../../session/attention.js";
import type { Change } from "../../session/engine/engine-messages.js";
import type { RemoteConnection } from "../../session/engine/source.js";
import type { Keymap } from "../../session/keymap.js";
import type { Journal } from "../../session/transcript/journal.js";
import type { SessionMark } from "../../terminal/painter/attach/tab-line.js";
import type { Frame, Size } from "../../terminal/painter/frame.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { AppLook } from "../inline/app-look.js";
import type { Edited } from "../inline/external-editor.js";
import type { PromptHistory } from "../inline/history-file.js";
import { TerminalApp } from "../inline/terminal-app.js";
import type { AttachDaemon } from "./attach-daemon.js";
import { EarlierPart } from "./earlier-part.js";
import { type PaneFaceParts, PaneSurface } from "./pane-surface.js";

export interface SessionTabParts extends Omit<PaneFaceParts, "look" | "isInFront"> {
  readonly look: AppLook;
  readonly clock: ScreenClock;
  readonly keymap: Keymap;
  readonly folder: string;
  readonly shell: string;
  readonly history: PromptHistory;
  readonly typingGuardMs: number;
  isInFront(sessionId: string): boolean;
  readonly daemon: Pick<AttachDaemon, "openSession">;
  write(bytes: string): "drained" | "full";
  leave(): void;
  edit(text: string): Promise<Edited>;
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
}

/** So long nothing else keeps the first screen from being drawn. */
const SEEN_MS = 100;

export class SessionTab {
  readonly id: string;
  private readonly parts: SessionTabParts;
  private readonly face: PaneSurface;
  private readonly app: TerminalApp;
  private readonly connection: RemoteConnection;
  private readonly earlier: EarlierPart;
  private hasBegun = false;
  private situation: Situation | null = null;

  constructor({ id, name }: HostedSession, parts: SessionTabParts) {
    this.id = id;
    this.parts = parts;
    this.face = new PaneSurface({ ...parts, isInFront: () => parts.isInFront(id) });
    this.connection = parts.daemon.openSession(id);
    this.app = this.createApp(name);
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
    return !this.app.hasDraft && !this.face.isEngaged;
  }

  get hasDraft(): boolean {
    return this.app.hasDraft;
  }

  get hasScreen(): boolean {
    return this.face.hasScreen;
  }

  get mark(): SessionMark {
    const { phase = "idle", asking = null } = this.situation ?? {};
    const work = phase === "working" ? "working" : "idle";
    return { id: this.id, work, asks: asking === null ? 0 : asking.waiting + 1 };
  }

  frame(size: Size): Frame {
    return this.face.frame(size);
  }

  key(sequence: string): void {
    this.app.key(sequence);
  }

  /** A key went to something else in the same window. */
  typedElsewhere(): void {
    this.app.typedElsewhere();
  }

  /** It came to the front; a question that has waited there may be seen now. */
  shown(): void {
    this.app.draw("now");
    if (this.connection.phase === "live") this.earlier.begin();
  }

  resize(size: Size): void {
    this.app.resize(size);
  }

  restyle(): void {
    this.app.restyle();
  }

  closeOverlays(): void {
    this.app.closeOverlays();
  }

  close(): void {
    this.earlier.stop();
    this.app.close();
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
    this.app.draw("now");
    this.parts.clock.after(SEEN_MS, () => this.earlier.begin());
  }

  // A user who was asked as well wants to know who answered.
  private nameWhoAnswered({ outcome }: Extract<Change, { type: "ask.settled" }>): void {
    const isOthers = "by" in outcome && outcome.by !== this.connection.source.by;
    if (isOthers) this.notice("info", `${outcome.kind} by ${outcome.by}`);
  }

  private notice(level: "info", text: string): void {
    this.connection.source.dispatch({ type: "notice", level, text });
  }

  // The line of tabs tells of it, whichever tab is in front.
  private situationKnown(situation: Situation): void {
    const before = this.mark;
    this.situation = situation;
    const { work, asks } = this.mark;
    if (work !== before.work || asks !== before.asks) this.parts.draw("soon");
  }

  private createApp(name: string): TerminalApp {
    const { look, clock, keymap, folder, shell, history, typingGuardMs, write, leave, edit } = this.parts;
    const draft = { recover: () => null, changed: () => undefined, end: () => Promise.resolve() };
    return new TerminalApp(
      { agent: name || this.id, folder, look, keymap, history, draft, shell, typingGuardMs },
      {
        clock,
        face: this.face,
        terminal: { write },
        attention: {
          update: (situation) => this.situationKnown(situation),
        },
        source: this.connection.source,
        leave,
        restart: () => this.connection.restart(),
        edit,
        exportTranscript: (journal, format, path) => this.parts.exportTranscript(journal, format, path),
        settings: () => [],
        change: () => "settings are changed in palaver itself",
      },
    );
  }
}
