// A real daemon and clients that mean it no good: each gets the right status or a closed connection, and the daemon goes on.

import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { ask, compile, type DaemonProcess, sendRaw, shownValue, standIn, startDaemon } from "./daemon-process.js";

let daemon: DaemonProcess;
const state = mkdtempSync(join(tmpdir(), "palaver-e2e-"));

beforeAll(async () => {
  const wishes = JSON.stringify({ folder: state, headersMs: 400, requestMs: 800 });
  daemon = await startDaemon(await compile(standIn), { env: { XDG_STATE_HOME: state, PALAVER_STAND_IN: wishes } });
});

afterAll(async () => {
  await ask(daemon, "/action?key=quit", { method: "POST" });
  expect(await daemon.exited).toBe(0);
  rmSync(state, { recursive: true, force: true, maxRetries: 5 });
});

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
const head = (...lines: string[]) => `${lines.join("\r\n")}\r\n\r\n`;
const host = () => `Host: 127.0.0.1:${daemon.port}`;
const auth = () => `Authorization: Bearer ${daemon.token}`;
const close = "Connection: close";

describe("every route", () => {
  const routes = ["/state", "/logs", "/version", "/health", "/openapi.json", "/nothing"];

  test.each(routes)("%s needs the token", async (path) => {
    verifies("daemon.needs-the-token");
    for (const authorization of ["", "Bearer", "Bearer wrong", `Bearer ${daemon.token}0`, `Basic ${daemon.token}`]) {
      const { status, headers } = await ask(daemon, path, { headers: { authorization } });
      expect([status, headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    }
    expect((await ask(daemon, `${path}?token=${daemon.token}`, { headers: { authorization: "" } })).status).toBe(401);
    expect((await ask(daemon, "/action?key=Count", { method: "POST", headers: { authorization: "" } })).status).toBe(
      401,
    );
  });

  test.each(routes)("%s refuses a foreign Host and Origin", async (path) => {
    verifies("daemon.refuses-foreign-pages");
    const foreign: Record<string, string>[] = [
      { host: "evil.example" },
      { host: `evil.example:${daemon.port}` },
      { host: `127.0.0.1.evil.example:${daemon.port}` },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) expect((await ask(daemon, path, { headers })).status).toBe(403);
  });

  test("answers carry nothing that lets a web page read them", async () => {
    const { headers } = await ask(daemon, "/state", { headers: { origin: daemon.url } });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
    const preflight = await ask(daemon, "/action", { method: "OPTIONS", headers: { origin: "http://evil.example" } });
    expect(preflight.status).toBe(403);
  });
});

describe("a malformed request", () => {
  test.each<[string, () => string, number]>([
    ["no HTTP at all", () => "hello\r\n\r\n", 400],
    ["no Host", () => head("GET /state HTTP/1.1", auth(), close), 400],
    ["two Hosts", () => head("GET /state HTTP/1.1", host(), "Host: evil.example", auth(), close), 400],
    ["two tokens", () => head("GET /state HTTP/1.1", host(), "Authorization: Bearer x", auth(), close), 400],
    ["an old version without a Host", () => head("GET /state HTTP/1.0", auth()), 403],
    ["an absolute address", () => head("GET http://evil.example/state HTTP/1.1", host(), auth(), close), 400],
    ["a double slash", () => head("GET //evil.example/state HTTP/1.1", host(), auth(), close), 400],
    ["dots that climb", () => head("GET /x/../state HTTP/1.1", host(), auth(), close), 400],
    ["encoded dots", () => head("GET /%2e%2e/state HTTP/1.1", host(), auth(), close), 400],
    ["a NUL", () => head("GET /state%00 HTTP/1.1", host(), auth(), close), 400],
    ["a method nobody has", () => head("TRACE /state HTTP/1.1", host(), auth(), close), 405],
    ["a HEAD of the log", () => head("HEAD /logs HTTP/1.1", host(), auth(), close), 405],
    ["a PUT", () => head("PUT /state HTTP/1.1", host(), auth(), "Content-Length: 0", close), 405],
    ["a huge header", () => head("GET /state HTTP/1.1", host(), auth(), `X: ${"x".repeat(20_000)}`), 431],
    ["a huge path", () => head(`GET /${"x".repeat(9_000)} HTTP/1.1`, host(), auth(), close), 400],
    [
      "both kinds of length",
      () => head("POST /action HTTP/1.1", host(), auth(), "Content-Length: 5", "Transfer-Encoding: chunked"),
      400,
    ],
    ["a length that is none", () => head("POST /action HTTP/1.1", host(), auth(), "Content-Length: -5"), 400],
    [
      "a length beyond every measure",
      () => head("POST /action HTTP/1.1", host(), auth(), "Content-Length: 9999999999"),
      413,
    ],
    [
      "an upgrade",
      () => head("GET /nothing HTTP/1.1", host(), auth(), "Connection: Upgrade, close", "Upgrade: websocket"),
      404,
    ],
  ])("with %s", async (_what, bytes, status) => {
    expect(statusOf(await sendRaw(daemon.port, bytes()))).toBe(status);
    expect((await ask(daemon, "/health")).status).toBe(200);
  });

  test("a body that turns out too large is refused while it comes", async () => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const start = head("POST /action HTTP/1.1", host(), auth(), "Transfer-Encoding: chunked");
    expect(statusOf(await sendRaw(daemon.port, start + chunk.repeat(40)))).toBe(413);
  });

  test.each<[string, string, string, number]>([
    ["broken JSON", "application/json", '{"key":', 400],
    ["JSON of a million brackets", "application/json", "[".repeat(900_000), 400],
    ["an object without a key", "application/json", "{}", 400],
    ["a prototype", "application/json", '{"__proto__":{"key":"Count"}}', 400],
    ["another kind of text", "text/xml", "<x/>", 415],
    ["an unknown key", "application/json", '{"key":"constructor"}', 404],
    ["an empty key", "application/json", '{"key":""}', 400],
  ])("with %s as its body", async (_what, type, body, status) => {
    const answer = await ask(daemon, "/action", { method: "POST", headers: { "content-type": type }, body });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
  });
});

describe("a client that does not go on", () => {
  test.each<[string, () => string]>([
    ["says nothing", () => ""],
    ["sends half a head", () => `GET /state HTTP/1.1\r\n${host()}\r\nX-`],
    ["sends half a body", () => `${head("POST /action HTTP/1.1", host(), auth(), "Content-Length: 100")}{"key"`],
  ])("and %s is let go", async (_what, bytes) => {
    const answer = await sendRaw(daemon.port, bytes());
    expect([0, 408]).toContain(statusOf(answer));
  });

  test("leaves nothing behind, however many there are", async () => {
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connect(daemon.port, "127.0.0.1", () =>
        socket.write(`GET /logs HTTP/1.1\r\n${host()}\r\n${auth()}\r\n\r\n`),
      );
      socket.on("error", () => {});
      return socket;
    });
    const clients = async () =>
      (JSON.parse((await ask(daemon, "/health")).body) as { log_clients: number }).log_clients;
    // On a busy machine one or the other is too slow to say what it wants, and is let go.
    await expect.poll(clients, { timeout: 20_000 }).toBeGreaterThan(150);
    for (const socket of sockets) socket.destroy();
    await expect.poll(clients, { timeout: 20_000 }).toBe(0);
  });
});

test("after all of it the daemon is well, did nothing it was not allowed to, and said nothing on stderr", async () => {
  expect(await shownValue(daemon, "Runs")).toBe("0");
  expect(Number(await shownValue(daemon, "Heap"))).toBeLessThan(60);
  expect(daemon.stderr()).toBe("");
});
