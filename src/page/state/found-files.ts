// Files of a session's folder by a part of their names, asked of the daemon a moment after the last letter.
import { daemon, pagePorts } from "./page.js";

const PAUSE_MS = 120;
const SHOWN_MAX = 20;

/** Calls back with what is found; the returned function ends the search. */
export function filesMatching(
  sessionId: string | null,
  query: string,
  onFound: (files: readonly string[]) => void,
): () => void {
  if (sessionId === null) return () => undefined;
  let isOver = false;
  const path = `/sessions/${encodeURIComponent(sessionId)}/files?query=${encodeURIComponent(query)}`;
  const cancel = pagePorts.after(PAUSE_MS, async () => {
    const answer = await daemon.requests.once("GET", path);
    const { files } = (answer?.status === 200 ? answer.body : {}) as { readonly files?: readonly string[] };
    if (!isOver) onFound((files ?? []).slice(0, SHOWN_MAX));
  });
  return () => {
    isOver = true;
    cancel();
  };
}
