// Transcripts that Palaver 0.1 wrote: events and outcomes of asks, one a line. They become blocks the way they would have become
// blocks in a session.
//
//   {"seq":1700000000000042,"begins":"here","event":{"type":"message.finished",…}}
//   {"seq":1700000000000043,"settled":{"askId":"q1","ask":{…},"outcome":{…}}}
import { type OldTranscriptLine, oldTranscriptLineSchema } from "../contract/session-changes.js";
import { outcomeWords } from "../session/outcome-words.js";
import { emptyTranscript, reduceTranscript, type TranscriptInput } from "../session/transcript/transcript.js";
import { type BlockLine, blockLine, lineOf } from "./block-line.js";

export interface OldLine {
  readonly seq: number;
  readonly weight: number;
  readonly old: unknown;
}

interface OldItem {
  readonly seq: number;
  readonly session: string | null;
  readonly input: TranscriptInput;
  readonly atMs: number | null;
}

/** The lines begin where nothing is half told, so that they are understood without what came before. */
export function blocksOfOld(lines: readonly OldLine[]): BlockLine[] {
  const items = lines.flatMap(itemOf);
  const last = items.at(-1);
  // What is left open was ended by what came after it.
  const end = last === undefined ? [] : [{ ...last, input: { type: "prompt.finished", sessionId: null } as const }];
  const transcripts = new Map<string | null, typeof emptyTranscript>();
  let atMs = items.find((item) => item.atMs !== null)?.atMs ?? 0;
  return [...items, ...end].flatMap(({ seq, session, input, atMs: moment }) => {
    atMs = moment ?? atMs;
    const { state, changes } = reduceTranscript(transcripts.get(session) ?? emptyTranscript, input, atMs);
    transcripts.set(session, state);
    return changes.flatMap((change) =>
      change.type === "closed" ? [blockLine(seq, lineOf({ seq, session, block: change.block }))] : [],
    );
  });
}

function itemOf({ seq, old }: OldLine): OldItem[] {
  const { data } = oldTranscriptLineSchema.safeParse(old);
  if (data === undefined) return [];
  if ("settled" in data) {
    const { ask, outcome } = (data as Extract<OldTranscriptLine, { settled: unknown }>).settled;
    const input = {
      type: "ask.settled",
      title: ask.question.params.title,
      outcome: outcomeWords(ask, outcome),
    } as const;
    return [{ seq, session: ask.sessionId, input, atMs: null }];
  }
  const { event } = data as Extract<OldTranscriptLine, { event: unknown }>;
  return [{ seq, session: event.sessionId, input: event, atMs: event.atMs ?? null }];
}
