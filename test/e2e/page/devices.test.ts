// Devices, shared links, notifications and new sessions in a real Chromium: what one device does, the page of the other shows.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PushService } from "../../rigs/daemon/push-service.js";
import { browserPath, type Device, PageStage } from "./page-rig.js";

const CERTIFICATE = fileURLToPath(new URL("../../fixtures/tls/localhost.crt", import.meta.url));

describe.skipIf(browserPath() === null)("devices on the page (needs Chromium)", () => {
  let stage: PageStage;
  let laptop: Device;

  beforeAll(async () => {
    stage = await PageStage.start({ NODE_EXTRA_CA_CERTS: CERTIFICATE });
    laptop = await stage.device("laptop", { width: 1440, height: 900 });
  });

  afterAll(async () => {
    await stage?.stop();
  });

  const at = (place: string) => laptop.page.goto(`${stage.origin}/#${place}`);
  const row = (text: string) => laptop.page.locator(".page-view .row", { hasText: text });

  test("a device that another one revokes says so, and shows nothing of what it had read", async () => {
    const guest = await stage.device("guest");
    await stage.prompt("say a word for the guest");
    await stage.heard(guest.page, "a word for the guest");
    await at("devices");
    await row("laptop").getByText("this device").waitFor();
    expect(await row("laptop").getByRole("button", { name: "revoke" }).count()).toBe(0);
    await row("guest").getByRole("button", { name: "revoke…" }).click();
    await row("guest").getByRole("button", { name: "yes, revoke" }).click();
    await guest.page.getByText("This device was revoked.").waitFor();
    expect(await guest.page.content()).not.toContain("a word for the guest");
    await row("guest").waitFor({ state: "detached" });
    expect(guest.faults).toEqual([]);
    await guest.context.close();
  });

  test("a shared link shows one session, read only, until it is revoked", async () => {
    await at(`session=${stage.sessionId}`);
    await laptop.page.getByRole("button", { name: "more" }).click();
    await laptop.page.getByRole("button", { name: "share a read-only link" }).click();
    const link = await laptop.page.locator(".menu-list .shared").textContent();
    const viewer = await stage.visitor();
    await viewer.page.goto(link ?? "");
    await stage.prompt("say a word for the viewer");
    await viewer.page.locator(".transcript").getByText("a word for the viewer", { exact: true }).waitFor();
    expect(viewer.page.url()).not.toContain("share=");
    expect(await viewer.page.getByLabel("message").count()).toBe(0);
    await stage.prompt(`ask confirm ${JSON.stringify({ title: "Not for viewers?" })}`);
    await laptop.page.locator("[data-answers]").waitFor();
    expect(await viewer.page.locator("[data-answers], .home").count()).toBe(0);
    await laptop.answer(/^yes/);
    await at("devices");
    await laptop.page.getByText("Shared links").waitFor();
    const links = laptop.page.locator(".page-view ul").last();
    await links.getByRole("button", { name: "revoke…" }).click();
    await links.getByRole("button", { name: "yes, revoke" }).click();
    await viewer.page.getByText("This link was revoked.").waitFor();
    expect(await viewer.page.content()).not.toContain("a word for the viewer");
    await viewer.page.goto(link ?? "");
    await viewer.page.getByText("it was revoked, or it is incomplete").waitFor();
    await viewer.context.close();
  });

  test("a new session is started with an agent of the settings, and takes a message", async () => {
    await at("new");
    await laptop.page.getByRole("button", { name: "obedient" }).click();
    await laptop.page.waitForURL(/#session=/);
    expect(laptop.page.url()).not.toContain(stage.sessionId);
    await laptop.page.getByLabel("message").fill("say from the new one");
    await laptop.page.keyboard.press("Enter");
    await laptop.page.locator(".transcript").getByText("from the new one", { exact: true }).waitFor();
  });

  test("two quick taps on an agent start one session", async () => {
    const count = async () => JSON.parse((await stage.request("GET", "/sessions")).body).length;
    const before = await count();
    await at("new");
    await laptop.page.getByRole("button", { name: "obedient" }).dblclick();
    await laptop.page.waitForURL(/#session=/);
    await laptop.page.locator(".transcript").waitFor();
    expect(await count()).toBe(before + 1);
  });

  test("a session in a folder outside the project is refused with words", async () => {
    await at("new");
    await laptop.page.getByLabel("folder").fill("/");
    await laptop.page.getByRole("button", { name: "obedient" }).click();
    const problem = laptop.page.locator(".page-view .problem");
    await expect.poll(() => problem.textContent()).toMatch(/project/);
  });

  // Chromium's own push service is not on this machine: the browser gets the subscription of a local one instead.
  test("the push switch subscribes at the daemon, whose message the push service can read, and ends it again", async () => {
    const service = await PushService.open();
    await laptop.context.grantPermissions(["notifications"], { origin: stage.origin });
    await laptop.context.addInitScript((subscription) => {
      let made: object | null = null;
      const gone = async () => {
        made = null;
        return true;
      };
      PushManager.prototype.getSubscription = async () => made as PushSubscription | null;
      PushManager.prototype.subscribe = async () => {
        made = { toJSON: () => subscription, unsubscribe: gone };
        return made as PushSubscription;
      };
    }, service.subscription);
    await at("devices");
    await laptop.page.reload();
    await laptop.page.getByRole("button", { name: "notify me when a question waits" }).click();
    await laptop.page.getByRole("button", { name: "send a notification now" }).click();
    await laptop.page.getByRole("status").getByText("sent", { exact: true }).waitFor();
    expect(service.messages.map(({ body }) => body)).toEqual([{ kind: "test" }]);
    service.status = 500;
    await laptop.page.getByRole("button", { name: "send a notification now" }).click();
    await laptop.page.getByText("not sent: the push service answered 500").waitFor();
    await laptop.page.getByRole("button", { name: "stop notifications" }).click();
    await laptop.page.getByRole("button", { name: "notify me when a question waits" }).waitFor();
  });

  test("a pushed question becomes a notification, which goes when the question is settled", async () => {
    const cdp = await laptop.context.newCDPSession(laptop.page);
    const registered = new Promise<string>((resolve) =>
      cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const [first] = registrations;
        if (first !== undefined) resolve(first.registrationId);
      }),
    );
    await cdp.send("ServiceWorker.enable");
    const registrationId = await registered;
    const push = (message: object) =>
      cdp.send("ServiceWorker.deliverPushMessage", {
        origin: stage.origin,
        registrationId,
        data: JSON.stringify(message),
      });
    const titles = () =>
      laptop.page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        return (await registration.getNotifications()).map(({ title, tag }) => `${tag}: ${title}`);
      });
    await laptop.page.evaluate(() => navigator.serviceWorker.ready);
    // Chromium drops a message that comes while the worker starts; a push service sends it again.
    const pushed = async (message: object) => {
      await push(message);
      return titles();
    };
    const within = { timeout: 12_000 };
    const asked = { kind: "ask", id: "q1", session: null, count: 1 };
    await expect.poll(() => pushed(asked), within).toEqual(["q1: A question waits for you"]);
    await expect.poll(() => pushed({ kind: "settled", id: "q1" }), within).toEqual([]);
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(laptop.faults).toEqual([]);
  });
});
