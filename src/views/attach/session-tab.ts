// One hosted session in a tab: the terminal UI itself on a pane of the window, joined to the session by a link that only
// listens in. Leaving the tab, or the view, ends nothing.

import type { SessionLink } from "../../agents/dialect-link.js";
import type { AskOutcome, Sent } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { Situation } from "../../session/attention.js";
import { EventInbox } from "../../session/engine/event-inbox.js";
import { SessionEngine } from "../../session/engine/source.js";
import type { Keymap } from "../../session/keymap.js";
import { responseTo } from "../../session/outcome-words.js";
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
  readonly daemon: Pick<AttachDaemon, "name" | "openSession" | "earlier">;
  write(bytes: string): "drained" | "full";
  leave(): void;
  edit(text: string): Promise<Edited>;
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
}

/** What a person can type before the link is there. */
const EARLY_COMMANDS_MAX = 100;

/** So long nothing else keeps the first screen from being drawn. */
const SEEN_MS = 100;

export class SessionTab {
  readonly id: string;
  private readonly parts: SessionTabParts;
  private readonly face: PaneSurface;
  private readonly app: TerminalApp;
  private readonly source: SessionEngine;
  private readonly earlier: EarlierPart;
  private readonly inbox: EventInbox;
  private readonly early: LinesCommand[] = [];
  private link: SessionLink | null = null;
  private state: "opening" | "open" | "gone" = "opening";
  /** "past": what comes happened before this view was there. */
  private hearing: "past" | "live" = "past";
  private situation: Situation | null = null;
  private draft = "";

  constructor({ id, name }: HostedSession, parts: SessionTabParts) {
    this.id = id;
    this.parts = parts;
    this.face = new PaneSurface({ ...parts, isInFront: () => parts.isInFront(id) });
    this.source = new SessionEngine({
      clock: parts.clock,
      send: (command) => this.send(command),
      respond: (ask, outcome) => this.send(responseTo(ask, outcome)),
    });
    this.app = this.createApp(name);
    const { daemon, look, clock } = parts;
    this.earlier = new EarlierPart({
      ...{ look, clock, source: this.source, face: this.face },
      read: (before, chars) => daemon.earlier(id, before, chars),
    });
    this.inbox = new EventInbox({
      clock,
      hear: (event) => this.source.take({ type: "event", event }),
      // The daemon has its own way with a reader that is slow.
      setFlow: () => undefined,
    });
    void this.open();
  }

  /** Whether the session is no longer joined, and a new tab would have to join it again. */
  get isGone(): boolean {
    return this.state === "gone";
  }

  /** Nothing is half written and nothing else wants keys. */
  get isIdle(): boolean {
    return this.draft === "" && !this.face.isEngaged;
  }

  get hasDraft(): boolean {
    return this.draft !== "";
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
    if (this.hearing === "live") this.earlier.begin();
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
    this.state = "gone";
    this.earlier.stop();
    this.app.close();
    this.source.close();
    void this.link?.stop();
  }

  private async open(): Promise<void> {
    this.source.take({ type: "agent", change: "opened", words: [] });
    const { daemon, clock } = this.parts;
    try {
      const link = await daemon.openSession(this.id, {
        onEvent: (event) => this.inbox.push(event),
        onAskSettled: (askId, outcome) => this.askSettled(askId, outcome),
        onCaughtUp: () => this.caughtUp(),
        onEarlier: (before) => {
          this.inbox.drain();
          this.earlier.offered(before);
        },
        nowMs: () => clock.nowMs(),
      });
      if (this.isGone) return void link.stop();
      this.joined(link);
    } catch (error) {
      this.parted(errorMessage(error));
    }
  }

  private caughtUp(): void {
    this.inbox.drain();
    this.hearing = "live";
    if (!this.parts.isInFront(this.id)) return;
    // The end is what one came for; what was before it has time until that is seen.
    this.app.draw("now");
    this.parts.clock.after(SEEN_MS, () => this.earlier.begin());
  }

  // Who was asked as well wants to know who took it off his hands.
  private askSettled(askId: string, outcome: AskOutcome): void {
    this.inbox.drain();
    this.source.take({ type: "settled-elsewhere", askId, outcome });
    const by = outcome.kind === "answered" || outcome.kind === "cancelled" ? outcome.by : this.parts.daemon.name;
    if (this.hearing === "past" || by === this.parts.daemon.name) return;
    this.notice("info", `${outcome.kind} by ${by}`);
  }

  private joined(link: SessionLink): void {
    this.link = link;
    this.state = "open";
    for (const command of this.early.splice(0)) link.send(command);
    void link.exited.then(({ error, code }) => this.parted(error ?? `the agent ended with code ${code ?? "unknown"}`));
  }

  private parted(words: string): void {
    if (this.state === "gone") return;
    this.inbox.drain();
    this.state = "gone";
    this.source.take({ type: "agent", change: "closed", words: [words] });
  }

  private send(command: LinesCommand): Sent {
    if (this.link !== null) return this.link.send(command);
    if (this.state === "opening" && this.early.length < EARLY_COMMANDS_MAX) this.early.push(command);
    return "lost";
  }

  private notice(level: "info" | "warn", text: string): void {
    this.source.dispatch({ type: "notice", level, text });
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
    const draft = {
      recover: () => null,
      changed: (text: string) => {
        this.draft = text;
      },
      end: () => Promise.resolve(),
    };
    return new TerminalApp(
      { agent: name || this.id, folder, look, keymap, history, draft, shell, typingGuardMs },
      {
        clock,
        face: this.face,
        terminal: { write },
        attention: {
          update: (situation) => this.situationKnown(situation),
        },
        source: this.source,
        leave,
        restart: () => this.notice("warn", "a hosted session is started again by its daemon"),
        edit,
        exportTranscript: (journal, format, path) => this.parts.exportTranscript(journal, format, path),
        settings: () => [],
        change: () => "settings are changed in palaver itself",
      },
    );
  }
}
