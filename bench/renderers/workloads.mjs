// What every renderer is made to do, and what is read off it. Each measurement is a fresh process in a fresh terminal;
// the figures come back as a flat object of numbers, or as a reason why there are none.
import { linesOf, markdownStreamOf, seededDice, streamOf } from "./corpus.mjs";
import { judge } from "./judge.mjs";
import { bareFirstFrameMs, withSession } from "./session.mjs";

const FORCED = { BENCH_FORCED: "1" };
const LIMIT_MS = 120_000;
const LONG_LIMIT_MS = 240_000;
const QUIET_MS = 200;

const STREAM_TOKENS = 5_000;
const PACED_TOKENS = 1_000;
const PACED_GAP_MS = 5;
const APPENDS = 500;
const KEYS = 500;
const KEY_LIMIT_MS = 1_000;
const KEY_GAP_MS = 12;
const RESIZES = 50;
const RESIZE_GAP_MS = 70;
const RESIZED_GAP_MS = 4;
const OVERLAY_CYCLES = 100;
const OVERLAY_LINES = 1_100;

/** By id: what it is, how often ours and the others are measured, and how to measure one renderer once. */
export const WORKLOADS = {
  start: { title: "first frame", rounds: { ours: 30, peers: 6, floor: 30 }, measure: firstFrame },
  W1: { title: "a forced frame for each of 5,000 tokens", rounds: { ours: 2, peers: 2 }, measure: forcedStream },
  W1r: { title: "200 tokens a second at the library's own pace", rounds: { ours: 5, peers: 5 }, measure: pacedStream },
  W1m: { title: "the same as W1 in Markdown", rounds: { ours: 2, peers: 2 }, measure: markdownStream },
  W2: { title: "500 appends under a long transcript", rounds: { ours: 5, peers: 1 }, measure: longTranscript },
  W3: { title: "500 keys under 10,000 lines", rounds: { ours: 3, peers: 1, floor: 3 }, measure: typing },
  W4: { title: "50 resizes during a stream", rounds: { ours: 2, peers: 2 }, measure: resizing },
  W5: { title: "100 dialogs opened and closed over a stream", rounds: { ours: 2, peers: 2 }, measure: overlays },
};

async function firstFrame(renderer) {
  if (renderer.id === "bare") return { firstFrameMs: await bareFirstFrameMs(renderer.node) };
  return withSession(renderer, { limitMs: LIMIT_MS }, async ({ firstFrame }) => ({ firstFrameMs: await firstFrame }));
}

function forcedStream(renderer, env) {
  return withSession(renderer, { env: { ...FORCED, ...env }, limitMs: LIMIT_MS }, async (session) => {
    const { lines, usefulBytes } = streamOf(0, STREAM_TOKENS);
    await counting(session);
    const cost = await session.command("stream", { from: 0, count: STREAM_TOKENS, kind: "text" });
    return { ...perToken(cost, STREAM_TOKENS), ...(await seen(session, lines, usefulBytes)) };
  });
}

function markdownStream(renderer, env) {
  const variant = { ...FORCED, BENCH_VARIANT: "md", ...env };
  return withSession(renderer, { env: variant, limitMs: LIMIT_MS }, async (session) => {
    if (!session.meta?.markdown) throw new Error("no Markdown");
    const { lines, usefulBytes } = markdownStreamOf(0, STREAM_TOKENS);
    await counting(session);
    const cost = await session.command("stream", { from: 0, count: STREAM_TOKENS, kind: "markdown" });
    const { blanks, ...others } = await seen(session, lines, usefulBytes);
    return { ...perToken(cost, STREAM_TOKENS), ...others };
  });
}

function pacedStream(renderer, env) {
  return withSession(renderer, { env, limitMs: LIMIT_MS }, async (session) => {
    const { lines, usefulBytes } = streamOf(0, PACED_TOKENS);
    await counting(session);
    const cost = await session.command("streamPaced", { from: 0, count: PACED_TOKENS, gapMs: PACED_GAP_MS });
    return { ...cost, ...(await seen(session, lines, usefulBytes)) };
  });
}

async function longTranscript(renderer, env) {
  const result = {};
  for (const count of [1_000, 10_000, 100_000]) {
    const { perToken, rssMb, faults } = await appendsUnder(renderer, env, count);
    result[`perAppend${count}`] = perToken;
    result.rssMb = rssMb;
    result.faults = (result.faults ?? 0) + faults;
  }
  return result;
}

function appendsUnder(renderer, env, count) {
  return withSession(renderer, { env: { ...FORCED, ...env }, limitMs: LONG_LIMIT_MS }, async (session) => {
    const { lines, usefulBytes } = streamOf(count, APPENDS);
    await session.command("prefill", { count });
    await counting(session);
    const cost = await session.command("stream", { from: count, count: APPENDS, kind: "text" });
    return { ...perToken(cost, APPENDS), ...(await seen(session, [...linesOf(0, count), ...lines], usefulBytes)) };
  });
}

function typing(renderer, env) {
  return withSession(renderer, { env, limitMs: LIMIT_MS }, async (session) => {
    const lines = linesOf(0, 10_000);
    await session.command("prefill", { count: lines.length });
    await counting(session);
    await session.command("markCpu");
    const latenciesMs = await typeKeys(session.terminal);
    const cost = await session.command("readCpu");
    const { bytes, faults } = await seen(session, lines, KEYS);
    const sorted = latenciesMs.sort((a, b) => a - b);
    const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
    return { ...cost, p50Ms: at(0.5), p99Ms: at(0.99), bytesPerKey: bytes / KEYS, faults };
  });
}

// Forty letters are typed and taken away again, over and over; each key is waited for on the screen.
async function typeKeys(terminal) {
  const dice = seededDice(99);
  const latenciesMs = [];
  let typed = "";
  let isGrowing = true;
  for (let i = 0; i < KEYS; i += 1) {
    if (typed.length === 0 || typed.length === 40) isGrowing = typed.length === 0;
    // Without q and y nothing on the screen can be taken for what was typed.
    const letter = i === 0 ? "q" : "bcdfghjkmnprtvwxz"[Math.floor(dice() * 17)];
    typed = isGrowing ? typed + letter : typed.slice(0, -1);
    const expected = typed;
    const startedAtMs = performance.now();
    terminal.type(isGrowing ? letter : "\x7f");
    const shownAtMs = await terminal.waitUntil(
      (rows) => rows.some((row) => editorText(row) === expected),
      KEY_LIMIT_MS,
    );
    if (shownAtMs === undefined) throw new Error(`did not show key ${i + 1} within ${KEY_LIMIT_MS} ms`);
    latenciesMs.push(shownAtMs - startedAtMs);
    await pause(KEY_GAP_MS);
  }
  return latenciesMs;
}

function editorText(row) {
  return row.replace(/^[>│┃❯\s]+/, "").replace(/[│┃\s]+$/, "");
}

function resizing(renderer, env) {
  return withSession(renderer, { env, limitMs: LIMIT_MS }, async (session) => {
    const settled = linesOf(0, 300);
    const { lines, usefulBytes } = streamOf(settled.length, PACED_TOKENS);
    await session.command("prefill", { count: settled.length });
    await counting(session);
    const parameters = { from: settled.length, count: PACED_TOKENS, gapMs: RESIZED_GAP_MS };
    const [cost] = await Promise.all([session.command("streamPaced", parameters), resizeOften(session.terminal)]);
    for (let i = 0; i < 2; i += 1) {
      await session.command("flush");
      await session.terminal.waitForQuiet(2 * QUIET_MS);
    }
    return { ...cost, ...(await seen(session, [...settled, ...lines], usefulBytes)) };
  });
}

async function resizeOften(terminal) {
  const dice = seededDice(4);
  for (let i = 0; i < RESIZES; i += 1) {
    terminal.resize(60 + Math.floor(dice() * 81), 15 + Math.floor(dice() * 36));
    await pause(RESIZE_GAP_MS);
  }
  terminal.restoreSize();
}

function overlays(renderer, env) {
  if (renderer.id === "plain") throw new Error("no dialogs");
  return withSession(renderer, { env: { ...FORCED, ...env }, limitMs: LIMIT_MS }, async (session) => {
    const from = 200;
    const added = linesOf(from, OVERLAY_LINES);
    await session.command("prefill", { count: from });
    await counting(session);
    const cost = await session.command("overlays", { from, count: OVERLAY_LINES, cycles: OVERLAY_CYCLES });
    const usefulBytes = Buffer.byteLength(added.join("\n"));
    return { ...cost, ...(await seen(session, [...linesOf(0, from), ...added], usefulBytes)) };
  });
}

async function counting({ terminal }) {
  await terminal.waitForQuiet(QUIET_MS);
  terminal.startCounting();
}

/** What the terminal shows and was sent since counting began. */
async function seen({ terminal, caps }, lines, usefulBytes) {
  await terminal.waitForQuiet(QUIET_MS);
  const found = judge(terminal.allRows(), lines, caps.chrome);
  const { lost, doubled, mangled, misordered, ghosts, shellLost } = found;
  return {
    ...found,
    // Blank rows are counted apart: between the paragraphs of Markdown they are no fault.
    faults: lost + doubled + mangled + misordered + ghosts + shellLost,
    ...terminal.damage.read(),
    bytes: terminal.bytes,
    bytesPerUseful: terminal.bytes / usefulBytes,
  };
}

function perToken(cost, count) {
  return { ...cost, perToken: cost.cpuMs / count };
}

function pause(durationMs) {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
