// What a web page that somebody happens to have open can try against the daemon on this machine, with the headers that browsers
// really send: each way in which a page can make a request, and a name of its own that it lets point to loopback.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HeadlessTui } from "../../src/server/handlers/headless-tui.js";
import { type Daemon, serveDaemon } from "../../src/server/serve-daemon.js";
import { verifies } from "../verifies.js";

const EVIL = "https://evil.example";
const FORM = "application/x-www-form-urlencoded";

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How a page of another origin reaches the daemon; none of them can set Authorization without being asked first. */
const ways: Readonly<Record<string, Sent>> = {
  "a form that is posted": {
    method: "POST",
    path: "/action",
    headers: { origin: EVIL, "content-type": FORM, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    body: "key=Count&value=1",
  },
  "a form from a frame without an origin": {
    method: "POST",
    path: "/action",
    headers: { origin: "null", "content-type": FORM, "sec-fetch-site": "cross-site" },
    body: "key=Count&value=1",
  },
  "fetch without cors, as plain text": {
    method: "POST",
    path: "/action",
    headers: { origin: EVIL, "content-type": "text/plain;charset=UTF-8", "sec-fetch-mode": "no-cors" },
    body: '{"key":"Count","value":"1"}',
  },
  "a beacon": {
    method: "POST",
    path: "/mcp",
    headers: { origin: EVIL, "content-type": "text/plain;charset=UTF-8", "sec-fetch-site": "cross-site" },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  },
  "an EventSource": {
    path: "/logs",
    headers: { origin: EVIL, accept: "text/event-stream", "sec-fetch-site": "cross-site" },
  },
  "a picture or a script": { path: "/state", headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" } },
  "a link that is followed": {
    path: "/state",
    headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  },
  "a page on another port of this machine": {
    path: "/state",
    headers: { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
  },
  "an old browser that says nothing of where it comes from": { path: "/state", headers: {} },
  "an address with the token's name in it": { path: "/state?token=x&access_token=x", headers: {} },
  "a preflight": {
    method: "OPTIONS",
    path: "/action",
    headers: {
      origin: EVIL,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  },
  "a preflight for a private network": {
    method: "OPTIONS",
    path: "/state",
    headers: { origin: EVIL, "access-control-request-method": "GET", "access-control-request-private-network": "true" },
  },
  "a WebSocket": {
    path: "/logs",
    headers: {
      origin: EVIL,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "x",
    },
  },
};

const names = [
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.nip.io",
  "0.0.0.0",
  "2130706433",
  "127.1",
  "localhost.",
];

let daemon: Daemon;
let folder: string;
let runs = 0;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "palaver-pages-")));
  const tui = new HeadlessTui();
  const section = tui.newTabSection("BUILD", "");
  const count = {
    name: () => "Count",
    label: () => "Count",
    value: () => "secret-value",
    change: () => {
      runs += 1;
    },
  };
  tui.addHandler(count, "", section);
  daemon = await serveDaemon({ tui, version: "1", folder, environment: { XDG_STATE_HOME: join(folder, "state") } });
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

function send({ method = "GET", path = "/", headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, daemon.url), { method, headers, agent: false });
    sent.on("error", reject);
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: {}, body: "" });
    });
    sent.on("response", (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
    });
    sent.end(body);
  });
}

describe("a web page of somebody else's", () => {
  test.each(Object.entries(ways))("gets nothing and does nothing by %s", async (_, sent) => {
    verifies("daemon.refuses-foreign-pages");
    const { status, headers, body } = await send(sent);
    expect([401, 403]).toContain(status);
    expect(body).not.toContain("secret-value");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(runs).toBe(0);
  });

  test.each(names)(
    "that lets the name %s point to this machine is refused before the token is looked at",
    async (name) => {
      const { port } = new URL(daemon.url);
      for (const host of [name, `${name}:${port}`]) {
        const headers = { host, origin: `http://${host}`, authorization: `Bearer ${daemon.token}` };
        expect((await send({ path: "/state", headers })).status).toBe(403);
      }
    },
  );

  test("does not even learn which addresses there are", async () => {
    const headers = { origin: EVIL, "sec-fetch-site": "cross-site" };
    const there = await send({ path: "/state", headers });
    const nowhere = await send({ path: "/nothing-at-all", headers });
    expect([there.status, there.body]).toEqual([nowhere.status, nowhere.body]);
  });
});

test("the user's own program is answered all the while", async () => {
  const { status, body } = await send({ path: "/state", headers: { authorization: `Bearer ${daemon.token}` } });
  expect(status).toBe(200);
  expect(body).toContain("Count");
});
