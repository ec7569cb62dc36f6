// The examples prove themselves: the same small agent in three languages, each short, each judged by conform.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { projectRoot, runPalaver } from "./run-program.js";

// A machine with nothing but Node has no Python; the other two need nothing.
function isInstalled(program = ""): boolean {
  return spawnSync(program, ["-c", ""], { stdio: "ignore" }).error === undefined;
}

const folder = join(projectRoot, "examples", "ask-everything");
// Inside the project, so that `palaver/ui` resolves to the package itself, as it does for whoever installs it.
const compiled = join(projectRoot, ".cache", "examples", "agent.mjs");

beforeAll(async () => {
  mkdirSync(join(compiled, ".."), { recursive: true });
  await build({
    entryPoints: [join(folder, "agent.ts")],
    outfile: compiled,
    format: "esm",
    platform: "node",
    target: "node20",
  });
});

// Python and shell, written without a library, have no forms, permissions and deltas; none has several sessions.
describe.each<[string, string, string[], string]>([
  ["TypeScript", "agent.ts", [process.execPath, compiled], "33 passed, 0 failed, 1 not seen"],
  ["Python", "agent.py", ["python3", join(folder, "agent.py")], "30 passed, 0 failed, 4 not seen"],
  ["POSIX shell", "agent.sh", ["sh", join(folder, "agent.sh")], "30 passed, 0 failed, 4 not seen"],
])("the example agent in %s", (_language, file, command, counts) => {
  test("is under sixty lines", () => {
    expect(readFileSync(join(folder, file), "utf8").trimEnd().split("\n").length).toBeLessThan(60);
  });

  test.skipIf(!isInstalled(command[0]))("keeps every rule of the lines wire", async () => {
    const { code, stdout } = await runPalaver(["conform", "--", ...command]);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(`The agent follows the lines protocol. ${counts}`);
    expect(code).toBe(0);
  });
});

test("the fifteen lines of the README run and keep the rules", async () => {
  const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(16);
  const script = join(compiled, "..", "hello-agent.mjs");
  writeFileSync(script, code);
  const { code: exitCode, stdout } = await runPalaver(["conform", "--", process.execPath, script]);
  expect(stdout).toMatch(/The agent follows the lines protocol\. 29 passed, 0 failed, 5 not seen\n$/);
  expect(exitCode).toBe(0);
});

test("the built-in agent keeps every rule too", async () => {
  const { code, stdout } = await runPalaver([
    "conform",
    "--json",
    "--",
    process.execPath,
    join(projectRoot, "dist", "cli.js"),
    "agent",
  ]);
  expect(JSON.parse(stdout).counts).toEqual({ passed: 33, failed: 0, "not seen": 1 });
  expect(code).toBe(0);
});
