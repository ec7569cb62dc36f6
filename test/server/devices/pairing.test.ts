// How a browser becomes a paired device, what it may do then, and that it may do nothing any more once it is revoked.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deviceResultSchema, pairCodeSchema, pairOutcomeSchema } from "../../../src/contract/page.js";
import { DeviceRegistry } from "../../../src/server/devices/device-registry.js";
import { daemonFolderOf } from "../../../src/server/project/daemon-folder.js";
import { openStage, type Stage, slow } from "../../host/session-stage.js";
import { Browser } from "../../rigs/daemon/browser.js";
import { verifies } from "../../verifies.js";

const newCode = async (stage: Stage) => pairCodeSchema.parse((await stage.ask("POST", "/pair/codes")).body);

async function pairedWith(stage: Stage, name = "phone"): Promise<Browser> {
  const browser = new Browser(stage.url);
  const { code } = await newCode(stage);
  expect((await browser.json("POST", "/pair", { code, name })).status).toBe(200);
  return browser;
}

const folderOf = (stage: Stage) =>
  daemonFolderOf(stage.daemon.project, { XDG_STATE_HOME: join(stage.folder, "state") });

describe("pairing", () => {
  test("a code becomes a cookie that no script and no other site can use, once", async () => {
    verifies("page.pairs-once");
    const stage = await openStage();
    const { code, url, id } = await newCode(stage);
    expect(url).toBe(`${stage.url}/#pair=${code}`);
    const waiting = stage.ask("GET", `/pair/codes/${id}`);
    const browser = new Browser(stage.url);
    const response = await browser.request("POST", "/pair", { code, name: "phone" });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toMatch(
      /^palaver_device_[0-9a-f]{12}=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=15552000$/,
    );
    const { device, daemon, push } = deviceResultSchema.parse((await browser.json("GET", "/device")).body);
    expect([device.name, device.scope, daemon.project]).toEqual(["phone", "full", stage.daemon.project]);
    expect(push).toMatchObject({ public_key: expect.stringMatching(/^[\w-]{87}$/), problem: null });
    expect(pairOutcomeSchema.parse((await waiting).body)).toMatchObject({ state: "paired", device: { name: "phone" } });
    const second = await new Browser(stage.url).json("POST", "/pair", { code, name: "thief" });
    expect(second).toMatchObject({ status: 403, body: { error: expect.stringContaining("used") } });
  });

  test("two devices of one name are told apart", async () => {
    const stage = await openStage();
    await pairedWith(stage);
    const second = await pairedWith(stage);
    expect((await second.json("GET", "/device")).body).toMatchObject({ device: { name: "phone 2" } });
  });

  test("an address that sends many wrong codes has to wait, and a right one from there still pairs", async () => {
    verifies("page.pairing-is-limited");
    const stage = await openStage();
    const browser = new Browser(stage.url);
    const guess = () => browser.request("POST", "/pair", { code: "guess" });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429]);
    expect(Number((await guess()).headers.get("retry-after"))).toBeGreaterThan(0);
    // Behind a proxy, the owner has the address of the stranger.
    const { code } = await newCode(stage);
    expect((await browser.request("POST", "/pair", { code })).status).toBe(200);
    expect((await guess()).status).toBe(429);
  });

  test("has a place although there are as many shared links as there can be", async () => {
    const devices = new DeviceRegistry({ path: null, onError: () => undefined });
    const share = () => devices.add({ name: "shared link", scope: "share", session: "s1" });
    for (let made = 0; made < 200; made += 1) await share();
    await expect(share()).rejects.toThrow("there are already 200 shared links; revoke some");
    expect((await devices.add({ name: "phone", scope: "full" })).device.name).toBe("phone");
  });

  test("the secret is on disk as a digest only, in a file for the owner alone", async () => {
    verifies("page.secrets-are-digests");
    const stage = await openStage();
    const browser = await pairedWith(stage);
    const { devicesPath } = folderOf(stage);
    const [, secret = ""] = (browser.cookie ?? "").split("=");
    expect(secret.length).toBe(43);
    expect(readFileSync(devicesPath, "utf8")).not.toContain(secret);
    expect(statSync(devicesPath).mode & 0o777).toBe(0o600);
  });

  test("a device stays paired when the daemon is started again", async () => {
    const stage = await openStage();
    const browser = await pairedWith(stage);
    await stage.daemon.stop();
    const again = await openStage({ folder: stage.folder });
    const moved = new Browser(again.url);
    moved.cookie = browser.cookie;
    expect((await moved.json("GET", "/device")).body).toMatchObject({ device: { name: "phone" } });
  });
});

describe("a paired device", () => {
  test("reads and acts under its own name, whatever name it sends", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const browser = await pairedWith(stage);
    const terminal = stage.attach(id, "terminal");
    await stage.send(id, { type: "submit", text: "confirm" });
    const ask = await terminal.asked();
    const intent = { type: "answer", askId: ask.id, value: true };
    const answer = await browser.json("POST", `/sessions/${id}/intents?by=boss`, { intent });
    expect(answer).toEqual({ status: 200, body: { result: "delivered" } });
    await expect.poll(() => terminal.settled, slow).toMatchObject([{ askId: ask.id, outcome: { by: "phone" } }]);
  });

  test("cannot pair others, stop the daemon, start commands, or use MCP", async () => {
    verifies("page.device-is-not-owner");
    const stage = await openStage({ starts: "anything" });
    const browser = await pairedWith(stage);
    const tried: [string, string, unknown, number][] = [
      ["POST", "/pair/codes", {}, 403],
      ["POST", "/action", { key: "quit" }, 400],
      ["POST", "/sessions", { command: ["sh", "-c", "id"] }, 403],
      ["POST", "/sessions", { agent: "scripted", cwd: "/" }, 403],
      ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, 403],
      ["POST", "/asks", { question: { kind: "confirm", params: { title: "Sure?" } } }, 403],
    ];
    for (const [method, path, body, status] of tried) {
      expect([path, (await browser.json(method, path, body)).status]).toEqual([path, status]);
    }
    expect((await stage.ask("GET", "/health")).body).toMatchObject({ status: "ok" });
  });

  test("changes something only from the daemon's own page", async () => {
    verifies("page.cookie-needs-own-page");
    const stage = await openStage();
    const browser = await pairedWith(stage);
    const post = (headers: Record<string, string>) =>
      fetch(new URL("/tabs/active", stage.url), {
        method: "POST",
        headers: { cookie: browser.cookie ?? "", "content-type": "application/json", ...headers },
        body: '{"title":"X"}',
      }).then(({ status }) => status);
    const origin = stage.url;
    const site = "sec-fetch-site";
    expect(await post({ origin, [site]: "same-origin" })).toBe(404);
    expect(await post({})).toBe(403);
    expect(await post({ origin })).toBe(403);
    expect(await post({ [site]: "same-origin" })).toBe(403);
    expect(await post({ origin, [site]: "none" })).toBe(403);
    expect(await post({ origin: stage.url.replace("127.0.0.1", "localhost"), [site]: "same-origin" })).toBe(403);
  });

  test("loses its open streams and every right at the moment it is revoked", async () => {
    verifies("page.revoked-at-once");
    const stage = await openStage();
    const id = await stage.start();
    const browser = await pairedWith(stage);
    const streams = [await browser.stream("/overview"), await browser.stream(`/sessions/${id}/changes`)];
    streams.push(await browser.stream("/logs"));
    await Promise.all([streams[0]?.event("snapshot"), streams[1]?.event("caught-up")]);
    const { device } = (await browser.json("GET", "/device")).body as { device: { id: string } };
    expect((await stage.ask("DELETE", `/devices/${device.id}`)).status).toBe(200);
    await Promise.all(streams.map(({ ended }) => ended));
    expect((await browser.json("GET", "/device")).status).toBe(401);
    expect((await browser.json("POST", "/tabs/active", { title: "X" })).status).toBe(401);
    expect((await stage.ask("GET", "/devices")).body).toEqual([]);
  });

  test("signs itself out", async () => {
    const stage = await openStage();
    const browser = await pairedWith(stage);
    const kept = browser.cookie;
    expect((await browser.json("DELETE", "/device")).status).toBe(200);
    expect(browser.cookie).toBeNull();
    browser.cookie = kept;
    expect((await browser.json("GET", "/device")).status).toBe(401);
  });
});

describe("a shared link", () => {
  test("shows one session, read only, until it is revoked", async () => {
    verifies("page.share-is-read-only");
    const stage = await openStage();
    const id = await stage.start();
    const other = await stage.start();
    const { url, id: shareId } = (await stage.ask("POST", `/sessions/${id}/shares`)).body as {
      url: string;
      id: string;
    };
    const [, secret = ""] = url.split("#share=");
    const guest = new Browser(stage.url);
    expect((await guest.json("POST", "/share", { secret })).status).toBe(200);
    const stream = await guest.stream(`/sessions/${id}/changes`);
    await stream.event("caught-up");
    expect((await guest.json("GET", `/sessions/${id}/transcript`)).status).toBe(200);
    expect((await guest.json("GET", "/device")).body).toMatchObject({ device: { scope: "share", session: id } });
    const refused: [string, string, unknown?][] = [
      ["POST", `/sessions/${id}/intents`, { intent: { type: "submit", text: "say hi" } }],
      ["GET", `/sessions/${other}/changes`],
      ["GET", "/overview"],
      ["GET", "/asks"],
      ["GET", "/logs"],
      ["GET", "/devices"],
      ["DELETE", `/sessions/${id}`],
    ];
    for (const [method, path, body] of refused) {
      expect([path, (await guest.json(method, path, body)).status]).toEqual([path, 403]);
    }
    expect((await stage.ask("DELETE", `/shares/${shareId}`)).status).toBe(200);
    await stream.ended;
    expect((await guest.json("POST", "/share", { secret })).status).toBe(403);
  });

  test("does not replace the cookie of a paired device", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const browser = await pairedWith(stage);
    const { url } = (await browser.json("POST", `/sessions/${id}/shares`)).body as { url: string };
    const before = browser.cookie;
    await browser.json("POST", "/share", { secret: url.split("#share=")[1] });
    expect(browser.cookie).toBe(before);
  });

  test("ends with the device that made it", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const thief = await pairedWith(stage, "lost phone");
    const { url } = (await thief.json("POST", `/sessions/${id}/shares`)).body as { url: string };
    const guest = new Browser(stage.url);
    await guest.json("POST", "/share", { secret: url.split("#share=")[1] });
    expect((await guest.json("GET", `/sessions/${id}/transcript`)).status).toBe(200);
    const [device] = (await stage.ask("GET", "/devices")).body as { id: string }[];
    await stage.ask("DELETE", `/devices/${device?.id}`);
    expect((await guest.json("GET", `/sessions/${id}/transcript`)).status).toBe(401);
    expect((await stage.ask("GET", "/shares")).body).toEqual([]);
  });
});

test("the access log has every request with its caller, and no secret", async () => {
  verifies("page.access-log");
  const stage = await openStage();
  const { code } = await newCode(stage);
  const browser = new Browser(stage.url);
  await browser.json("POST", "/pair", { code, name: "phone" });
  await browser.json("GET", "/devices?token=abc");
  await fetch(new URL("/state", stage.url));
  const { device } = (await browser.json("GET", "/device")).body as { device: { id: string } };
  const { accessPath } = folderOf(stage);
  await expect.poll(() => readFileSync(accessPath, "utf8"), slow).toMatch(/"path":"\/device"/);
  const text = readFileSync(accessPath, "utf8");
  const lines = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ method: "GET", path: "/devices", status: 200, caller: device.id }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ path: "/state", status: 401, caller: "refused" }));
  expect(lines).toContainEqual(expect.objectContaining({ path: "/pair/codes", status: 201, caller: "owner" }));
  for (const secret of [code, browser.cookie?.split("=")[1] ?? "?", stage.daemon.token, "abc"]) {
    expect(text).not.toContain(secret);
  }
  expect(statSync(accessPath).mode & 0o777).toBe(0o600);
});
