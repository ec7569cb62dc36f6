// What a million lines, five hundred sessions and ten thousand questions cost: time and memory of the last part beside those of
// an early one, in one terminal UI each. Flat is 1; what grows with the session is seen here before a person feels it.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withFront } from "./agent-ui/front.mjs";
import { loadSource } from "./load-source.mjs";

export const title = "Load: a million lines, 500 sessions, 10,000 questions, a day, a minute of rest";

const LIMIT_MS = 900_000;
const IDLE_MS = 60_000;
/** Before a rest is measured the engine may tidy up after the start. */
const CALM_MS = 10_000;
const SLOPE_MAX = 1.3;
const HOURS = 24;
const KB_PER_HOUR_MAX = 400;

const loads = [
  { word: "LINES", prompt: "lines", name: "lines", part: 100_000, all: 1_000_000, bytesMax: 60 },
  { word: "SESSIONS", prompt: "sessions", name: "sessions", part: 100, all: 500, bytesMax: 200_000 },
  { word: "ASKS", prompt: "asks", name: "questions", part: 2_000, all: 10_000, bytesMax: 4_000 },
];

export async function run() {
  const rows = [];
  for (const load of loads) rows.push(...(await withFront((front) => underLoad(front, load))));
  rows.push(...(await dayOfStreaming()));
  rows.push(await withFront(atRest));
  return rows;
}

// The second part is the early one: in the first the engine still compiles.
async function underLoad(front, { word, prompt, name, part, all, bytesMax }) {
  await front.settled();
  front.send(`${prompt} ${all}`);
  const start = await at(front, `${word} ${part}`);
  const early = await at(front, `${word} ${2 * part}`);
  const late = await at(front, `${word} ${all - part}`);
  const end = await at(front, `${word} ${all}`);
  const slope = (end.cpu - late.cpu) / (early.cpu - start.cpu);
  const bytes = ((end.rss - early.rss) * 1024 * 1024) / (all - 2 * part);
  return [
    {
      what: `CPU of the last ${part.toLocaleString("en")} of ${all.toLocaleString("en")} ${name} ÷ of the second`,
      value: slope.toFixed(2),
      goal: `≤ ${SLOPE_MAX}`,
      met: slope <= SLOPE_MAX,
    },
    {
      what: `memory per one of them (${early.rss.toFixed(0)} → ${end.rss.toFixed(0)} MB)`,
      value: `${bytes.toFixed(0)} B`,
      goal: `≤ ${bytesMax} B`,
      met: bytes <= bytesMax,
    },
  ];
}

// The app itself, with a clock that is moved: an hour takes seconds. The memory is what is left after a collection.
async function dayOfStreaming() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const { StreamingDay } = await loadSource("test/rigs/load/streaming-day.ts");
  const day = new StreamingDay();
  const hours = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    const before = process.cpuUsage();
    day.minutes(60);
    const { user, system } = process.cpuUsage(before);
    collect();
    hours.push({ cpuMs: (user + system) / 1000, heap: process.memoryUsage().heapUsed });
  }
  const [, early, , , , , settled] = hours;
  const last = hours.at(-1);
  const slope = last.cpuMs / early.cpuMs;
  const perHour = (last.heap - settled.heap) / (HOURS - 7) / 1024;
  return [
    {
      what: `CPU of the last of ${HOURS} hours of streaming ÷ of the second`,
      value: slope.toFixed(2),
      goal: `≤ ${SLOPE_MAX}`,
      met: slope <= SLOPE_MAX,
    },
    {
      what: `memory per hour of it (${mb(settled.heap)} → ${mb(last.heap)} MB)`,
      value: `${perHour.toFixed(0)} kB`,
      goal: `≤ ${KB_PER_HOUR_MAX} kB`,
      met: perHour <= KB_PER_HOUR_MAX,
    },
  ];
}

function mb(bytes) {
  return (bytes / 1024 / 1024).toFixed(0);
}

async function atRest(front) {
  await front.settled();
  await new Promise((resolve) => setTimeout(resolve, CALM_MS));
  front.terminal.startCounting();
  const cpu = front.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const used = front.cpuSeconds() - cpu;
  return {
    what: `at rest for ${IDLE_MS / 1000} s: bytes, CPU`,
    value: `${front.terminal.bytes} B, ${used.toFixed(2)} s`,
    goal: "0, 0",
    met: front.terminal.bytes === 0 && used < 0.02,
  };
}

async function at(front, mark) {
  await front.shows(mark, LIMIT_MS);
  return { cpu: front.cpuSeconds(), rss: front.rssMb() };
}
