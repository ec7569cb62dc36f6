// `npm run bench [-- NAME…]`: runs the benchmarks, each of which prints ratios against a floor or a peer measured in the
// same run. The exit code says whether every goal was met; the machine's speed does not matter to it.
import { setup } from "../scripts/setup.mjs";

const benchmarks = {
  start: () => import("./start-up.mjs"),
  decode: () => import("./decode.mjs"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(", ")}; there are ${Object.keys(benchmarks).join(", ")}`);
  process.exitCode = 2;
} else {
  await setup();
  const results = [];
  for (const name of wanted.length > 0 ? wanted : Object.keys(benchmarks)) results.push(...(await runOne(name)));
  process.exitCode = results.every(({ met }) => met) ? 0 : 1;
}

async function runOne(name) {
  const { title, run } = await benchmarks[name]();
  console.log(`\n${title}`);
  const results = await run();
  for (const { what, value, goal, met } of results) {
    console.log(`  ${met ? "✓" : "✕"} ${what.padEnd(52)} ${value.padStart(12)}   goal ${goal}`);
  }
  return results;
}
