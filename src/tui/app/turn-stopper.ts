// Stops the turn that runs, and leaves one line that says who did it: half an answer without a reason under it looks like a
// fault. The line comes at once and only once, however often the key is pressed. It says what the person did, which is true
// also of an agent that takes its time or does not obey.
import type { Conversation } from "./conversation.js";
import type { SessionPane } from "./session-pane.js";

const STOPPED_WORDS = "you asked it to stop";

export class TurnStopper {
  private stopped: { readonly pane: SessionPane; readonly sinceMs: number | null } | null = null;

  stop(talk: Conversation): void {
    const pane = talk.active;
    const sinceMs = pane.front.workingSinceMs;
    talk.send({ type: "abort" });
    if (this.stopped?.pane === pane && this.stopped.sinceMs === sinceMs) return;
    this.stopped = { pane, sinceMs };
    talk.say("info", STOPPED_WORDS);
  }
}
