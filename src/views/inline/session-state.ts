// One session as the front end knows it: what was said, what is around it, and what the person has half written for it.
// The reducers decide; this keeps their states together and hands out what changed.
import {
  type FactsEffect,
  type FactsInput,
  reduceFacts,
  type SessionFacts,
  startingFacts,
} from "../../session/session-facts.js";
import type { BlockChange } from "../../session/transcript/block.js";
import { emptyJournal, type Journal, journaled } from "../../session/transcript/journal.js";
import {
  emptyTranscript,
  reduceTranscript,
  type TranscriptInput,
  type TranscriptState,
} from "../../session/transcript/transcript.js";

export class SessionState {
  front: SessionFacts = startingFacts;
  journal: Journal = emptyJournal();
  /** What stands in the composer while another session is before the person. */
  draft = "";
  /** When the turn began that the person asked to stop. */
  stoppedTurnMs: number | null = null;
  private transcript: TranscriptState = emptyTranscript;

  record(input: TranscriptInput, atMs: number): readonly BlockChange[] {
    const { state, changes } = reduceTranscript(this.transcript, input, atMs);
    this.transcript = state;
    for (const change of changes) {
      if (change.type === "closed") this.journal = journaled(this.journal, change.block);
    }
    return changes;
  }

  feed(input: FactsInput, atMs: number): readonly FactsEffect[] {
    const { state, effects } = reduceFacts(this.front, input, atMs);
    this.front = state;
    return effects;
  }
}
