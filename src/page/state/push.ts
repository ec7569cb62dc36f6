// Notifications on this device: whether the browser supports them, and what to show where it does not.
import { signal } from "@preact/signals";
import { refusalWords } from "../net/requests.js";
import { daemon, pagePorts } from "./page.js";

export interface PushState {
  readonly kind: "unknown" | "missing" | "off" | "on";
  readonly words: string;
}

const value = signal<PushState>({ kind: "unknown", words: "" });

export const pushState = { value, refresh };

const MISSING: PushState = {
  kind: "missing",
  words: "This browser has notifications only over HTTPS, once the page is installed.",
};

// One policy, for one constant address: the page makes no other script from text.
function workerUrl(): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
  };
  return trustedTypes?.createPolicy("palaver", { createScriptURL: () => "/sw.js" }).createScriptURL("") ?? "/sw.js";
}

/** The worker shows notifications; it keeps no files, so that the page is never older than its daemon. */
export function registerWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  try {
    void navigator.serviceWorker.register(workerUrl(), { scope: "/" }).catch(() => undefined);
  } catch {
    // The policy of an older daemon forbids it; the page works without.
  }
}

async function subscription(): Promise<PushSubscription | null | "missing"> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return "missing";
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration === undefined ? "missing" : registration.pushManager.getSubscription();
}

// The daemon is told each time: it may have lost the subscription, or know this browser as another device by now.
async function refresh(): Promise<void> {
  const known = await subscription().catch(() => "missing" as const);
  if (known === "missing") value.value = MISSING;
  else if (known === null) value.value = { kind: "off", words: "" };
  else await tell(known);
}

async function tell(subscribed: PushSubscription): Promise<void> {
  const answer = await daemon.requests.once("POST", "/push", subscribed.toJSON());
  const problem = answer === null ? "no connection" : answer.status === 200 ? "" : refusalWords(answer);
  value.value = problem === "" ? { kind: "on", words: "" } : { kind: "off", words: problem };
}

export async function enablePush(publicKey: string): Promise<void> {
  value.value = { kind: "off", words: "asking the browser and its push service…" };
  try {
    const registration = await navigator.serviceWorker.ready;
    const asked = registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    await tell(await Promise.race([asked, noAnswer()]));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "no reason";
    value.value = { kind: "off", words: `not turned on: ${reason}` };
  }
}

/** Without a way to its push service, a browser says nothing for minutes. */
const SUBSCRIBE_MS_MAX = 20_000;

function noAnswer(): Promise<never> {
  return new Promise((_, reject) => {
    pagePorts.after(SUBSCRIBE_MS_MAX, () => reject(new Error("its push service does not answer; try again later")));
  });
}

/** Sends one notification now, and says what came of it. */
export async function tryPush(): Promise<void> {
  const answer = await daemon.requests.once("POST", "/push/test");
  const { problem = null } = (answer?.body ?? {}) as { readonly problem?: string | null };
  const failure = answer === null ? "no connection" : answer.status === 200 ? problem : refusalWords(answer);
  value.value = { kind: "on", words: failure === null ? "sent" : `not sent: ${failure}` };
}

export async function disablePush(): Promise<void> {
  await daemon.requests.once("DELETE", "/push");
  const known = await subscription().catch(() => null);
  if (known !== null && known !== "missing") await known.unsubscribe();
  value.value = { kind: "off", words: "" };
}
