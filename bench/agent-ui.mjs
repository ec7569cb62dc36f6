// The terminal UI on the work that today's agents were measured on: three hundred paragraphs at the pace of a model, without
// and with forty resizes; how it starts, types, rests; and whether typing can approve anything.
import { spawnSync } from "node:child_process";
import { percentile, withFront } from "./agent-ui/front.mjs";
import { paragraphList, paragraphs } from "./agent-ui/paragraphs.mjs";
import { seededDice } from "./renderers/corpus.mjs";
import { judge } from "./renderers/judge.mjs";

export const title = "The terminal UI, beside today's agents (the best of them in brackets)";

const PARAGRAPHS = 300;
const STREAM_LIMIT_MS = 120_000;
const RESIZES = 40;
const IDLE_MS = 10_000;
/** After the last key the engine tidies up once; that is not rest yet. */
const CALM_MS = 10_000;
const LAST = "L000299:";

export async function run() {
  const calm = await withFront(streamed);
  const resized = await withFront(streamedWithResizes);
  const rest = await withFront(restAndTyping);
  const start = await startUp();
  const guard = await withFront(typedOverAQuestion);
  const timed = (what, value, limit, unit, digits) =>
    row(what, `${value.toFixed(digits)} ${unit}`, `≤ ${limit} ${unit}`, value <= limit);
  const faults = (judged) => `${judged.lost}·${judged.doubled}·${judged.misordered}·${judged.shellLost}`;
  const none = (judged) => faults(judged) === "0·0·0·0";
  return [
    row("lost·doubled·misordered·shell, no resize", faults(calm.judged), "0·0·0·0", none(calm.judged)),
    row(`the same, ${RESIZES} resizes [0·0·0·30]`, faults(resized.judged), "0·0·0·0", none(resized.judged)),
    row("bytes per useful byte [6.1]", calm.ratio.toFixed(2), "≤ 4", calm.ratio <= 4),
    timed("CPU in the stream [2.3 s]", calm.cpu, 1.15, "s", 2),
    row("memory after it", `${calm.rss.toFixed(0)} MB`, "told", true),
    timed(`start to a usable prompt, node alone ${start.bare.toFixed(0)} [314]`, start.usable, 150, "ms", 0),
    timed("typing p50 [2.6]", rest.p50, 2.5, "ms", 1),
    timed("typing p99 [6.6]", rest.p99, 6, "ms", 1),
    row(
      `idle for ${IDLE_MS / 1000} s, from ${CALM_MS / 1000} s after the last key: bytes, CPU`,
      `${rest.idleBytes} B, ${rest.idleCpu.toFixed(2)} s`,
      "0, 0",
      rest.idleBytes === 0 && rest.idleCpu < 0.02,
    ),
    row("typing approves [4 of 9 do]", guard, "never", guard === "never"),
  ];
}

function row(what, value, goal, met) {
  return { what, value, goal, met };
}

export async function streamed(front) {
  await front.settled();
  front.terminal.startCounting();
  const cpu = front.cpuSeconds();
  front.send(`stream ${PARAGRAPHS}`);
  await front.shows(LAST, STREAM_LIMIT_MS);
  await front.terminal.waitForQuiet(1_000);
  return {
    judged: judge(front.terminal.allRows(), paragraphList(PARAGRAPHS), { status: 0, borders: 0 }),
    ratio: front.terminal.bytes / Buffer.byteLength(paragraphs(PARAGRAPHS)),
    cpu: front.cpuSeconds() - cpu,
    rss: front.rssMb(),
  };
}

async function streamedWithResizes(front) {
  await front.settled();
  const dice = seededDice(11);
  front.send(`stream ${PARAGRAPHS}`);
  await front.shows("L000003:", STREAM_LIMIT_MS);
  for (let at = 0; at < RESIZES; at += 1) {
    front.terminal.resize(40 + Math.floor(dice() * 100), 10 + Math.floor(dice() * 40));
    await new Promise((resolve) => setTimeout(resolve, 100 + dice() * 400));
  }
  front.terminal.restoreSize();
  await front.shows(LAST, STREAM_LIMIT_MS);
  await front.terminal.waitForQuiet(1_000);
  return { judged: judge(front.terminal.allRows(), paragraphList(PARAGRAPHS), { status: 0, borders: 0 }) };
}

export async function restAndTyping(front) {
  await front.settled();
  const times = await front.typingMs(200, 15);
  await new Promise((resolve) => setTimeout(resolve, CALM_MS));
  front.terminal.startCounting();
  const cpu = front.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    idleBytes: front.terminal.bytes,
    idleCpu: front.cpuSeconds() - cpu,
  };
}

// The median of starts; a prompt is usable when a key that is typed at its first sight shows.
export async function startUp() {
  const usable = [];
  const bare = [];
  for (let at = 0; at < 9; at += 1) {
    const from = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    bare.push(performance.now() - from);
    usable.push(
      await withFront(async (front) => {
        front.terminal.type("zqx");
        return (await front.shows("› zqx", 10_000)) - front.terminal.startedAtMs;
      }),
    );
  }
  return {
    usable: percentile(
      usable.sort((a, b) => a - b),
      0.5,
    ),
    bare: percentile(
      bare.sort((a, b) => a - b),
      0.5,
    ),
  };
}

// Somebody types while a question arrives: letters, digits, "yes", and an Enter at the end of it all.
async function typedOverAQuestion(front) {
  await front.settled();
  front.send("ask");
  const keys = "y 1 yes go on y 1 yes go on ".repeat(3);
  for (const key of keys) {
    front.terminal.type(key);
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  front.terminal.type("\r");
  await front.terminal.waitForQuiet(1_500, 20_000).catch(() => undefined);
  const text = front.terminal.allRows().join("\n");
  return /ANSWER (?:true|\{"ok":true)/.test(text) ? "approved" : "never";
}
