// The one daemon of this page, and the clock that its ages are shown by. The browser's own news (in sight, online) reach it here.
import { signal } from "@preact/signals";
import type { NetPorts } from "../net/event-follower.js";
import { streamPlace } from "../net/stream-place.js";
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
