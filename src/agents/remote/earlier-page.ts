// What was said in a hosted session before the part that its stream begins with, a piece at a time, from the newest to the
// oldest. An item that is not understood here costs that item.
import { type TranscriptItem, transcriptItemSchema } from "../../contract/hosted-sessions.js";
import { askDaemonForJson, type DaemonAddress, refusalWords } from "./daemon-request.js";

export interface EarlierPage {
  /** The oldest first; it can be understood without what came before. */
  readonly items: readonly TranscriptItem[];
  /** Where the piece before this one ends; null when there is none. */
  readonly earlier: number | null;
}

export interface EarlierRequest {
  readonly sessionId: string;
  readonly before: number;
  readonly chars: number;
}

const ANSWER_MS_MAX = 10_000;

export async function readEarlier(address: DaemonAddress, wish: EarlierRequest): Promise<EarlierPage> {
  const { sessionId, before, chars } = wish;
  const path = `/sessions/${encodeURIComponent(sessionId)}/transcript?before=${before}&chars=${chars}`;
  const answer = await askDaemonForJson(address, path, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  if (answer.status !== 200) throw new Error(refusalWords(answer));
  const { items, earlier } = (answer.body ?? {}) as { items?: unknown; earlier?: unknown };
  return {
    items: (Array.isArray(items) ? items : []).flatMap((item) => transcriptItemSchema.safeParse(item).data ?? []),
    earlier: typeof earlier === "number" && earlier < before ? earlier : null,
  };
}
