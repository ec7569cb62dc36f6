// `npm run hub-chaos -- --seed N [--agents 1000] [--machines 20] [--people 3] [--servers 1] [--kills 20]
// [--per-second 100] [--power-cuts 0] [--sync always]`: a team at a real hub, with kills of brokers, daemons, agents and views, and cuts of
// the network; then every log is checked. Prints what it measured; exits with 1 for a finding. With --power-cuts, as root, the power of
// all brokers and machines fails so many times, and what was not synced is lost; --sync never shows what the checker finds then.
import "./script-help.mjs";
import { parseArgs } from "node:util";
import { tool } from "./tool.mjs";

const number = (fallback) => ({ type: "string", default: String(fallback) });
const { values } = parseArgs({
  options: {
    seed: number(Date.now() % 1_000_000),
    agents: number(1_000),
    machines: number(20),
    people: number(3),
    servers: number(1),
    kills: number(20),
    "per-second": number(100),
    seconds: number(300),
    "power-cuts": number(0),
    sync: { type: "string", default: "always" },
  },
});
const { sync, ...given } = values;
const {
  seconds,
  "per-second": perSecond,
  "power-cuts": powerCuts,
  ...counts
} = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, Number(text)]));
const chaos = await tool("test/rigs/hub-chaos/chaos.ts", { build: false });
const report = await chaos
  .runChaos({ ...counts, perSecond, powerCuts, sync, limitMs: seconds * 1_000 })
  .catch((error) => ({ findings: [error.message], counts: {} }));
if (report === null) console.log("skipped: no nats-server can be had");
else {
  console.log(`seed ${counts.seed}: ${JSON.stringify(report.counts)}`);
  for (const finding of report.findings.slice(0, 50)) console.log(`✕ ${finding}`);
  console.log(
    report.findings.length === 0
      ? "every question ended once, with the first answer in the log"
      : `${report.findings.length} findings`,
  );
  process.exitCode = report.findings.length === 0 ? 0 : 1;
}
process.exit();
