// Agents with bad manners: one that floods, stalls, sends thirty megabytes at once, asks a thousand questions, or sends escape
// sequences everywhere. The user goes on typing meanwhile; what is measured is how long a key takes to show.
import { percentile, withFront } from "./agent-ui/front.mjs";

export const title = "The terminal UI with agents that misbehave: typing meanwhile";

const TYPING_MS_MAX = 50;
const KEYS = 200;
const GAP_MS = 25;
const LIMIT_MS = 120_000;

const manners = [
  { name: "flood", prompt: "flood 300", end: "bash", words: "floods: 300 MB of tool output" },
  { name: "stall", prompt: "stall", end: "the stall is over", words: "stalls in the middle of a frame" },
  { name: "huge", prompt: "huge 30", end: "the huge one is over", words: "sends a message of 30 MB" },
  { name: "questions", prompt: "questions 1000", end: "the questions are over", words: "asks 1,000 questions at once" },
  { name: "escapes", prompt: "escapes", end: "the escapes are over", words: "sends escape sequences everywhere" },
];

export async function run() {
  const rows = [];
  for (const manner of manners) rows.push(await withFront((front) => measured(front, manner)));
  return rows;
}

async function measured(front, { prompt, end, words }) {
  await front.settled();
  front.send(prompt);
  const times = await front.typingMs(KEYS, GAP_MS);
  const p99 = percentile(times, 0.99);
  await front.shows(end, LIMIT_MS);
  return {
    what: words,
    value: `p99 ${p99.toFixed(0)} ms`,
    goal: `≤ ${TYPING_MS_MAX} ms, and its end shows`,
    met: p99 <= TYPING_MS_MAX,
  };
}
