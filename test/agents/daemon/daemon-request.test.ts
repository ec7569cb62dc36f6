// The token goes to nothing that does not know it already: strangers on the daemon's port, relays, takeovers in the middle.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { askDaemonForJson, DaemonUnproven, proveDaemon } from "../../../src/agents/remote/daemon-request.js";
import { serveDaemon } from "../../../src/server/serve-daemon.js";
import { temporaryFolder } from "../../server/temporary-folder.js";
import { verifies } from "../../verifies.js";
import { proofFor } from "./proving.js";

const TOKEN = "0123456789abcdef".repeat(4);
const claims = { program: "p", version: "1", pid: 7 };
const signal = () => AbortSignal.timeout(10_000);

interface Seen {
  readonly url: string;
  readonly heard: string[];
  readonly server: Server;
}

async function stranger(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { host = "127.0.0.1", port = 0 } = {},
): Promise<Seen> {
  const heard: string[] = [];
  const server = createServer((incoming, response) => {
    heard.push(`${incoming.method} ${incoming.url} ${JSON.stringify(incoming.rawHeaders)}`);
    answer(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://${host === "::1" ? "[::1]" : host}:${(server.address() as AddressInfo).port}`, heard, server };
}

async function realDaemon() {
  const folder = temporaryFolder();
  const daemon = await serveDaemon({ tui: null, version: "1", folder, environment: { XDG_STATE_HOME: folder } });
  onTestFinished(() => daemon.stop());
  return daemon;
}

test("a daemon that proves itself gets the request with the token, on the connection of the proof", async () => {
  const daemon = await realDaemon();
  expect((await askDaemonForJson(daemon, "/version", { signal: signal() })).body).toEqual({ version: "1" });
  expect(await proveDaemon(daemon, signal())).toMatchObject({ version: "1", pid: process.pid });
});

test.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
  ["says yes to everything", (_, response) => response.end("{}")],
  ["answers with a page", (_, response) => response.end("<html>hello</html>")],
  ["guesses a token", (incoming, response) => response.end(proofFor(incoming, "f".repeat(64)))],
  ["repeats the word it was sent", ({ url }, response) => response.end(JSON.stringify({ ...claims, proof: url }))],
  ["asks for the token", (_, response) => response.writeHead(401, { "www-authenticate": "Bearer" }).end()],
  ["sends the client elsewhere", (_, response) => response.writeHead(302, { location: "/state" }).end()],
  ["answers without an end", (_, response) => void response.write("x".repeat(100_000))],
])("a stranger that %s is sent no token", async (_name, answer) => {
  verifies("daemon.proves-itself");
  const { url, heard } = await stranger(answer);
  const asked = askDaemonForJson({ url, token: TOKEN }, "/state", { signal: signal() });
  await expect(asked).rejects.toBeInstanceOf(DaemonUnproven);
  expect(heard).toHaveLength(1);
  expect(heard.join()).not.toMatch(/authorization|0123456789abcdef0123456789abcdef/i);
});

test.each(["another port", "the same port of another loopback address"])(
  "a stranger that passes the word on to the real daemon from %s is sent no token",
  async (where) => {
    const daemon = await realDaemon();
    const place = where === "another port" ? {} : { host: "::1", port: Number(new URL(daemon.url).port) };
    const { url, heard } = await stranger((incoming, response) => {
      // Whatever the daemon takes for its own address.
      const headers = { host: where === "another port" ? new URL(daemon.url).host : (incoming.headers.host ?? "") };
      request(new URL(incoming.url ?? "/", daemon.url), { headers }, (answer) => answer.pipe(response)).end();
    }, place);
    const asked = askDaemonForJson({ url, token: daemon.token }, "/state", { signal: signal() });
    await expect(asked).rejects.toBeInstanceOf(DaemonUnproven);
    expect(heard).toHaveLength(1);
    expect(heard.join()).not.toContain(daemon.token);
    // A name with two addresses means the one at which daemons listen.
    const named = daemon.url.replace("127.0.0.1", "localhost");
    expect((await askDaemonForJson({ ...daemon, url: named }, "/version", { signal: signal() })).status).toBe(200);
  },
);

test("when the connection of the proof is closed, the request goes nowhere else", async () => {
  const { url, heard } = await stranger((incoming, response) => {
    response.setHeader("connection", "close");
    response.end(proofFor(incoming, TOKEN));
  });
  const asked = askDaemonForJson({ url, token: TOKEN }, "/state", { signal: signal() });
  await expect(asked).rejects.toThrow("the daemon closed the connection");
  expect(heard).toHaveLength(1);
  expect(heard.join()).not.toContain(TOKEN);
});

test("the proof names the program, version and process, and a changed one is refused", async () => {
  const { url } = await stranger((incoming, response) => {
    response.end(JSON.stringify({ ...(JSON.parse(proofFor(incoming, TOKEN)) as object), pid: 8 }));
  });
  await expect(proveDaemon({ url, token: TOKEN }, signal())).rejects.toBeInstanceOf(DaemonUnproven);
});
