// `npm run hub-chaos -- --seed N [--agents 1000] [--machines 20] [--people 3] [--servers 1] [--kills 20]
// [--per-second 100]`: a team at a real hub, with
// kills of brokers, daemons, agents and views, and cuts of the network; then every log is checked. Prints what it measured; exits with 1 for a finding.
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
  },
});
const {
  seconds,
  "per-second": perSecond,
  ...counts
} = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
const chaos = await tool("test/rigs/hub-chaos/chaos.ts", { build: false });
const report = await chaos.runChaos({ ...counts, perSecond, limitMs: seconds * 1_000 });
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
