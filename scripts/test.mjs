// `npm test`: sets the clone up, then runs types, lint and format, and every test; `--fast` leaves out what needs a
// build, a pty or a terminal. The closing line counts what passed; the exit code is 0 only when nothing failed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, setup } from "./setup.mjs";

const fast = process.argv.includes("--fast");
const bin = (name) => join(root, "node_modules", ".bin", name);
const counts = { passed: 0, failed: 0 };

try {
  await setup({ build: !fast });
} catch (error) {
  console.error(error.message);
  console.log("0 passed, 1 failed");
  process.exit(1);
}

step("types of the pure rooms", bin("tsc"), ["-p", "tsconfig.pure.json"]);
step("types", bin("tsc"), ["-p", "tsconfig.json"]);
step("types of the page", bin("tsc"), ["-p", "tsconfig.page.json"]);
step("lint and format", bin("biome"), ["check", "--error-on-warnings", "."]);
tests();

console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

function step(name, command, args) {
  const startedMs = Date.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  counts[status === 0 ? "passed" : "failed"] += 1;
  console.log(`${status === 0 ? "✓" : "✕"} ${name}  ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

function tests() {
  const folder = mkdtempSync(join(tmpdir(), "palaver-test-"));
  const report = join(folder, "report.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  if (fast) args.push("--project", "rooms");
  const { status } = spawnSync(bin("vitest"), args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    counts.passed += numPassedTests;
    counts.failed += numFailedTests;
    if (status !== 0 && numFailedTests === 0) counts.failed += 1;
  } catch {
    counts.failed += 1;
  }
  rmSync(folder, { recursive: true, force: true });
}
