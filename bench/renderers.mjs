// Our inline screen beside its peers, in one run: each renderer shows the same text in a real pty, and a terminal
// emulator reads every byte of it. The table has a column for each, how we compare, and the goals.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/setup.mjs";
import { castOf, PEER_IDS } from "./renderers/cast.mjs";
import { judgeGoals } from "./renderers/goals.mjs";
import { measureInTurns } from "./renderers/rounds.mjs";
import { tableOf } from "./renderers/table.mjs";
import { WORKLOADS } from "./renderers/workloads.mjs";

export const title = "Renderers side by side (some minutes)";

const folder = join(root, ".cache", "bench", "renderers");

/**
 * `only` and `peers` are lists joined by commas; with `profile` our hot functions are named for each workload; with
 * "same-node" ours runs on the newer Node that the peers need.
 */
export async function run(options = {}) {
  const { results, renderers, absent, nodes } = await measure(options);
  writeFileSync(join(folder, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
  const rows = judgeGoals(results);
  const titles = Object.fromEntries(Object.entries(WORKLOADS).map(([id, { title }]) => [id, title]));
  console.log(`\n${tableOf(rows, renderers, titles)}\n`);
  console.log(`  ${nodes}`);
  printNotes(results, renderers, absent);
  return rows.filter(({ verdict }) => verdict !== "none").map(asResult);
}

/** What each renderer did in each workload. */
export async function measure({ only, peers, profile, "same-node": sameNode } = {}) {
  const workloads = chosen("workload", only, Object.keys(WORKLOADS));
  const { renderers, absent, nodes } = await castOf(chosen("peer", peers, PEER_IDS), {
    ourNode: sameNode ? "newer" : "at hand",
  });
  mkdirSync(folder, { recursive: true });
  const profileOf = (id, { id: who }) =>
    profile && who === "palaver" ? { BENCH_PROFILE: join(folder, `${id}.cpuprofile`) } : {};
  const results = {};
  for (const id of workloads) {
    results[id] = await measureInTurns(id, renderers, { onMeasure: progress, env: profileOf });
  }
  endProgress();
  return { results, renderers, absent, nodes };
}

/** The table has said everything, so only the count is left. */
export function print(results) {
  const met = results.filter(({ verdict }) => verdict === "met").length;
  const open = results.filter(({ verdict }) => verdict === "open").length;
  const left = open > 0 ? `, ${open} without anything to compare with` : "";
  console.log(`  ${met} of ${results.length} goals met${left}`);
}

// A goal that only lacks something to compare with was asked for without it; it does not fail the run.
function asResult({ workload, what, cells, goal, verdict }) {
  return { what: `${workload} ${what}`, value: cells.palaver, goal, met: verdict !== "missed", verdict };
}

function printNotes(results, renderers, absent) {
  for (const { name, absence } of absent) console.log(`  ${name} not measured: ${absence}`);
  for (const [workload, figures] of Object.entries(results)) {
    for (const [absence, names] of absences(figures, renderers)) {
      console.log(`  ${names.join(", ")} not measured in ${workload}: ${absence}`);
    }
    const { hot } = figures.palaver;
    if (hot !== undefined)
      console.log(`  ${workload} under the profiler, our share of time:\n    ${hot.join("\n    ")}`);
  }
}

function absences(figures, renderers) {
  const byReason = new Map();
  for (const { id, name } of renderers) {
    const { absence } = figures[id];
    if (absence !== undefined) byReason.set(absence, [...(byReason.get(absence) ?? []), name]);
  }
  return byReason;
}

function chosen(kind, list, known) {
  const names = list?.split(",") ?? known;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no ${kind} ${unknown.join(", ")}; there are ${known.join(", ")}`);
  return known.filter((name) => names.includes(name));
}

function progress(workload, { name }, round) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${workload} ${name}, round ${round + 1} …`);
  else if (round === 0) process.stderr.write(`${workload} ${name} …\n`);
}

function endProgress() {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
}
