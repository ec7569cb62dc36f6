// The daemon beyond this machine: with a certificate of its own, or under the address of a proxy, and the origins that count then.
import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDaemonClient } from "../../src/server/client/daemon-client.js";
import { type Daemon, type DaemonOptions, serveDaemon } from "../../src/server/serve-daemon.js";
import { verifies } from "../verifies.js";
import { temporaryFolder } from "./temporary-folder.js";

const fixture = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
const tls = { cert: fixture("localhost.crt"), key: fixture("localhost.key") };

async function served(options: Partial<DaemonOptions>): Promise<Daemon> {
  const folder = temporaryFolder();
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  const daemon = await serveDaemon({ tui: null, version: "1", folder, environment, pageFolder: null, ...options });
  onTestFinished(() => daemon.stop());
  return daemon;
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Trusts the certificate of the fixture, and can send any Host. */
function send(url: string, { method = "GET", path, headers = {}, body }: Sent): Promise<IncomingMessage> {
  const start = url.startsWith("https:") ? httpsRequest : httpRequest;
  const text = body === undefined ? "" : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = start(new URL(path, url), { method, headers, ca: tls.cert, timeout: 20_000 }, (response) => {
      response.resume();
      resolve(response);
    });
    sent.on("error", reject).end(text);
  });
}

const codeOf = async ({ url, token }: Daemon) => (await createDaemonClient({ url, token }).newPairCode()).code;

describe("with a certificate", () => {
  test("browsers use HTTPS, and programs of this machine a port of their own", async () => {
    verifies("page.encrypted-or-local");
    const daemon = await served({ tls });
    expect(daemon.pageUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(daemon.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await createDaemonClient(daemon).health()).status).toBe("ok");
    expect((await send(daemon.pageUrl, { path: "/state" })).statusCode).toBe(401);
    await expect(send(daemon.pageUrl.replace("https:", "http:"), { path: "/" })).rejects.toThrow();
  });

  test("the cookie travels encrypted only, and the Origin has to be encrypted too", async () => {
    const daemon = await served({ tls });
    const code = await codeOf(daemon);
    const pair = (origin: string) =>
      send(daemon.pageUrl, {
        ...{ method: "POST", path: "/pair", body: { code, name: "phone" } },
        headers: { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" },
      });
    expect((await pair(daemon.pageUrl.replace("https:", "http:"))).statusCode).toBe(403);
    const paired = await pair(daemon.pageUrl);
    expect(paired.statusCode).toBe(200);
    expect(paired.headers["set-cookie"]?.[0]).toMatch(/; Secure$/);
  });
});

describe("behind a proxy", () => {
  const publicUrl = "https://box.example";

  test("the public Host and Origin are the daemon's, and addresses for devices begin with it", async () => {
    const daemon = await served({ publicUrl });
    expect(daemon.pageUrl).toBe(publicUrl);
    const { url, code } = await createDaemonClient(daemon).newPairCode();
    expect(url).toBe(`${publicUrl}/#pair=${code}`);
    const headers = { host: "box.example", origin: publicUrl, "sec-fetch-site": "same-origin" };
    const paired = await send(daemon.url, { method: "POST", path: "/pair", headers, body: { code, name: "phone" } });
    expect(paired.statusCode).toBe(200);
    expect(paired.headers["set-cookie"]?.[0]).toMatch(/; Secure$/);
  });

  test.each([
    { host: "box.example", origin: "http://box.example" },
    { host: "box.example", origin: "https://evil.example" },
    { host: "box.example:8443", origin: "https://box.example:8443" },
    { host: "evil.example", origin: "https://evil.example" },
    { host: "box.example", origin: "https://box.example", "sec-fetch-site": "cross-site" },
  ])("%o is refused", async (headers) => {
    const daemon = await served({ publicUrl });
    const { authorization } = { authorization: `Bearer ${daemon.token}` };
    const refused = await send(daemon.url, { path: "/state", headers: { ...headers, authorization } });
    expect(refused.statusCode).toBe(403);
  });
});

test("without a certificate it refuses to listen beyond this machine", async () => {
  verifies("page.encrypted-or-local");
  await expect(served({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "address_refused" });
});

test("with a certificate it listens beyond this machine", async () => {
  const daemon = await served({ host: "0.0.0.0", tls });
  expect((await send(daemon.pageUrl, { path: "/prove?nonce=00" })).statusCode).toBe(400);
});
