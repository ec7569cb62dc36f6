// `npm run simulate -- --seed N --ticks M [--profile NAME] [--script FILE]`: plays random sessions against the emulator and
// checks them after every tick. A failure prints what was expected and seen, and a small script that shows it again.
import "./script-help.mjs";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./setup.mjs";
import { tool } from "./tool.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    ticks: { type: "string", default: "10000" },
    profile: { type: "string" },
    script: { type: "string" },
  },
});
const simulator = await tool("test/rigs/simulator/simulation.ts", { build: false });
const ended = values.script === undefined ? explore() : replay(values.script);
process.exitCode = ended === "passed" ? 0 : 1;

function explore() {
  const seed = Number(values.seed);
  const ticks = Number(values.ticks);
  const profile = values.profile === undefined ? undefined : simulator.profileName(values.profile);
  if (!Number.isSafeInteger(seed) || !(ticks > 0)) return usage("--seed and --ticks are whole numbers");
  if (values.profile !== undefined && profile === undefined) return usage(`no such profile: ${values.profile}`);
  const startedMs = performance.now();
  const report = simulator.simulate({ seed, ticks, profile, onProgress });
  const seconds = (performance.now() - startedMs) / 1000;
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const rate = `${report.ticks} ticks in ${report.sessions} sessions, ${Math.round(report.ticks / seconds)} ticks/s`;
  const excused = report.excused === 0 ? "" : `, ${report.excused} sessions cut short by damage of the terminal's own`;
  if (report.failure === undefined) {
    console.log(`seed ${seed}: passed, ${rate}${excused}`);
    return "passed";
  }
  tellFailure(seed, report.failure);
  return "failed";
}

function tellFailure(seed, failure) {
  console.log(
    `seed ${seed}, session ${failure.sessionSeed}, ${failure.script.actions.length} actions, ${failure.script.session.profile}`,
  );
  console.log(simulator.failureText(failure));
  console.log("shrinking …");
  const script = simulator.scriptText(simulator.shrunk(failure));
  const file = join(root, ".cache", `simulator-seed-${seed}.jsonl`);
  writeFileSync(file, script);
  console.log(`\n${simulator.replay(script).text}\n\n${script}\nreplay it with --script ${file}`);
}

function replay(file) {
  const { result, text } = simulator.replay(readFileSync(file, "utf8"));
  console.log(result === "excused" ? `${text}\n(plain printing is damaged there, too)` : text);
  return result === "failed" ? "failed" : "passed";
}

function onProgress(ticks) {
  if (process.stderr.isTTY) process.stderr.write(`\r${ticks} ticks `);
}

function usage(problem) {
  console.error(
    `${problem}\nusage: npm run simulate -- --seed N --ticks M [--profile generic|xterm.js|kitty|tmux] [--script FILE]`,
  );
  return "failed";
}
