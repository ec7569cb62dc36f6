// A piece of a transcript for somebody who wants its end first and what came before later. It begins where nothing is half told,
// so that each piece can be understood alone; what memory does not have any more comes from disk.
import type { KeptItem } from "./kept-item.js";
import type { SessionHistory } from "./session-history.js";
import type { TranscriptFile } from "./transcript-file.js";

export interface TranscriptPage {
  /** The oldest first. */
  readonly items: readonly KeptItem[];
  /** Where the piece before this one ends; null when this is the first. */
  readonly earlier: number | null;
  /** "lost": this is the first piece, and there was more once. */
  readonly beginning: "kept" | "lost";
}

export interface TranscriptSource {
  readonly history: SessionHistory;
  readonly file: Pick<TranscriptFile, "before">;
}

/** The piece that ends before this number. */
export async function pageBefore(seq: number, weightMin: number, source: TranscriptSource): Promise<TranscriptPage> {
  return source.history.pageBefore(seq, weightMin) ?? source.file.before(seq, weightMin);
}
