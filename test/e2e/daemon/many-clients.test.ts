// A real daemon under load: many who follow its log, many actions, somebody who does not read, and a memory that stays flat.
import { connect } from "node:net";
import { expect, test } from "vitest";
import { SseDecoder } from "../../../src/contract/sse-decoder.js";
import { createDaemonClient } from "../../../src/server/client/daemon-client.js";
import { followLogs } from "../../../src/server/client/log-follower.js";
import { verifies } from "../../verifies.js";
import {
  ask,
  compile,
  type DaemonProcess,
  shownValue,
  standIn,
  startDaemon,
  temporaryPlace,
} from "./daemon-process.js";

async function start(): Promise<DaemonProcess> {
  const place = temporaryPlace();
  const wishes = JSON.stringify({ folder: place });
  return startDaemon(await compile(standIn), { env: { XDG_STATE_HOME: place, PALAVER_STAND_IN: wishes } });
}

async function stop(daemon: DaemonProcess): Promise<void> {
  await ask(daemon, "/action?key=quit", { method: "POST" });
  expect(await daemon.exited).toBe(0);
}

const act = (daemon: DaemonProcess, key: string, value = "") =>
  ask(daemon, "/action", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key, value }),
  });

/** Lets the daemon log so many lines and waits for the last of them. */
async function flood(daemon: DaemonProcess, total: number): Promise<void> {
  await act(daemon, "Flood", String(total));
  const newest = async () =>
    (await ask(daemon, "/logs?handler=Flood&lines=1", { headers: { accept: "application/json" } })).body;
  await expect.poll(newest, { timeout: 20_000 }).toContain(`line ${total - 1} of`);
}

test("fifty followers see the thousand lines of a thousand actions once and in order", async () => {
  const daemon = await start();
  const seen = Array.from({ length: 50 }, () => [] as string[]);
  const leavings = seen.map(() => new AbortController());
  let connected = 0;
  const followers = seen.map((lines, index) =>
    followLogs({
      signal: (leavings[index] ?? new AbortController()).signal,
      filter: { handler: "Count" },
      connect: async () => createDaemonClient(daemon),
      onNews(news) {
        if (news.type === "connected") connected += 1;
        if (news.type === "line") lines.push(news.entry.content);
      },
    }),
  );
  await expect.poll(() => connected, { timeout: 25_000 }).toBe(50);
  const statuses = new Set<number>();
  const worker = async () => {
    for (let count = 0; count < 50; count += 1) statuses.add((await act(daemon, "Count")).status);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  expect([...statuses]).toEqual([200]);
  const expected = Array.from({ length: 1_000 }, (_, index) => `run ${index + 1}`);
  await expect.poll(() => seen.every(({ length }) => length === 1_000), { timeout: 20_000 }).toBe(true);
  for (const lines of seen) expect(lines).toEqual(expected);
  expect(await shownValue(daemon, "Runs")).toBe("1000");
  for (const leaving of leavings) leaving.abort();
  await Promise.all(followers);
  await stop(daemon);
});

test("twenty who do not read hold no one up and cost nothing, and each learns exactly how many lines were lost", async () => {
  verifies("daemon.slow-reader-hurts-none");
  const daemon = await start();
  const total = 40_000;
  const sleepers = await Promise.all(Array.from({ length: 20 }, () => sleeper(daemon)));
  await flood(daemon, total);
  const once = Number(await shownValue(daemon, "Heap"));
  await flood(daemon, total + 1);
  const twice = Number(await shownValue(daemon, "Heap"));
  // Whatever was not read is not kept for anybody: the second flood finds the memory as the first one left it.
  expect(twice).toBeLessThan(100);
  expect(twice - once).toBeLessThan(10);
  const [slow] = sleepers;
  if (slow === undefined) throw new Error("nobody sleeps");
  const { lines, lost } = await readAll(slow, total);
  expect(lost).toBeGreaterThan(0);
  expect(lines.length + lost).toBe(2 * total + 1);
  for (const socket of sleepers) socket.destroy();
  await stop(daemon);
});

/** A client at the log stream that takes nothing more from its socket. */
async function sleeper({ port, token }: DaemonProcess): Promise<ReturnType<typeof connect>> {
  const socket = connect(port, "127.0.0.1");
  const head = `GET /logs?handler=Flood HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}`;
  socket.write(`${head}\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  return socket.pause();
}

// Takes the frames of a chunked answer apart by hand, because the socket was opened by hand.
function readAll(socket: ReturnType<typeof connect>, last: number): Promise<{ lines: number[]; lost: number }> {
  const decoder = new SseDecoder();
  const lines: number[] = [];
  let lost = 0;
  let text = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.on("data", (bytes) => {
      text = Buffer.concat([text, bytes]);
      for (;;) {
        const [head, size = ""] = /^(?:\r\n)?([0-9a-f]+)\r\n/i.exec(text.toString("latin1", 0, 20)) ?? [];
        if (head === undefined || text.length < head.length + Number.parseInt(size, 16)) return;
        const chunk = text.subarray(head.length, head.length + Number.parseInt(size, 16));
        text = text.subarray(head.length + chunk.length);
        for (const { name, data } of decoder.push(chunk)) {
          const entry = JSON.parse(data) as { content: string; lost?: number };
          if (name === "lost") lost += entry.lost ?? 0;
          if (name === "message") lines.push(Number(/^line (\d+)/.exec(entry.content)?.[1]));
        }
        if (lines.at(-1) === last) return resolve({ lines, lost });
      }
    });
    socket.resume();
  });
}

test("a client that comes back gets what it missed and nothing twice, also from a daemon that was started again", async () => {
  const place = temporaryPlace();
  const script = await compile(standIn);
  const begin = () =>
    startDaemon(script, { env: { XDG_STATE_HOME: place, PALAVER_STAND_IN: JSON.stringify({ folder: place }) } });
  let daemon = await begin();
  const leaving = new AbortController();
  const seen: string[] = [];
  const following = followLogs({
    signal: leaving.signal,
    filter: { handler: "Count" },
    connect: async () => createDaemonClient(daemon),
    onNews: (news) => void (news.type === "line" && seen.push(news.entry.content)),
  });
  await act(daemon, "Count");
  await act(daemon, "Count");
  await expect.poll(() => seen).toEqual(["run 1", "run 2"]);
  daemon.child.kill("SIGKILL");
  await daemon.exited;
  daemon = await begin();
  await act(daemon, "Count");
  await expect.poll(() => seen, { timeout: 25_000 }).toEqual(["run 1", "run 2", "run 1"]);
  leaving.abort();
  await following;
  await stop(daemon);
});

test("memory is flat over floods, comers and goers", { timeout: 60_000 }, async () => {
  const daemon = await start();
  const healthy = async () => JSON.parse((await ask(daemon, "/health")).body) as { log_clients: number };
  const round = async () => {
    const leavings = Array.from({ length: 10 }, () => new AbortController());
    let lines = 0;
    const followers = leavings.map(({ signal }) =>
      followLogs({
        signal,
        filter: { handler: "Flood", linesMax: 0 },
        connect: async () => createDaemonClient(daemon),
        onNews: (news) => void (news.type === "line" && lines++),
      }),
    );
    await expect.poll(healthy, { timeout: 25_000 }).toMatchObject({ log_clients: 10 });
    await act(daemon, "Flood", "1000");
    await expect.poll(() => lines, { timeout: 20_000 }).toBe(10 * 1_000);
    for (const leaving of leavings) leaving.abort();
    await Promise.all(followers);
    await expect.poll(healthy, { timeout: 25_000 }).toMatchObject({ log_clients: 0 });
    return Number(await shownValue(daemon, "Heap"));
  };
  // The history fills up first; after that nothing may grow.
  await flood(daemon, 20_000);
  for (let count = 0; count < 3; count += 1) await round();
  const before = await round();
  const after = [await round(), await round(), await round()];
  expect(Math.min(...after) - before).toBeLessThan(2);
  await stop(daemon);
});
