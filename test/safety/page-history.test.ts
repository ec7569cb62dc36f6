// What went wrong in other web front ends of coding agents, each as a test by the name under which it is known: the daemon's half.
import { request } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { bindAddress } from "../../src/server/http/listening.js";
import { openStage, type Stage, slow } from "../host/session-stage.js";
import { Browser } from "../rigs/daemon/browser.js";
import { verifies } from "../verifies.js";

const EVIL = "https://evil.example";
const HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>";

let stage: Stage;
let browser: Browser;
let session: string;

beforeEach(async () => {
  stage = await openStage();
  session = await stage.start();
  browser = new Browser(stage.url);
  const { code } = (await stage.ask("POST", "/pair/codes")).body as { code: string };
  await browser.json("POST", "/pair", { code, name: "phone" });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly upgraded: boolean;
}

/** Any headers, the cookie included: as if the browser had sent it along. */
function send(path: string, headers: Readonly<Record<string, string>>, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, stage.url), { method, headers: { cookie: browser.cookie ?? "", ...headers } });
    sent.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: {}, text: "", upgraded: true });
    });
    sent.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += String(chunk);
      });
      const done = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, upgraded: false });
      response.on("end", done);
      // A stream does not end by itself.
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) {
        response.once("data", () => {
          done();
          sent.destroy();
        });
      }
    });
    sent.on("error", reject).end();
  });
}

const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

async function pathsOf(): Promise<{ method: string; path: string; isOpen: boolean }[]> {
  type Operation = { security?: unknown[] };
  const { paths } = (await stage.ask("GET", "/openapi.json")).body as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, session),
      isOpen: security?.length === 0,
    })),
  );
}

describe.each(["CVE-2025-52882", "CVE-2026-59723"])("%s: a page of another origin opens a WebSocket", () => {
  test("is refused with the cookie, and there is none to open from our own page either", async () => {
    verifies("page.known-attacks");
    for (const path of ["/", "/overview", "/logs", `/sessions/${session}/changes`, "/mcp"]) {
      const foreign = await send(path, { ...upgrade, origin: EVIL, "sec-fetch-site": "cross-site" });
      expect([path, foreign.status]).toEqual([path, 403]);
      const own = await send(path, { ...upgrade, origin: stage.url, "sec-fetch-site": "same-origin" });
      expect([path, own.upgraded]).toEqual([path, false]);
    }
  });
});

describe("CVE-2025-59956, Kimi vis #67, PilotDeck #27, awslabs CAO #124: a name that points to loopback reads messages", () => {
  test.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[::ffff:127.0.0.1]"])(
    "Host %s is refused, also for the files of the page",
    async (name) => {
      const host = `${name}:${new URL(stage.url).port}`;
      for (const path of ["/", "/page/app.js", "/sw.js", "/overview", `/sessions/${session}/transcript`, "/pair"]) {
        expect([path, (await send(path, { host })).status]).toEqual([path, 403]);
      }
    },
  );
});

describe("CVE-2026-22812: a server without a password, open to every origin", () => {
  test("every route needs the token or a cookie, but the few that hold no secret", async () => {
    const open: string[] = [];
    for (const { method, path, isOpen } of await pathsOf()) {
      const { status } = await send(path, { cookie: "" }, method);
      if (isOpen) open.push(`${method} ${path.replace(session, "…")}`);
      else expect([method, path, status]).toEqual([method, path, 401]);
    }
    expect(open.sort()).toEqual([
      "GET /",
      "GET /manifest.webmanifest",
      "GET /page/…",
      "GET /prove",
      "GET /sw.js",
      "POST /pair",
      "POST /share",
    ]);
  });

  test("no response invites another origin", async () => {
    for (const path of ["/", "/state", "/device", "/overview", "/nothing"]) {
      for (const origin of [EVIL, stage.url]) {
        const { headers } = await send(path, { origin });
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
    }
  });
});

describe("CVE-2026-22813: Markdown of an agent becomes a script", () => {
  test("what an agent says is never sent as a document, and no document may run it", async () => {
    await stage.send(session, { type: "submit", text: `say ${HOSTILE}` });
    const read = () => send(`/sessions/${session}/transcript`, {});
    await expect.poll(async () => (await read()).text, slow).toContain("onerror");
    const streams = [await send(`/sessions/${session}/changes`, {}), await send("/overview", {})];
    for (const { headers } of [await read(), ...streams]) {
      expect(String(headers["content-type"])).toMatch(/^(?:application\/json|text\/event-stream)/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toContain("script-src 'self';");
      expect(headers["content-security-policy"]).not.toContain("unsafe");
    }
  });

  test("a path that is a script is not repeated in the answer", async () => {
    const { text } = await send(`/page/${encodeURIComponent("<script>alert(1)")}`, {});
    expect(text).not.toContain("<script>");
  });
});

describe("CVE-2026-25253: an address in the query makes the page send its token there", () => {
  test("no query changes what is served, and the page may connect to its own origin only", async () => {
    const plain = await send("/", {});
    const asked = await send(`/?gatewayUrl=${EVIL}&url=${EVIL}&redirect=${EVIL}`, {});
    expect([asked.status, asked.text, asked.headers["location"]]).toEqual([plain.status, plain.text, undefined]);
    expect(asked.headers["content-security-policy"]).toContain("connect-src 'self';");
    expect(asked.headers["content-security-policy"]).toContain("form-action 'none'");
  });
});

describe("anomalyco/opencode#38857, #44640: a miner was installed through a server on every address", () => {
  test.each(["0.0.0.0", "::", "100.64.0.7", "192.168.1.5", "box.example"])(
    "%s needs TLS, or the owner's word",
    (host) => {
      expect(() => bindAddress({ host })).toThrow(/can be reached from other machines/);
    },
  );
});

describe("siteboon/claudecodeui#648: a token in an address", () => {
  test("neither the token nor a device's secret is taken from the query", async () => {
    const secret = browser.cookie?.split("=")[1] ?? "";
    const name = browser.cookie?.split("=")[0] ?? "";
    for (const query of [`token=${stage.daemon.token}`, `auth_token=${secret}`, `${name}=${secret}`]) {
      expect((await send(`/overview?${query}`, { cookie: "" })).status).toBe(401);
    }
  });
});

describe("CVE-2026-109288, CVE-2026-109300: a script of an agent reads the token", () => {
  test("no script can read the cookie, and no response repeats it", async () => {
    const secret = browser.cookie?.split("=")[1] ?? "?";
    for (const path of ["/device", "/devices", "/overview", "/openapi.json", "/"]) {
      const { text, headers } = await send(path, {});
      expect(text).not.toContain(secret);
      expect(JSON.stringify(headers)).not.toContain(secret);
    }
  });
});

describe("a form or a fetch of another page that the browser sends the cookie with", () => {
  test.each([
    { origin: EVIL, "sec-fetch-site": "cross-site" },
    { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
    { origin: "null" },
    {},
  ])("%o changes nothing", async (headers) => {
    for (const [method, path] of [
      ["POST", `/sessions/${session}/intents`],
      ["DELETE", `/sessions/${session}`],
      ["POST", "/action?key=quit"],
      ["DELETE", "/device"],
    ] as const) {
      expect([path, (await send(path, headers, method)).status]).toEqual([path, 403]);
    }
    expect((await stage.sessions())[0]?.state).toBe("idle");
  });
});
