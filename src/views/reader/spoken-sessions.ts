// The transcripts of all sessions as utterances, one each: what has happened in a session is said when one is there.
import { SpokenTranscript } from "../../terminal/painter/reader/spoken-transcript.js";
import type { AppLook } from "../inline/app-look.js";

export class SpokenSessions {
  private readonly look: AppLook;
  private readonly transcripts = new Map<number, SpokenTranscript>();

  constructor(look: AppLook) {
    this.look = look;
  }

  /** `session` is the key of one. */
  of(session: number): SpokenTranscript {
    const known = this.transcripts.get(session);
    if (known !== undefined) return known;
    const made = new SpokenTranscript({
      outputLinesMax: () => this.look.outputLinesMax,
      thinking: () => (this.look.thinking === "shown" ? "shown" : "hidden"),
    });
    this.transcripts.set(session, made);
    return made;
  }

  /** The session is over. */
  drop(session: number): void {
    this.transcripts.delete(session);
  }
}
