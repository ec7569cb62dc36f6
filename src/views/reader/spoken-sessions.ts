// The transcripts of all sessions as utterances, one each: what has happened in a session is said when one is there.
import { SpokenTranscript } from "../../terminal/painter/reader/spoken-transcript.js";
import type { AppLook } from "../inline/app-look.js";
import type { SessionState } from "../inline/session-state.js";

export class SpokenSessions {
  private readonly look: AppLook;
  private readonly transcripts = new WeakMap<SessionState, SpokenTranscript>();

  constructor(look: AppLook) {
    this.look = look;
  }

  of(pane: SessionState): SpokenTranscript {
    const known = this.transcripts.get(pane);
    if (known !== undefined) return known;
    const made = new SpokenTranscript({
      outputLinesMax: () => this.look.outputLinesMax,
      thinking: () => (this.look.thinking === "shown" ? "shown" : "hidden"),
    });
    this.transcripts.set(pane, made);
    return made;
  }
}
