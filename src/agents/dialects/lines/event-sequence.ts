// The numbers of events, per session: a number that is skipped means that events were lost, one that comes again means that
// an event was sent twice. An agent that stays at 0, counts from 0 again, or anew with each prompt, repeats nothing.

/** How many sessions' numbers are remembered; the oldest is forgotten first. */
const SESSIONS_WATCHED_MAX = 4_096;

export type EventPlace =
  /** `missed` is how many events are missing before this one. */
  | { readonly kind: "next"; readonly missed: number }
  /** "first" of its session: the person is told once. */
  | { readonly kind: "repeated"; readonly time: "first" | "again" };

type Watched = { lastSeq: number; hasRepeated: boolean };

export class EventSequence {
  private readonly sessions = new Map<string, Watched>();

  take(sessionId: string | null, seq: number, eventType: string | null): EventPlace {
    const watched = this.watched(sessionId ?? "", seq);
    const { lastSeq } = watched;
    const isNewCount = seq === 0 || (seq < lastSeq && eventType === "agent_start");
    // The end of a turn counts even then: without it the turn would never end.
    if (seq <= lastSeq && !isNewCount && eventType !== "agent_end") {
      const time = watched.hasRepeated ? "again" : "first";
      watched.hasRepeated = true;
      return { kind: "repeated", time };
    }
    watched.lastSeq = isNewCount ? seq : Math.max(seq, lastSeq);
    return { kind: "next", missed: Math.max(0, seq - lastSeq - 1) };
  }

  private watched(key: string, seq: number): Watched {
    const watched = this.sessions.get(key) ?? { lastSeq: seq - 1, hasRepeated: false };
    this.sessions.delete(key);
    this.sessions.set(key, watched);
    const [oldest = ""] = this.sessions.keys();
    if (this.sessions.size > SESSIONS_WATCHED_MAX) this.sessions.delete(oldest);
    return watched;
  }
}
