// `npm run mutate -- [FILE …] [--percent 4] [--seed N] [--at-once 2]`: changes the code of the pure rooms, the gate and the policy
// here and there, and sees whether a test notices. Without files it takes a seeded sample of all of them. It prints each change
// that no test noticed, and the share of those that one did. Stryker comes from the npm registry, once, into .cache/mutation.
import "./script-help.mjs";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededDice } from "../bench/renderers/corpus.mjs";
import { root } from "./setup.mjs";

// Stryker reads tsconfig.json with the interface of TypeScript 5.
const PACKAGES = ["@stryker-mutator/core@9.6.1", "@stryker-mutator/vitest-runner@9.6.1", "typescript@5.9.3"];
const MUTATED = ["session", "contract", "agents/dialects", "agents/entered-ask.ts", "text", "builtin/permission"];
const TESTED = ["session", "contract", "agents", "text", "safety", "attack", "builtin/permission", "views/inline"];
// This one changes the working folder, which a worker thread cannot.
const LEFT_OUT = ["safety/secrets.test.ts"];
const BLOCK_LINES = 12;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    percent: { type: "string", default: "4" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    "at-once": { type: "string", default: "2" },
  },
});
const folder = join(root, ".cache", "mutation");
const [settings, report] = [join(folder, "stryker.json"), join(folder, "report.json")];
install();
console.log(files.length > 0 ? files.join(" ") : `${values.percent} % of the lines, seed ${values.seed}`);
process.exitCode = mutate(files.length > 0 ? files : sample(Number(values.percent) / 100, Number(values.seed)));

function install() {
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, "node_modules", "@stryker-mutator", "vitest-runner"))) return;
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // vitest is that of the project.
  const { status } = spawnSync("npm", ["install", "--legacy-peer-deps", ...PACKAGES], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("Stryker could not be installed");
}

/** Blocks of lines of the files, each with this chance. */
function sample(chance, seed) {
  const dice = seededDice(seed);
  return MUTATED.flatMap(filesOf).flatMap((path) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n").length;
    const starts = Array.from({ length: Math.ceil(lines / BLOCK_LINES) }, (_, at) => at * BLOCK_LINES + 1);
    return starts.filter(() => dice() < chance).map((from) => `${path}:${from}-${from + BLOCK_LINES - 1}`);
  });
}

function filesOf(place) {
  if (place.endsWith(".ts")) return [`src/${place}`];
  const names = readdirSync(join(root, "src", place), { recursive: true }).filter((name) => name.endsWith(".ts"));
  return names.sort().map((name) => `src/${place}/${name}`);
}

function mutate(places) {
  const vitest = join(folder, "vitest.config.mjs");
  const inTests = (pattern) => `test/${pattern}`;
  const tests = TESTED.map((name) => inTests(`${name}/**/*.test.ts`));
  writeFileSync(
    vitest,
    `export default ${JSON.stringify({
      define: { PALAVER_VERSION: '"0.0.0"' },
      test: {
        setupFiles: ["test/fixed-seed.ts"],
        include: tests,
        exclude: LEFT_OUT.map(inTests),
        isolate: false,
        testTimeout: 30_000,
      },
    })};\n`,
  );
  writeFileSync(
    settings,
    JSON.stringify({
      testRunner: "vitest",
      plugins: [join(folder, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js")],
      vitest: { configFile: vitest, related: false },
      mutate: places,
      coverageAnalysis: "perTest",
      concurrency: Number(values["at-once"]),
      reporters: ["json", "progress-append-only"],
      jsonReporter: { fileName: report },
      ignorePatterns: [".cache", "dist*", "docs", "site", "bench"],
      tempDirName: join(folder, "copies"),
      timeoutMS: 20_000,
    }),
  );
  rmSync(report, { force: true });
  const stryker = join(folder, "node_modules", ".bin", "stryker");
  const { status } = spawnSync(stryker, ["run", settings], { cwd: root, stdio: "inherit" });
  if (!existsSync(report)) return status || 1;
  console.log(summary(JSON.parse(readFileSync(report, "utf8"))));
  return 0;
}

function summary({ files: mutated }) {
  const counts = { noticed: 0, survived: 0, untested: 0 };
  const survivors = [];
  for (const [path, { mutants, source }] of Object.entries(mutated)) {
    const lines = source.split("\n");
    for (const { status, location, replacement, mutatorName } of mutants) {
      if (status === "Killed" || status === "Timeout") counts.noticed += 1;
      if (status === "Survived") counts.survived += 1;
      if (status === "NoCoverage") counts.untested += 1;
      if (status !== "Survived" && status !== "NoCoverage") continue;
      const { line, column } = location.start;
      const text = lines[line - 1]?.trim().slice(0, 90);
      survivors.push(
        `${path}:${line}:${column} ${mutatorName} ${status}\n    ${text}\n    → ${replacement?.slice(0, 90)}`,
      );
    }
  }
  const { noticed, survived, untested } = counts;
  const share = ((100 * noticed) / (noticed + survived + untested)).toFixed(1);
  return `${survivors.join("\n")}\n${noticed} noticed, ${survived} survived, ${untested} in code that no test runs: ${share} %`;
}
