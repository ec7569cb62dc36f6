// Events that say how things stand for as long as nothing says otherwise: the agent is ready, a session is open, a prompt is
// worked on. They are told once and count from then on, so that whoever gets only the end of a transcript is told them first.
import type { SessionEvent } from "../contract/session-events.js";

interface Standing {
  readonly seq: number;
  readonly event: SessionEvent;
}

/** An agent with more sessions than this is not understood by anybody; the oldest goes first. */
const STANDING_MAX = 1_000;

export class StandingEvents {
  private readonly standing = new Map<string, Standing>();

  take(event: SessionEvent, seq: number): void {
    const session = event.sessionId ?? "";
    switch (event.type) {
      case "agent.readied":
      case "session.activated":
        this.set(event.type, { seq, event });
        return;
      case "session.started":
      case "prompt.started":
        this.set(`${event.type} ${session}`, { seq, event });
        return;
      case "session.closed":
        this.standing.delete(`session.started ${session}`);
        this.standing.delete(`prompt.started ${session}`);
        return;
      case "prompt.finished":
        this.endPrompts(event.sessionId);
    }
  }

  /** Nobody works any more: the agent is gone. */
  endPrompts(sessionId: string | null): void {
    for (const key of [...this.standing.keys()]) {
      const isMeant = sessionId === null || key === `prompt.started ${sessionId}` || key === "prompt.started ";
      if (isMeant && key.startsWith("prompt.started ")) this.standing.delete(key);
    }
  }

  /** Those that were told before this number, in their order. */
  before(seq: number): SessionEvent[] {
    const told = [...this.standing.values()].filter((entry) => entry.seq < seq);
    return told.sort((a, b) => a.seq - b.seq).map(({ event }) => event);
  }

  private set(key: string, entry: Standing): void {
    this.standing.delete(key);
    this.standing.set(key, entry);
    const oldest = this.standing.keys().next().value;
    if (this.standing.size > STANDING_MAX && oldest !== undefined) this.standing.delete(oldest);
  }
}
