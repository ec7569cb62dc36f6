// How much `palaver --version` costs beyond starting Node at all: medians of runs that take turns, so that a busy
// machine slows both alike.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../scripts/setup.mjs";

const RUNS = 25;
const EXTRA_MS_MAX = 25;

export const title = "Start-up";

export async function run() {
  const cli = join(root, "dist", "cli.js");
  const times = { bare: [], version: [], help: [] };
  for (let i = 0; i < RUNS; i += 1) {
    times.bare.push(timeOf(["-e", "0"]));
    times.version.push(timeOf([cli, "--version"]));
    times.help.push(timeOf([cli, "--help"]));
  }
  const bare = median(times.bare);
  return ["version", "help"].map((name) => {
    const extra = median(times[name]) - bare;
    return {
      what: `palaver --${name} beyond node -e 0 (${bare.toFixed(0)} ms)`,
      value: `+${extra.toFixed(1)} ms`,
      goal: `≤ ${EXTRA_MS_MAX} ms`,
      met: extra <= EXTRA_MS_MAX,
    };
  });
}

function timeOf(args) {
  const startedAt = process.hrtime.bigint();
  spawnSync(process.execPath, args, { stdio: "ignore" });
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
