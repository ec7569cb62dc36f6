// What is left when a recorded conversation was played again, whichever protocol it was in: what a person would have seen,
// what was asked, and a count of everything that should have found its end.

import type { JsonObject } from "../../../src/agents/dialects/frames/json-frame.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript, type TranscriptState } from "../../../src/session/transcript/transcript.js";

export type Replayed = {
  readonly events: readonly SessionEvent[];
  readonly blocks: readonly Block[];
  readonly openBlocks: readonly Block[];
  readonly asks: readonly Ask[];
  /** How often each request of the agent was answered by us, by its id; one is right. */
  readonly answerCounts: ReadonlyMap<string, number>;
  readonly sent: readonly JsonObject[];
};

/** Each session has a transcript of its own; what names none belongs to the one that was last named, and an end to all. */
export function blocksOf(events: readonly SessionEvent[]): { blocks: Block[]; openBlocks: readonly Block[] } {
  const states = new Map<string, TranscriptState>();
  const blocks: Block[] = [];
  let last = "";
  events.forEach((event, index) => {
    last = event.sessionId ?? last;
    const isForAll = event.sessionId === null && event.type === "prompt.finished";
    for (const id of isForAll ? [...states.keys()] : [last]) {
      const step = reduceTranscript(states.get(id) ?? emptyTranscript, event, index);
      states.set(id, step.state);
      for (const change of step.changes) if (change.type === "closed") blocks.push(change.block);
    }
  });
  return { blocks, openBlocks: [...states.values()].flatMap(({ open }) => open) };
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
