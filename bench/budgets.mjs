// `npm run budgets [-- --write]`: what Palaver may cost, measured here and now beside its peers where they can be run. One line
// a budget; exit code 1 when one is exceeded. With --write the table goes into docs/performance.md, with the machine.
import "../scripts/script-help.mjs";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { root, setup } from "../scripts/setup.mjs";

const page = join(root, "docs", "performance.md");
const MARKS = { begin: "<!-- budgets -->", end: "<!-- /budgets -->" };
const PEERS = { pi: "pi-tui", ink: "ink", opentui: "OpenTUI" };

await setup();
const rows = [
  ...(await ofTheUi()),
  ...(await of("whole product", "./whole-product.mjs")),
  ...(await ofTheScreen()),
  ...(await of("page", "./page.mjs")),
  ofThePackage(),
];
const table = markdown(rows);
console.log(table);
if (process.argv.includes("--write")) writePage(table);
process.exitCode = rows.every(({ met }) => met) ? 0 : 1;

async function ofTheUi() {
  const { restAndTyping, startUp, streamed } = await import("./agent-ui.mjs");
  const { withFront } = await import("./agent-ui/front.mjs");
  const stream = await withFront(streamed);
  const rest = await withFront(restAndTyping);
  const { askShown } = await import("./start-up.mjs");
  const start = await startUp();
  const asked = await askShown();
  const beyond = start.usable - start.bare;
  return [
    row("start to a usable prompt, beyond bare node", `${beyond.toFixed(0)} ms`, "≤ 85 ms", beyond <= 85),
    row(asked.what, asked.value, asked.goal, asked.met),
    row("bytes per useful byte, 300 paragraphs in the UI", stream.ratio.toFixed(2), "≤ 4", stream.ratio <= 4),
    row("CPU of the UI for them", `${stream.cpu.toFixed(2)} s`, "≤ 1.5 s", stream.cpu <= 1.5),
    row("memory after them", `${stream.rss.toFixed(0)} MB`, "≤ 90 MB", stream.rss <= 90),
    row("key to its echo, p50", `${rest.p50.toFixed(1)} ms`, "≤ 4 ms", rest.p50 <= 4),
    row("key to its echo, p99", `${rest.p99.toFixed(1)} ms`, "≤ 12 ms", rest.p99 <= 12),
    row("bytes written at rest", String(rest.idleBytes), "0", rest.idleBytes === 0),
  ];
}

/** The rows of a benchmark that have a goal. */
async function of(name, file) {
  const { run } = await import(file);
  const judged = (await run()).filter(({ goal }) => goal !== "told");
  return judged.map(({ what, value, goal, met }) => row(`${name}: ${what.replace(/ \[.*\]/, "")}`, value, goal, met));
}

async function ofTheScreen() {
  const { measure } = await import("./renderers.mjs");
  const { judgeGoals } = await import("./renderers/goals.mjs");
  const { results } = await measure({ only: "start,W1r,W3" });
  return judgeGoals(results)
    .filter(({ verdict }) => verdict !== "none")
    .map(({ workload, what, cells, goal, verdict }) =>
      row(`screen alone, ${workload}: ${what}`, cells.palaver, goal, verdict !== "missed", peersIn(cells)),
    );
}

function peersIn(cells) {
  return Object.entries(PEERS)
    .filter(([id]) => cells[id] !== undefined && cells[id] !== "–")
    .map(([id, name]) => `${name} ${cells[id]}`)
    .join(", ");
}

function ofThePackage() {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  });
  const [{ size }] = JSON.parse(stdout);
  const megabytes = size / 1e6;
  return row("package, as it is downloaded", `${megabytes.toFixed(2)} MB`, "≤ 2 MB", megabytes <= 2);
}

function row(what, value, budget, met, peers = "") {
  return { what, value, budget, met, peers };
}

function markdown(list) {
  const lines = list.map(
    ({ what, value, budget, met, peers }) => `| ${met ? "✓" : "✕"} | ${what} | ${value} | ${budget} | ${peers} |`,
  );
  return ["| | what | here | budget | peers in the same run |", "|---|---|---|---|---|", ...lines].join("\n");
}

function writePage(list) {
  const text = readFileSync(page, "utf8");
  const [before, rest] = text.split(MARKS.begin);
  const [, after] = rest.split(MARKS.end);
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu.model}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Linux ${release()}, Node ${process.version}`;
  writeFileSync(page, `${before}${MARKS.begin}\n${list}\n\nMachine: ${machine}.\n${MARKS.end}${after}`);
  console.log("docs/performance.md is written");
}
