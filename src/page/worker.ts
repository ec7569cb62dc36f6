// The service worker: it shows what the daemon pushes and opens the page at the question. It answers no requests and keeps no
// files, so that no tab runs old code.
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
  waitUntil(done: Promise<unknown>): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("push", (event) => event.waitUntil(pushed(event)));
scope.addEventListener("notificationclick", (event) => event.waitUntil(opened(event)));

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
