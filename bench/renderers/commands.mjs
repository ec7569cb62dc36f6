// What a renderer can be told to do, inside its own process, where its processor time and memory are measured.
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { linesOf, markdownStreamOf, streamOf } from "./corpus.mjs";
import { readMessages, sendMessage } from "./messages.mjs";
import { profiled } from "./profile.mjs";

const MESSAGE_LINES = 20;
const FLUSH_EVERY_LINES = 2_000;
const LAST_FRAME_MS = 80;
const BURST_LINES = 40;

export function serve(adapter, meta, socketPath) {
  const socket = createConnection(socketPath);
  const commands = commandsOf(adapter);
  let queue = Promise.resolve();
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error) => sendMessage(socket, { error: String(error?.stack ?? error) }));
  }
  readMessages(socket, ({ id, name, parameters }) => {
    queue = queue
      .then(() => commands[name](parameters))
      .then((result) => sendMessage(socket, { id, result }))
      .catch((error) => sendMessage(socket, { id, error: String(error?.stack ?? error) }));
  });
  sendMessage(socket, { caps: adapter.caps, meta });
}

function commandsOf(adapter) {
  let mark;
  return {
    prefill: ({ count }) => measured(() => prefill(adapter, count)),
    stream: ({ from, count, kind }) => {
      const { tokens } = (kind === "markdown" ? markdownStreamOf : streamOf)(from, count);
      return measured(() => streamForced(adapter, tokens));
    },
    streamPaced: ({ from, count, gapMs }) => {
      const { tokens } = streamOf(from, count);
      return measured(() => streamPaced(adapter, tokens, gapMs));
    },
    overlays: ({ from, count, cycles }) => {
      const lines = linesOf(from, count);
      return measured(() => overlays(adapter, lines, cycles));
    },
    flush: async () => void (await adapter.flush()),
    markCpu: async () => {
      mark = process.cpuUsage();
    },
    readCpu: async () => ({ cpuMs: cpuMsSince(mark), rssMb: peakRssMb() }),
  };
}

async function measured(work) {
  return profiled(process.env.BENCH_PROFILE, async () => {
    const start = process.cpuUsage();
    await work();
    return { cpuMs: cpuMsSince(start), rssMb: peakRssMb() };
  });
}

async function prefill(adapter, count) {
  for (let from = 0; from < count; from += MESSAGE_LINES) {
    adapter.commit(linesOf(from, Math.min(MESSAGE_LINES, count - from)));
    if (from % FLUSH_EVERY_LINES !== 0) continue;
    await adapter.flush();
    await nextTurn();
  }
  await adapter.flush();
}

async function streamForced(adapter, tokens) {
  for (const [index, token] of tokens.entries()) {
    adapter.append(token);
    await adapter.flush();
    if (index % 64 === 0) await nextTurn();
  }
}

// Tokens come at their times, and late ones catch up, as from a network.
async function streamPaced(adapter, tokens, gapMs) {
  const startedAtMs = performance.now();
  for (const [index, token] of tokens.entries()) {
    adapter.append(token);
    adapter.request();
    const aheadMs = startedAtMs + (index + 1) * gapMs - performance.now();
    if (aheadMs > 1) await sleep(aheadMs);
    else if (index % 8 === 0) await nextTurn();
  }
  await sleep(LAST_FRAME_MS);
  await adapter.flush();
}

// A dialog opens, three lines arrive one by one while it is there (after every fifth a burst taller than the screen),
// and it closes.
async function overlays(adapter, lines, cycles) {
  const arrive = async (count) => {
    adapter.commit(lines.splice(0, count));
    await adapter.flush();
  };
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    adapter.openOverlay();
    await adapter.flush();
    for (let i = 0; i < 3; i += 1) await arrive(1);
    if (cycle % 5 === 0) await arrive(BURST_LINES);
    adapter.closeOverlay();
    await adapter.flush();
    if (cycle % 8 === 0) await nextTurn();
  }
}

function cpuMsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

// The kernel's own peak of this program; maxRSS would also count what the parent had before it became this program.
function peakRssMb() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
