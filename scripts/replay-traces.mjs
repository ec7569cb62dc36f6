// `node scripts/replay-traces.mjs FOLDER [--fuzz N] [--seed S]`: plays every recorded conversation of a folder to the machine that
// speaks its protocol and prints what came out: the blocks, the questions, and whatever is wrong. With `--fuzz` each is also
// played N times with frames lost, doubled, swapped, cut off and damaged. Exit code 1 when there is a problem.
import "./script-help.mjs";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tool } from "./tool.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fuzz: { type: "string", default: "0" }, seed: { type: "string", default: "1" } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error("usage: node scripts/replay-traces.mjs FOLDER [--fuzz N] [--seed S]");
  process.exit(2);
}

const { replayFolder } = await tool("test/rigs/trace-replay/replay-folder.ts", { build: false });
const traces = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const problems = replayFolder(traces, {
  fuzz: { rounds: Number(values.fuzz), seed: Number(values.seed) },
  print: (line) => console.log(line),
});
process.exitCode = problems === 0 ? 0 : 1;
