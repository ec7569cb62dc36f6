// `node scripts/replay-traces.mjs FOLDER [--fuzz N] [--seed S]`: plays every recorded conversation of a folder to the machine that
// speaks its protocol and prints what came out: the blocks, the questions, and whatever is wrong. With `--fuzz` each is also
// played N times with frames lost, doubled, swapped, cut off and damaged. Exit code 1 when there is a problem.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, setup } from "./setup.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fuzz: { type: "string", default: "0" }, seed: { type: "string", default: "1" } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error("usage: node scripts/replay-traces.mjs FOLDER [--fuzz N] [--seed S]");
  process.exit(2);
}

await setup({ build: false });
const { build } = await import("esbuild");
const outfile = join(root, ".cache", "replay-traces", "replay-traces.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["src/testing/trace-replay/replay-folder.ts"],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
});

const { replayFolder } = await import(outfile);
const traces = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const problems = replayFolder(traces, {
  fuzz: { rounds: Number(values.fuzz), seed: Number(values.seed) },
  print: (line) => console.log(line),
});
process.exitCode = problems === 0 ? 0 : 1;
