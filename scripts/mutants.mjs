// `node scripts/mutants.mjs [NUMBER…]`: breaks the product on purpose, one place at a time, in a copy of it, and runs the tests that
// should notice. A mutant that survives is a promise nobody holds. The checkout itself is never
// touched, and the copy has modules of its own.
import "./script-help.mjs";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MUTANTS } from "./mutants-list.mjs";
import { root } from "./setup.mjs";

const HANGS_AFTER_MS = 300_000;

const wanted = process.argv.slice(2).map(Number);
const chosen = MUTANTS.map((mutant, index) => [index + 1, mutant]).filter(
  ([number]) => wanted.length === 0 || wanted.includes(number),
);
const copy = copied();
try {
  if (chosen.some(([, [, , , , product]]) => product === "build")) build();
  // Tests that fail by themselves would make every mutant look killed.
  const named = [
    ...new Set(chosen.flatMap(([, mutant]) => mutant[3].split(" ").filter((word) => word.endsWith(".ts")))),
  ];
  if (failing(named)) throw new Error(`the tests fail before anything is broken: ${named.join(" ")}`);
  const survivors = chosen.filter(([number, mutant]) => !isKilled(number, mutant));
  console.log(`${chosen.length - survivors.length} killed, ${survivors.length} survived`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function copied() {
  const folder = mkdtempSync(join(tmpdir(), "palaver-mutants-"));
  for (const name of [
    "src",
    "test",
    "types",
    "scripts",
    "schema",
    "examples",
    "bench",
    "docs",
    "man",
    "dist",
    "node_modules",
    "README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "package.json",
    "vitest.config.ts",
  ]) {
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of ["tsconfig.json", "tsconfig.base.json", "tsconfig.build.json"])
    cpSync(join(root, name), join(folder, name));
  return folder;
}

// Killed is a mutant only when a test fails; a mutation that finds nothing to mutate is no kill.
function isKilled(number, [file, before, after, tests, product]) {
  const path = join(copy, file);
  const source = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!source.includes(before)) return told(number, file, "✕ there is nothing to break", "survived");
  writeFileSync(
    path,
    source.replace(before, () => after),
  );
  if (product === "build") build();
  const isNoticed = failing(tests.split(" "));
  writeFileSync(path, source);
  if (product === "build") build();
  return told(number, file, isNoticed ? "✓ killed" : `✕ survived ${tests}`, isNoticed ? "killed" : "survived");
}

function build() {
  const { status } = spawnSync(process.execPath, [join(copy, "scripts", "build.mjs")], { cwd: copy, stdio: "ignore" });
  if (status !== 0) throw new Error("the copy cannot be built");
}

function failing(tests) {
  const vitest = join(copy, "node_modules", ".bin", "vitest");
  // A mutant that never ends is noticed, too.
  const limits = { timeout: HANGS_AFTER_MS, killSignal: "SIGKILL" };
  return spawnSync(vitest, ["run", "--bail=1", ...tests], { cwd: copy, stdio: "ignore", ...limits }).status !== 0;
}

function told(number, file, words, verdict) {
  console.log(`${String(number).padStart(2)} ${words}  ${file}`);
  return verdict === "killed";
}
