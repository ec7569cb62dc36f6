// What is left when a recorded conversation was played again, whichever protocol it was in: what a person would have seen,
// what was asked, and a count of everything that should have found its end.
import type { Ask } from "../../contract/asks.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { Block } from "../../core/transcript/block.js";
import { emptyTranscript, reduceTranscript } from "../../core/transcript/transcript.js";
import type { JsonObject } from "../../wire/json-frame.js";

export type Replayed = {
  readonly events: readonly SessionEvent[];
  readonly blocks: readonly Block[];
  readonly openBlocks: readonly Block[];
  readonly asks: readonly Ask[];
  /** How often each request of the agent was answered by us, by its id; one is right. */
  readonly answerCounts: ReadonlyMap<string, number>;
  readonly sent: readonly JsonObject[];
};

export function blocksOf(events: readonly SessionEvent[]): { blocks: Block[]; openBlocks: readonly Block[] } {
  let state = emptyTranscript;
  const blocks: Block[] = [];
  events.forEach((event, index) => {
    const step = reduceTranscript(state, event, index);
    state = step.state;
    for (const change of step.changes) if (change.type === "closed") blocks.push(change.block);
  });
  return { blocks, openBlocks: state.open };
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
