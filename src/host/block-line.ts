// A closed block as text: the same on disk and on the wire.
//
//   {"seq":1700000000000042,"session":"s1","block":{"kind":"prose",…}}
import type { HistoryItem } from "../session/engine/snapshot.js";

export interface BlockLine {
  readonly seq: number;
  readonly text: string;
  readonly weight: number;
}

/** What a line costs besides its text. */
const LINE_UNITS = 64;

export function blockLine(seq: number, text: string): BlockLine {
  return { seq, text, weight: text.length + LINE_UNITS };
}

/** The number comes first: by it a line is found without reading the others. */
export function lineOf({ seq, session, block }: HistoryItem): string {
  return JSON.stringify({ seq, session, block });
}
