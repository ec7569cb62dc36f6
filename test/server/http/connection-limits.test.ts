// A thousand connections that never show the token, held open: the owner gets in, and the oldest of them give way.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { askDaemon } from "../../../src/agents/remote/daemon-request.js";
import { createDaemonClient } from "../../../src/server/client/daemon-client.js";
import { HeadlessTui } from "../../../src/server/handlers/headless-tui.js";
import { type DaemonOptions, serveDaemon } from "../../../src/server/serve-daemon.js";
import { temporaryFolder } from "../temporary-folder.js";

/** Nothing is let go because it is slow, only to make room. */
const patient = { headersMs: 600_000, requestMs: 600_000 };

async function daemonWith(limits: DaemonOptions["limits"]) {
  const folder = temporaryFolder();
  const environment = { XDG_STATE_HOME: folder };
  const daemon = await serveDaemon({
    tui: new HeadlessTui(),
    version: "1",
    folder,
    environment,
    limits: { ...patient, ...limits },
  });
  onTestFinished(() => daemon.stop());
  return { daemon, port: Number(new URL(daemon.url).port), client: createDaemonClient(daemon) };
}

async function held(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.resume();
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  if (bytes !== "") socket.write(bytes);
  return socket;
}

const isClosed = (socket: Socket) => socket.closed || socket.destroyed;

test.each([
  ["say nothing", () => ""],
  ["send half a head", (port: number) => `GET /state HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-`],
  [
    "have asked for a proof",
    (port: number) => `GET /prove?nonce=${"0".repeat(32)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
  ],
])("the owner is answered while a thousand connections that %s are held open", async (_what, bytes) => {
  const { daemon, port, client } = await daemonWith({ strangersMax: 64, idleMs: 600_000 });
  const stream = await askDaemon(daemon, "/logs", {
    headers: { accept: "text/event-stream" },
    signal: new AbortController().signal,
  });
  onTestFinished(() => void stream.destroy());
  const sockets: Socket[] = [];
  for (let count = 0; count < 1_000; count += 1) sockets.push(await held(port, bytes(port)));
  expect((await client.health()).status).toBe("ok");
  expect(await client.state()).toEqual([]);
  await expect.poll(() => sockets.filter(isClosed).length).toBeGreaterThanOrEqual(1_000 - 64);
  // Those that are left are the newest, and what has shown the token was not closed for them.
  const firstOpen = sockets.findIndex((socket) => !isClosed(socket));
  expect(sockets.slice(firstOpen).some(isClosed)).toBe(false);
  expect(sockets.length - firstOpen).toBeGreaterThan(50);
  expect(stream.closed).toBe(false);
});

test("connections with the token have a limit of their own, and are refused in words beyond it", async () => {
  const { daemon, port } = await daemonWith({ connectionsMax: 2 });
  const stream = () =>
    held(port, `GET /logs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${daemon.token}\r\n\r\n`);
  const [first, second] = [await stream(), await stream()];
  await Promise.all([once(first, "data"), once(second, "data")]);
  const third = await askDaemon(daemon, "/health", { signal: AbortSignal.timeout(10_000) });
  expect(third.statusCode).toBe(503);
  first.destroy();
  const status = async () =>
    (await askDaemon(daemon, "/health", { signal: AbortSignal.timeout(10_000) })).resume().statusCode;
  await expect.poll(status).toBe(200);
});
