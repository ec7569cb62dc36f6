// All requests of the attached view to the daemon, with their results as events. A refusal is an event too; a feature that the
// daemon does not have counts as empty.

import type { Ask, AskOutcome } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { AttachEvent, HostedSession } from "../../session/attach/attach-state.js";
import type { AttachDaemon, AttachNews } from "./attach-daemon.js";

export interface DaemonEffectPorts {
  readonly daemon: AttachDaemon;
  feed(event: AttachEvent): void;
  onAsks(asks: readonly Ask[]): void;
  /** Gives back those that have tabs. */
  onSessions(sessions: readonly HostedSession[]): readonly HostedSession[];
}

export class DaemonEffects {
  private readonly ports: DaemonEffectPorts;

  constructor(ports: DaemonEffectPorts) {
    this.ports = ports;
  }

  /** What the daemon tells of itself, and what has to be asked because of it. */
  hear(news: AttachNews): void {
    const event = eventOf(news);
    if (event !== null) this.ports.feed(event);
    if (news.type === "connected" || news.type === "refresh") this.loadSessions();
    if (news.type === "connected" || news.type === "asks") this.loadAsks();
    // No answer can be sent now; questions that are still open later are asked again.
    if (news.type === "disconnected") this.ports.onAsks([]);
  }

  /** Does not wait for the log: what there is can be shown before the first line of it comes. */
  begin(): void {
    this.ports.feed({ type: "state.changed" });
    this.loadSessions();
  }

  loadState(): void {
    const { daemon, feed } = this.ports;
    daemon.state().then(
      (entries) => feed({ type: "state.loaded", entries }),
      (error: unknown) => feed({ type: "state.failed", reason: errorMessage(error) }),
    );
  }

  loadSessions(): void {
    const { daemon, feed, onSessions } = this.ports;
    daemon.sessions().then(
      (sessions) => feed({ type: "sessions.loaded", sessions: onSessions(sessions) }),
      () => undefined,
    );
  }

  act(key: string, value: string): void {
    this.attempt(this.ports.daemon.act(key, value), key);
  }

  showTab(title: string): void {
    this.ports.daemon.showTab(title).catch(() => undefined);
  }

  cancel(key: string): void {
    this.ports.daemon.cancel(key).catch(() => undefined);
  }

  /** Only the user's own outcomes are told; that an ask was withdrawn is what the daemon told us. */
  answer({ id }: Ask, outcome: AskOutcome): void {
    if (outcome.kind === "answered" || outcome.kind === "cancelled") {
      this.attempt(this.ports.daemon.answer(id, outcome), id);
    }
  }

  shown({ id }: Ask): void {
    this.ports.daemon.shown(id).catch(() => undefined);
  }

  private loadAsks(): void {
    const { daemon, onAsks } = this.ports;
    daemon.asks().then(onAsks, () => undefined);
  }

  private attempt(work: Promise<void>, key: string): void {
    const { feed } = this.ports;
    work.then(
      () => feed({ type: "action.taken", key }),
      (error: unknown) => feed({ type: "action.refused", key, reason: errorMessage(error) }),
    );
  }
}

function eventOf(news: AttachNews): AttachEvent | null {
  switch (news.type) {
    case "line":
      return { type: "line.logged", entry: news.entry };
    case "lost":
      return { type: "lines.lost", entry: news.entry };
    case "refresh":
      return { type: "state.changed" };
    case "asks":
      return null;
    case "connected":
    case "disconnected":
      return news;
  }
}
