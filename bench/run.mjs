// `npm run bench [-- NAME… [--only W1,W4] [--peers plain,pi] [--profile] [--same-node]]`: runs the benchmarks, each of
// which prints ratios against a floor or a peer measured in the same run. The exit code says whether every goal was met; the
// machine's speed does not matter to it.
import "../scripts/script-help.mjs";
import { parseArgs } from "node:util";
import { setup } from "../scripts/setup.mjs";

const benchmarks = {
  start: () => import("./start-up.mjs"),
  decode: () => import("./decode.mjs"),
  daemon: () => import("./daemon.mjs"),
  sessions: () => import("./daemon-sessions.mjs"),
  ui: () => import("./agent-ui.mjs"),
  whole: () => import("./whole-product.mjs"),
  page: () => import("./page.mjs"),
  soak: () => import("./soak.mjs"),
  manners: () => import("./bad-agents.mjs"),
  load: () => import("./load.mjs"),
  day: () => import("./whole-day.mjs"),
  // Last, because it takes minutes.
  renderers: () => import("./renderers.mjs"),
};

try {
  process.exitCode = await runAll();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}

async function runAll() {
  const { positionals: wanted, values: options } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string" },
      peers: { type: "string" },
      profile: { type: "boolean" },
      "same-node": { type: "boolean" },
    },
  });
  const unknown = wanted.filter((name) => !(name in benchmarks));
  if (unknown.length > 0) {
    throw new Error(`no benchmark ${unknown.join(", ")}; there are ${Object.keys(benchmarks).join(", ")}`);
  }
  await setup();
  const results = [];
  for (const name of wanted.length > 0 ? wanted : Object.keys(benchmarks))
    results.push(...(await runOne(name, options)));
  return results.every(({ met }) => met) ? 0 : 1;
}

async function runOne(name, options) {
  const { title, run, print = printList } = await benchmarks[name]();
  console.log(`\n${title}`);
  const results = await run(options);
  print(results);
  return results;
}

function printList(results) {
  for (const { what, value, goal, met } of results) {
    console.log(`  ${met ? "✓" : "✕"} ${what.padEnd(52)} ${value.padStart(12)}   goal ${goal}`);
  }
}
