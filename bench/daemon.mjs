// What a daemon costs: a flood of log lines to twenty clients, each of which has to get every line, and the state of a
// thousand handlers, beside a bare server of Node that sends the same bytes with no routes, guard or handlers at all.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../scripts/setup.mjs";

const CLIENTS = 20;
const LINES = 50_000;
const LINES_PER_SECOND_MIN = 10_000;
const ACTIONS = 2_000;
const ACTION_ROUNDS = 4;
const SENDERS = 10;
const ACTIONS_PER_SECOND_MIN = 1_000;
const HANDLERS = 1_000;
const STATE_ROUNDS = 200;
const STATE_MS_MAX = 5;

/** How a line of the log begins in the stream; notices and heartbeats begin otherwise. */
const MARK = '\ndata: {"id":"1';

export const title = "The daemon";

export async function run() {
  const place = mkdtempSync(join(tmpdir(), "palaver-bench-"));
  const daemon = await start(place);
  try {
    return [await measureFlood(daemon), await measureActions(daemon), await measureState(daemon)];
  } finally {
    daemon.child.kill("SIGKILL");
    rmSync(place, { recursive: true, force: true });
  }
}

// Lines per second that reached the slowest of the clients, from the first line to the last.
async function measureFlood(daemon) {
  const clients = Array.from({ length: CLIENTS }, () => follow(daemon));
  await Promise.all(clients.map(({ connected }) => connected));
  await send(daemon, "POST", `/action?key=Flood&value=${LINES}`);
  const results = await Promise.all(clients.map(({ done }) => done));
  const lost = results.reduce((sum, { lines }) => sum + LINES - lines, 0);
  const seconds =
    (Math.max(...results.map(({ endedAt }) => endedAt)) - Math.min(...results.map(({ startedAt }) => startedAt))) / 1e3;
  const rate = LINES / seconds;
  return {
    what: `log lines a second to ${CLIENTS} clients, ${lost} lost`,
    value: `${Math.round(rate).toLocaleString("en")}`,
    goal: `≥ ${LINES_PER_SECOND_MIN.toLocaleString("en")}, 0 lost`,
    met: rate >= LINES_PER_SECOND_MIN && lost === 0,
  };
}

function follow({ url, token }) {
  let connect;
  const connected = new Promise((resolve) => {
    connect = resolve;
  });
  const done = new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(`${url}/logs?lines=0`, { headers }, (answer) => {
      let [lines, startedAt, tail] = [0, 0, ""];
      answer.setEncoding("latin1");
      answer.on("data", (chunk) => {
        connect();
        const text = tail + chunk;
        const count = text.split(MARK).length - 1;
        if (count > 0 && startedAt === 0) startedAt = performance.now();
        lines += count;
        // A mark that a chunk cut in two is counted with the next one, and no mark twice.
        tail = text.slice(1 - MARK.length);
        if (!text.includes(`line ${LINES - 1} of`)) return;
        resolve({ lines, startedAt, endedAt: performance.now() });
        answer.destroy();
      });
    });
    sent.on("error", reject);
    sent.end();
  });
  return { connected, done };
}

// Plain sockets that stay open: a client that cost more than the daemon would be what is measured.
async function measureActions(daemon) {
  const floor = createServer((_request, response) => response.end('{"applied":"Mode"}'));
  await new Promise((resolve) => floor.listen(0, "127.0.0.1", resolve));
  const { port } = new URL(daemon.url);
  const rates = { ours: [], bare: [] };
  for (let round = 0; round < ACTION_ROUNDS; round += 1) {
    rates.ours.push(await actionRate(Number(port), daemon.token));
    rates.bare.push(await actionRate(floor.address().port, daemon.token));
  }
  floor.close();
  const [rate, bare] = [Math.max(...rates.ours), Math.max(...rates.bare)];
  return {
    what: `actions a second from ${SENDERS} clients (bare server: ${Math.round(bare).toLocaleString("en")})`,
    value: Math.round(rate).toLocaleString("en"),
    goal: `≥ ${ACTIONS_PER_SECOND_MIN.toLocaleString("en")}`,
    met: rate >= ACTIONS_PER_SECOND_MIN,
  };
}

async function actionRate(port, token) {
  const ms = await timeOf(() => Promise.all(Array.from({ length: SENDERS }, () => actMany(port, token))));
  return ACTIONS / (ms / 1e3);
}

function actMany(port, token) {
  const head = `POST /action?key=Mode&value=x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}`;
  const bytes = Buffer.from(`${head}\r\nContent-Length: 0\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let left = ACTIONS / SENDERS;
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setNoDelay(true);
    socket.on("error", reject);
    // An answer is one small packet.
    socket.on("data", (chunk) => {
      if (!chunk.includes("HTTP/1.1 200")) return reject(new Error(String(chunk)));
      left -= 1;
      if (left > 0) return socket.write(bytes);
      socket.destroy();
      resolve();
    });
  });
}

async function measureState(daemon) {
  const { body } = await send(daemon, "GET", "/state");
  const entries = JSON.parse(body).length;
  const floor = createServer((_request, response) => response.end(body));
  await new Promise((resolve) => floor.listen(0, "127.0.0.1", resolve));
  const bare = { url: `http://127.0.0.1:${floor.address().port}`, token: "" };
  const times = { ours: [], bare: [] };
  for (let round = 0; round < STATE_ROUNDS; round += 1) {
    times.ours.push(await timeOf(() => send(daemon, "GET", "/state")));
    times.bare.push(await timeOf(() => send(bare, "GET", "/state")));
  }
  floor.close();
  const [ours, plain] = [quickQuarter(times.ours), quickQuarter(times.bare)];
  return {
    what: `state of ${entries.toLocaleString("en")} handlers (bare server: ${plain.toFixed(1)} ms)`,
    value: `${ours.toFixed(1)} ms`,
    goal: `< ${STATE_MS_MAX} ms`,
    met: ours < STATE_MS_MAX,
  };
}

async function start(place) {
  const script = join(root, ".cache", "bench", "stand-in-daemon.mjs");
  const entryPoints = ["test/rigs/daemon/stand-in-daemon.ts"];
  const format = { bundle: true, format: "esm", platform: "node", target: "node20", minifySyntax: true };
  await build({ absWorkingDir: root, entryPoints, outfile: script, ...format });
  const wishes = JSON.stringify({ folder: place, handlers: HANDLERS });
  const env = { ...process.env, XDG_STATE_HOME: place, PALAVER_STAND_IN: wishes };
  const child = spawn(process.execPath, [script], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(String(chunk)));
    child.once("exit", (code) => reject(new Error(`the daemon ended with ${code}`)));
  });
  return { ...JSON.parse(line), child };
}

const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });

function send({ url, token }, method, path) {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() }));
    });
    sent.on("error", reject);
    sent.end();
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
