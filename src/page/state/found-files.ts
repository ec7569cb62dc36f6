// Searches for files of a session's folder by part of their name. The daemon is asked shortly after the last keystroke.
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
