// The service worker: it shows push messages and opens the page at the question. It caches no files, so that no tab runs old
// code; if the page cannot be loaded, it says so and retries.
import type { PushMessage } from "../contract/page.js";

interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(
      options: object,
    ): Promise<readonly { readonly url: string; focus(): Promise<unknown>; navigate(url: string): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, run: (event: WorkerEvent) => void): void;
}

interface WorkerEvent extends Event {
  readonly data?: { json(): unknown };
  readonly notification?: Notification;
  readonly request?: Request;
  waitUntil(done: Promise<unknown>): void;
  respondWith?(answer: Promise<Response>): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("push", (event) => event.waitUntil(pushed(event)));
scope.addEventListener("notificationclick", (event) => event.waitUntil(opened(event)));

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request?.mode === "navigate") event.respondWith?.(fetch(request).catch(() => noConnection()));
});

const RETRY_MS = 3_000;
const RETRY = `addEventListener("online",()=>location.reload());setTimeout(()=>location.reload(),${RETRY_MS})`;

// The policy names this one script by its digest.
async function noConnection(): Promise<Response> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(RETRY));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Palaver</title>`;
  const look = `<meta name="color-scheme" content="dark light">`;
  const words = `<p>▲ No connection to Palaver. This page tries again every ${RETRY_MS / 1_000} seconds.</p>`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; script-src 'sha256-${hash}'`,
  };
  return new Response(`<!doctype html>${head}${look}${words}<script>${RETRY}</script>`, { status: 503, headers });
}

async function pushed({ data }: WorkerEvent): Promise<void> {
  const message = data?.json() as PushMessage;
  const shown = await scope.registration.getNotifications();
  if (message.kind === "settled") {
    for (const notification of shown) if (notification.tag === message.id) notification.close();
    return;
  }
  const asked = message.kind === "ask" ? message : null;
  const count = asked?.count ?? 1;
  await scope.registration.showNotification(
    asked?.title ?? (asked === null ? "Notifications work" : "A question waits for you"),
    {
      tag: asked?.id ?? "test",
      body: count > 1 ? `${count} questions are open` : "",
      icon: "/page/icon-192.png",
      data: { id: asked?.id },
    },
  );
}

async function opened({ notification }: WorkerEvent): Promise<void> {
  notification?.close();
  const { id } = (notification?.data ?? {}) as { readonly id?: string };
  const url = id === undefined ? "/" : `/#ask=${encodeURIComponent(id)}`;
  const [open] = await scope.clients.matchAll({ type: "window" });
  if (open === undefined) await scope.clients.openWindow(url);
  else {
    await open.navigate(url);
    await open.focus();
  }
}
