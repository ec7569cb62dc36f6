// `npm run hub-load -- [--agents 1000] [--machines 20] [--processes 4] [--views 3] [--sessions 100] [--servers 1] [--minutes 60]
// [--speed 6] [--idle-seconds 60] [--filled 0]`: agents that ask once a minute and sessions that stream, at a real hub; the machines
// are in several processes, the views in one. Prints for each tenth of the run how soon views see a question, how late the processes
// were, and what a question costs in CPU and messages, which other programs change least; then what a question and an idle machine cost, and what follows
// for more agents. Exits with 1 if 99 % are not seen within 300 ms. With --filled the hub holds so many questions of an earlier time.
import "./script-help.mjs";
import { parseArgs } from "node:util";
import { bundled, tool } from "./tool.mjs";

const SEEN_P99_MS_MAX = 300;
const number = (fallback) => ({ type: "string", default: String(fallback) });
const { values } = parseArgs({
  options: {
    agents: number(1_000),
    machines: number(20),
    processes: number(4),
    views: number(3),
    sessions: number(100),
    servers: number(1),
    minutes: number(60),
    speed: number(6),
    "idle-seconds": number(60),
    filled: number(0),
  },
});
const { "idle-seconds": idleSeconds, ...counts } = Object.fromEntries(
  Object.entries(values).map(([name, text]) => [name, Number(text)]),
);
const rig = await tool("test/rigs/hub-chaos/load.ts", { build: false });
const partPath = await bundled("test/rigs/hub-chaos/load-part.ts", { build: false });
const measured = await rig.runLoad({ ...counts, idleSeconds, partPath, say: (words) => console.log(words) });
if (measured === null) console.log("skipped: no nats-server can be had");
else {
  console.log(JSON.stringify(measured));
  for (const agents of [10, 1_000, 100_000]) console.log(row(agents, measured));
  const isRight = measured.p99Ms <= SEEN_P99_MS_MAX && measured.answered === measured.questions;
  console.log(isRight ? "every question was answered, and 99 % were seen in time" : "✕ too slow, or not all answered");
  process.exitCode = isRight ? 0 : 1;
}
process.exit();

/** What so many agents need that each ask once a minute, at the measured cost of a question. */
function row(agents, { diskBytesPerQuestion, serverCpuMsPerQuestion }) {
  const perSecond = agents / 60;
  const gigabytesPerDay = (agents * 1_440 * diskBytesPerQuestion) / 1e9;
  const cores = (perSecond * serverCpuMsPerQuestion) / 1_000;
  return `${agents} agents: ${perSecond.toFixed(1)} questions a second, ${cores.toFixed(2)} cores, ${gigabytesPerDay.toFixed(2)} GB a day`;
}
