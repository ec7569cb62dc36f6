// Push messages from a real daemon to a real HTTPS endpoint that decrypts them: for asks that wait, without content unless that is
// allowed, taken back when someone else answers, and with failures that the device is shown.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deviceResultSchema, pushMessageSchema } from "../../../src/contract/page.js";
import { daemonFolderOf } from "../../../src/server/project/daemon-folder.js";
import { openStage, type Stage, type StageOptions, slow } from "../../host/session-stage.js";
import { Browser } from "../../rigs/daemon/browser.js";
import { pushCertificate as ca, PushService } from "../../rigs/daemon/push-service.js";
import { verifies } from "../../verifies.js";

const confirm = (id: string, title = "Deploy to production?") => ({
  ...{ id, sessionId: null, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null },
  question: { kind: "confirm" as const, params: { title } },
});

async function paired(notify: StageOptions["notify"]) {
  const stage = await openStage({ notify: { ca, ...notify } });
  const browser = new Browser(stage.url);
  const { code } = (await stage.ask("POST", "/pair/codes")).body as { code: string };
  await browser.json("POST", "/pair", { code, name: "phone" });
  return { stage, browser };
}

const pushHosts = ["127.0.0.1"];

async function subscribed(notify: StageOptions["notify"] = {}) {
  const { stage, browser } = await paired({ pushHosts, ...notify });
  const service = await PushService.open();
  expect(await browser.json("POST", "/push", service.subscription)).toEqual({ status: 200, body: { problem: null } });
  return { stage, service, browser };
}

const problemOf = async (browser: Browser) =>
  deviceResultSchema.parse((await browser.json("GET", "/device")).body).push?.problem;

const pushFile = (stage: Stage) =>
  daemonFolderOf(stage.daemon.project, { XDG_STATE_HOME: join(stage.folder, "state") }).pushPath;

describe("an ask that waits", () => {
  test("reaches the device encrypted and signed, says nothing of its content, and is taken back when it is answered", async () => {
    verifies("page.push-without-content");
    const { stage, service, browser } = await subscribed();
    const ids = ["q1", "q2"].map((id) => `hub.laptop.shop-0a1b2c3d.${id}`);
    for (const one of ids) void stage.board.ask(confirm(one));
    await expect.poll(() => service.messages.length, slow).toBe(2);
    const [message, other] = service.messages;
    const { id } = pushMessageSchema.options[0].parse(message?.body);
    expect(ids).toContain(id);
    expect(message?.body).toEqual({ kind: "ask", id, session: null, count: 2 });
    const origin = new URL(service.subscription.endpoint).origin;
    expect(message?.claims).toMatchObject({ aud: origin, sub: expect.stringMatching(/^(?:mailto|https):/) });
    const { push } = deviceResultSchema.parse((await browser.json("GET", "/device")).body);
    expect(String(message?.headers["authorization"])).toContain(`k=${push?.public_key}`);
    stage.board.answer(id, { value: true }, "desk");
    await expect.poll(() => service.messages.at(2)?.body, slow).toEqual({ kind: "settled", id });
    // A message takes the place of an older one about the same ask, and of no other.
    expect(service.messages.at(2)?.headers["topic"]).toBe(message?.headers["topic"]);
    expect(other?.headers["topic"]).not.toBe(message?.headers["topic"]);
  });

  test("brings its title where the owner allows that", async () => {
    const { stage, service } = await subscribed({ content: true });
    void stage.board.ask(confirm("p1", "Deploy\u001b[31m?"));
    await expect.poll(() => service.messages.at(0)?.body, slow).toMatchObject({ title: "Deploy?" });
  });
});

test("an ask that is answered within three seconds sends nothing", async () => {
  const { stage, service } = await subscribed();
  void stage.board.ask(confirm("quick"));
  stage.board.answer("quick", { value: true }, "desk");
  void stage.board.ask(confirm("slow"));
  await expect.poll(() => service.messages.length, slow).toBe(1);
  expect(service.messages[0]?.body).toMatchObject({ id: "slow" });
});

describe("a message that is not delivered", () => {
  test("is shown to the device and in the log, until one is delivered", async () => {
    verifies("page.push-failures-are-shown");
    const { service, browser } = await subscribed();
    service.status = 500;
    expect((await browser.json("POST", "/push/test")).body).toEqual({ problem: "the push service answered 500" });
    expect(await problemOf(browser)).toBe("the push service answered 500");
    service.status = 201;
    expect((await browser.json("POST", "/push/test")).body).toEqual({ problem: null });
    expect(await problemOf(browser)).toBeNull();
  });

  test("because the browser has left ends the subscription, in words", async () => {
    const { service, browser } = await subscribed();
    service.status = 410;
    await browser.json("POST", "/push/test");
    expect(await problemOf(browser)).toContain("turn them on again");
    expect((await browser.json("POST", "/push/test")).body).toEqual({ problem: "this device takes no push messages" });
  });
});

describe("a subscription", () => {
  test("is kept for the owner alone, with keys that stay the same, over a restart", async () => {
    const { stage, service, browser } = await subscribed();
    const keyOf = async (each: Browser) =>
      deviceResultSchema.parse((await each.json("GET", "/device")).body).push?.public_key;
    const before = await keyOf(browser);
    expect(statSync(pushFile(stage)).mode & 0o777).toBe(0o600);
    await stage.daemon.stop();
    const again = await openStage({ folder: stage.folder, notify: { ca, pushHosts } });
    const moved = new Browser(again.url);
    moved.cookie = browser.cookie;
    expect(await keyOf(moved)).toBe(before);
    expect((await moved.json("POST", "/push/test")).body).toEqual({ problem: null });
    expect(service.messages.at(-1)?.body).toEqual({ kind: "test" });
  });

  test("at a private address is refused: no device sends the daemon into this machine or its network", async () => {
    verifies("page.push-to-public-addresses");
    const { browser } = await paired({});
    const service = await PushService.open();
    const { port } = new URL(service.subscription.endpoint);
    const plain = "127.0.0.1 localhost 10.1.2.3 192.168.1.9 169.254.169.254 [::1] [fd00::1] [fec0::1] 0.0.0.0";
    // IPv4 addresses in IPv6 ones: mapped, of a gateway (NAT64), of a tunnel (6to4).
    const mapped = "[::ffff:127.0.0.1] [64:ff9b::10.1.2.3] [64:ff9b:1::1] [2002:c0a8:109::1]";
    for (const host of `${plain} ${mapped}`.split(" ")) {
      const subscription = { ...service.subscription, endpoint: `https://${host}:${port}/push` };
      const refusal = { status: 400, body: { error: expect.stringContaining("private network") } };
      expect(await browser.json("POST", "/push", subscription), host).toMatchObject(refusal);
    }
  });

  test("at an address that is private by now is not used", async () => {
    const { stage, service, browser } = await subscribed();
    await stage.daemon.stop();
    const again = new Browser((await openStage({ folder: stage.folder, notify: { ca } })).url);
    again.cookie = browser.cookie;
    const problem = expect.stringContaining("notify.push_hosts");
    expect((await again.json("POST", "/push/test")).body).toEqual({ problem });
    expect(service.messages).toEqual([]);
  });

  test("ends with its device", async () => {
    const { stage, service, browser } = await subscribed();
    await browser.json("DELETE", "/device");
    void stage.board.ask(confirm("p1"));
    await expect.poll(() => readFileSync(pushFile(stage), "utf8"), slow).toContain('"subscriptions":[]');
    expect(service.messages).toEqual([]);
  });

  test.each(["http://127.0.0.1:1/x", "file:///etc/passwd", "javascript:1", "x"])(
    "at %s is refused",
    async (endpoint) => {
      const { service, browser } = await subscribed();
      expect((await browser.json("POST", "/push", { ...service.subscription, endpoint })).status).toBe(400);
    },
  );
});
