// `npm run page-chaos -- --seed N --schedules N`: the page in Chromium under seeded schedules of sleep, lost network, killed tabs, a
// daemon that is killed and started again, and answers from elsewhere. Afterwards the page must show what the host's log has: nothing
// lost, doubled or out of order, and no answer as delivered that the agent did not take.
import "./script-help.mjs";
import { parseArgs } from "node:util";
import { ChaosStage } from "./page-chaos/chaos-stage.mjs";
import { runSchedule } from "./page-chaos/schedule.mjs";
import { browserPath } from "./page-stage.mjs";
import { setup } from "./setup.mjs";

const BACK_MS_MAX = 2_000;
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    schedules: { type: "string", default: "1000" },
  },
});
const [seed, count] = [Number(values.seed), Number(values.schedules)];
if (browserPath() === null) throw new Error("the page runs in Chromium: apt-get install chromium");
await setup();
const totals = { faults: 0, steps: 0, events: 0, delivered: 0, backMs: [] };
const stage = await ChaosStage.start();
try {
  for (let number = 0; number < count; number++) await one(seed + number);
} finally {
  await stage.stop();
}
const back = totals.backMs.sort((a, b) => a - b);
const at = (part) => (back[Math.floor((back.length - 1) * part)] ?? 0).toFixed(0);
console.log(
  `${count} schedules from seed ${seed}, ${totals.steps} steps: ${totals.events} events compared, ${totals.delivered} answers shown as delivered, ${totals.faults} faults`,
);
console.log(
  `back after ${back.length} wakes: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms (at most ${BACK_MS_MAX})`,
);
if (totals.faults > 0 || (back.at(-1) ?? 0) > BACK_MS_MAX) process.exitCode = 1;

async function one(scheduleSeed) {
  const { faults, steps, events, delivered, backMs } = await runSchedule(stage, scheduleSeed);
  totals.faults += faults.length;
  totals.steps += steps.length;
  totals.events += events;
  totals.delivered += delivered;
  totals.backMs.push(...backMs);
  if (faults.length > 0) console.log(`seed ${scheduleSeed}: ${steps.join(", ")}\n  ${faults.join("\n  ")}`);
}
