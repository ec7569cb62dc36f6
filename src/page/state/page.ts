// The page's daemon and the clock that ages are shown by. The browser's own events (visibility, online) are handled here.
import { signal } from "@preact/signals";
import type { NetPorts, StreamPlace } from "../net/event-follower.js";
import { Daemon } from "./daemon.js";
import { readAddress } from "./route.js";

export const pagePorts: NetPorts = {
  fetch: (path, init) => fetch(path, { ...init, credentials: "same-origin", cache: "no-store" }),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  nowMs: () => Date.now(),
  streamPlace,
};

// `randomUUID` is missing where a page was loaded over plain HTTP.
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}

export const daemon = new Daemon(pagePorts, newKey);

/** Moves once a second while the page is in sight. */
export const now = signal(Date.now());

/** A tab that is out of sight for so long leaves its connections. */
const REST_AFTER_MS = 10_000;

export function watchBrowser(): void {
  let cancelRest: () => void = () => undefined;
  const wake = () => {
    cancelRest();
    if (document.visibilityState === "visible") {
      now.value = Date.now();
      daemon.wake();
    } else cancelRest = pagePorts.after(REST_AFTER_MS, () => daemon.rest());
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("offline", () => daemon.doubt());
  addEventListener("pageshow", wake);
  addEventListener("hashchange", readAddress);
  readAddress();
  setInterval(() => {
    if (document.visibilityState === "visible") now.value = Date.now();
  }, 1_000);
}

// Which streams of this browser stay connected. Without HTTP/2 a browser opens six connections to a server, for all tabs together: if
// streams took them all, no tab could load, ask or answer. Four are for streams, shared by a lock each; the others visit.

const STAYING_MAX = 4;
const VISIT_PAUSE_MS = 1_500;
/** Out of sight, only the number of questions in the tab's title is followed. */
const HIDDEN_PAUSE_MS = 15_000;

async function streamPlace(): Promise<StreamPlace> {
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
