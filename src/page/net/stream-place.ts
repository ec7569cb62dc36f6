// Which streams of this browser stay connected. Without HTTP/2 a browser opens six connections to a server, for all tabs together: if
// streams took them all, no tab could load, ask or answer. Four are for streams, shared by a lock each; the others visit.
import type { StreamPlace } from "./event-follower.js";

const STAYING_MAX = 4;
const VISIT_PAUSE_MS = 1_500;
/** Out of sight, only the number of questions in the tab's title is followed. */
const HIDDEN_PAUSE_MS = 15_000;

export async function streamPlace(): Promise<StreamPlace> {
  if (document.visibilityState !== "visible") return { kind: "visit", pauseMs: HIDDEN_PAUSE_MS };
  // Over plain HTTP from another machine there are no locks.
  if (!("locks" in navigator)) return { kind: "stay", leave: () => undefined };
  for (let number = 0; number < STAYING_MAX; number++) {
    const leave = await takenLock(`palaver-stream-${number}`);
    if (leave !== null) return { kind: "stay", leave };
  }
  return { kind: "visit", pauseMs: VISIT_PAUSE_MS };
}

/** Null when another tab has it; else what gives it back. */
function takenLock(name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return resolve(null);
      return new Promise<void>((leave) => resolve(leave));
    });
    void held.catch(() => resolve(null));
  });
}
