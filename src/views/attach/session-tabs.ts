// All hosted sessions of a daemon, each in its tab. The daemon's list decides which there are; one that was lost on the way
// is joined again when the list names it again.
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { SessionMark } from "../../terminal/painter/attach/tab-line.js";
import { EMPTY_FRAME, type Frame, type Size } from "../../terminal/painter/frame.js";
import { SessionTab, type SessionTabParts } from "./session-tab.js";

export type SessionTabsParts = Omit<SessionTabParts, "isInFront">;

/** More than this nobody looks at, and each of them is a connection. */
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

  /** Whether a key that leads to another tab is free in the one in front. */
  get isIdle(): boolean {
    return this.inFront?.isIdle ?? true;
  }

  /** Whether the one in front has the whole screen for something to read. */
  get hasScreen(): boolean {
    return this.inFront?.hasScreen ?? false;
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
    this.inFront?.typedElsewhere();
    this.inFront?.shown();
  }

  /** Whether something is written in front that is not sent. */
  get hasDraft(): boolean {
    return this.inFront?.hasDraft ?? false;
  }

  key(sequence: string): void {
    this.inFront?.key(sequence);
  }

  /** A key went to something else in the same window. */
  typedElsewhere(): void {
    this.inFront?.typedElsewhere();
  }

  frame(size: Size): Frame {
    return this.inFront?.frame(size) ?? EMPTY_FRAME;
  }

  resize(size: Size): void {
    this.size = size;
    for (const tab of this.tabs.values()) tab.resize(size);
  }

  restyle(): void {
    for (const tab of this.tabs.values()) tab.restyle();
  }

  closeOverlays(): void {
    this.inFront?.closeOverlays();
  }

  close(): void {
    for (const tab of this.tabs.values()) tab.close();
    this.tabs.clear();
  }

  private get inFront(): SessionTab | undefined {
    return this.front === null ? undefined : this.tabs.get(this.front);
  }

  private join(session: HostedSession): void {
    const isInFront = (id: string) => id === this.front;
    this.tabs.set(session.id, new SessionTab(session, { ...this.parts, size: this.size, isInFront }));
  }
}
