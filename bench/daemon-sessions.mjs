// What it costs to look at a session that lives in a daemon: attach to one of 100,000 lines and have everything, beside a bare
// server of Node that sends the same bytes; from the memory of the daemon, and from its disk after it was started again. And what a
// person waits for: `palaver attach` in a real terminal until the end of that session stands there.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { root } from "../scripts/setup.mjs";
import { loadSource } from "./load-source.mjs";

const LINES = 100_000;
const ROUNDS = 12;
const ATTACH_MS_MAX = 300;
const SHOWN_RATIO_MAX = 7;
/** As much as a daemon gives at once. */
const PART_CHARS = 4 * 1024 * 1024;

export const title = "Sessions in the daemon";

export async function run() {
  const { RemoteSession } = await loadSource("src/host/remote-session.ts");
  const place = mkdtempSync(join(tmpdir(), "palaver-bench-"));
  mkdirSync(join(place, "project"));
  writeFileSync(join(place, "project", ".palaver.toml"), "");
  let daemon = await start(place);
  try {
    const id = await longSession(daemon);
    const warm = await measureAttach("memory", daemon, id, RemoteSession);
    const seen = await measureScreen("memory", place);
    await stop(daemon);
    daemon = await start(place);
    const cold = await measureAttach("disk", daemon, id, RemoteSession);
    return [warm, cold, seen, await measureScreen("disk", place)];
  } finally {
    daemon.child.kill("SIGKILL");
    rmSync(place, { recursive: true, force: true });
  }
}

async function longSession(daemon) {
  const [{ id }] = JSON.parse((await send(daemon, "GET", "/sessions")).body);
  await send(daemon, "POST", `/sessions/${id}/intents`, { intent: { type: "submit", text: String(LINES) } });
  for (let state = ""; state !== "idle"; ) {
    [{ state }] = JSON.parse((await send(daemon, "GET", "/sessions")).body);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return id;
}

async function measureAttach(from, daemon, id, RemoteSession) {
  const bytes = await snapshotOf(daemon, id);
  const floor = createServer((_request, response) => response.end(bytes));
  await new Promise((resolve) => floor.listen(0, "127.0.0.1", resolve));
  const times = { ours: [], bare: [] };
  let linesMin = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms, lines } = await attach(daemon, id, RemoteSession);
    times.ours.push(ms);
    linesMin = Math.min(linesMin, lines);
    times.bare.push(await timeOf(() => read(`http://127.0.0.1:${floor.address().port}/`)));
  }
  floor.close();
  const [ours, bare] = [quickQuarter(times.ours), quickQuarter(times.bare)];
  const megabytes = (bytes.length / 1e6).toFixed(1);
  return {
    what: `attach, ${linesMin.toLocaleString("en")} lines from ${from} (${megabytes} MB bare: ${bare.toFixed(0)} ms)`,
    value: `${ours.toFixed(0)} ms`,
    goal: `≤ ${ATTACH_MS_MAX} ms, all lines`,
    met: ours <= ATTACH_MS_MAX && linesMin === LINES,
  };
}

// Judged as a multiple of starting Node at all, so that a busy or slow machine counts the same: on one that starts Node in 45 ms,
// seven times that is 300 ms. The milliseconds of this machine stand beside it.
async function measureScreen(from, place) {
  const times = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.ours.push(await timeOf(() => lastLineShown(place)));
    times.bare.push(await timeOf(() => spawnSync(process.execPath, ["-e", "0"])));
  }
  const [ours, bare] = [quickQuarter(times.ours), quickQuarter(times.bare)];
  return {
    what: `palaver attach, its end shows, from ${from} (node -e 0: ${bare.toFixed(0)} ms)`,
    value: `${ours.toFixed(0)} ms, ${(ours / bare).toFixed(1)} ×`,
    goal: `≤ ${ATTACH_MS_MAX} ms where node -e 0 takes 43; ≤ ${SHOWN_RATIO_MAX} ×`,
    met: ours / bare <= SHOWN_RATIO_MAX,
  };
}

async function lastLineShown(place) {
  const env = { ...environmentOf(place), TERM: "xterm-256color", NO_COLOR: "1" };
  const options = { cols: 100, rows: 30, cwd: join(place, "project"), env };
  const pty = spawnPty(process.execPath, [join(root, "dist", "cli.js"), "attach"], options);
  const exited = new Promise((resolve) => pty.onExit(resolve));
  await new Promise((resolve) => {
    let text = "";
    pty.onData((data) => {
      text = (text + data).slice(-100_000);
      if (text.includes(`line ${LINES - 1}:`)) resolve();
    });
  });
  pty.kill("SIGKILL");
  await exited;
}

/** From the first request to the moment at which all that was said is understood. */
async function attach({ url, token }, sessionId, RemoteSession) {
  const startedAt = performance.now();
  const session = new RemoteSession({
    ...{ url, token, sessionId, name: "bench", tailChars: PART_CHARS, nowMs: () => performance.now() },
  });
  let lines = 0;
  const count = (blocks) => {
    for (const block of blocks) if (block.kind === "prose") lines += block.text.split("\n").length;
  };
  await new Promise((resolve) => {
    session.subscribe((changes) => {
      count(changes.flatMap(({ change }) => (change?.type === "closed" ? [change.block] : [])));
      if (session.phase === "live") resolve();
    });
    void session.open();
  });
  for (let blocks = []; blocks !== null; blocks = await session.readEarlier(PART_CHARS)) count(blocks);
  const ms = performance.now() - startedAt;
  await session.close();
  return { ms, lines };
}

/** The bytes of a whole snapshot, as they travel. */
function snapshotOf({ url, token }, id) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get(`${url}/sessions/${id}/changes?tail=${PART_CHARS}`, { headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => {
        chunks.push(chunk);
        if (!String(chunk.subarray(-300)).includes("event: caught-up")) return;
        answer.destroy();
        resolve(Buffer.concat(chunks));
      });
      answer.on("error", () => undefined);
    }).on("error", reject);
  });
}

async function start(place) {
  const script = join(root, "dist", "cli.js");
  const agent = join(root, "bench", "daemon-sessions", "agent.mjs");
  const args = [script, "serve", "--json", "--protocol", "lines", "--", process.execPath, agent];
  const env = environmentOf(place);
  const child = spawn(process.execPath, args, {
    cwd: join(place, "project"),
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const line = await new Promise((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(String(chunk)));
    child.once("exit", (code) => reject(new Error(`the daemon ended with ${code}`)));
  });
  const { url, token_file } = JSON.parse(line);
  return { url, token: readFileSync(token_file, "utf8").trim(), child, exited };
}

function environmentOf(place) {
  return { ...process.env, XDG_STATE_HOME: join(place, "state"), XDG_CONFIG_HOME: join(place, "config") };
}

async function stop({ child, exited }) {
  child.kill("SIGTERM");
  await exited;
}

function send({ url, token }, method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() }));
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

function read(url) {
  return new Promise((resolve, reject) => {
    get(url, (answer) => {
      answer.on("data", () => undefined);
      answer.on("end", resolve);
    }).on("error", reject);
  });
}

async function timeOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

// Slower than a quarter of the rounds: what the work takes when the machine has time for it.
function quickQuarter(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)];
}
