// The examples prove themselves, out of the package that is published: the same small agent in three languages, each short, each
// judged by conform; the showcase; the adapters.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPackage } from "./installed-package.js";
import { projectRoot, runProgram } from "./run-program.js";

// A machine with nothing but Node has no Python; the other two need nothing.
function isInstalled(program = ""): boolean {
  return spawnSync(program, ["-c", ""], { stdio: "ignore" }).error === undefined;
}

const place = mkdtempSync(join(tmpdir(), "palaver-examples-"));
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

const installed = join(place, "node_modules", "palaver");
const examples = join(installed, "examples");
const folder = join(examples, "ask-everything");
const compiled = join(place, "agent.mjs");
const runPalaver = (args: string[]) => runProgram(process.execPath, [join(installed, "dist", "cli.js"), ...args]);

beforeAll(async () => {
  await installPackage(place);
  const output = { outfile: compiled, format: "esm", platform: "node", target: "node20" } as const;
  await build({ entryPoints: [join(folder, "agent.ts")], ...output });
});

// Python and shell, written without a library, have no forms, files, permissions and deltas; none has several sessions.
describe.each<[string, string, string[], string]>([
  ["TypeScript", "agent.ts", [process.execPath, compiled], "34 passed, 0 failed, 1 not seen"],
  ["Python", "agent.py", ["python3", join(folder, "agent.py")], "30 passed, 0 failed, 5 not seen"],
  ["POSIX shell", "agent.sh", ["sh", join(folder, "agent.sh")], "30 passed, 0 failed, 5 not seen"],
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
  const readme = readFileSync(join(installed, "README.md"), "utf8");
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(16);
  const script = join(place, "hello-agent.mjs");
  writeFileSync(script, code);
  const { code: exitCode, stdout } = await runPalaver(["conform", "--", process.execPath, script]);
  expect(stdout).toMatch(/The agent follows the lines protocol\. 29 passed, 0 failed, 6 not seen\n$/);
  expect(exitCode).toBe(0);
});

test("the built-in agent keeps every rule too", async () => {
  const { code, stdout } = await runPalaver([
    "conform",
    "--json",
    "--",
    process.execPath,
    join(installed, "dist", "cli.js"),
    "agent",
  ]);
  expect(JSON.parse(stdout).counts).toEqual({ passed: 34, failed: 0, "not seen": 1 });
  expect(code).toBe(0);
});

test("the showcase answers a prompt", async () => {
  const { code, stdout } = await runPalaver([
    "prompt",
    "help",
    "--",
    process.execPath,
    join(examples, "showcase", "agent.mjs"),
  ]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Try "fix the failing test"') });
});

test.each(readdirSync(join(projectRoot, "examples", "adapters")))(
  "the adapter %s needs nothing but its framework",
  async (name) => {
    expect(Object.keys(await import(join(examples, "adapters", name)))).toHaveLength(1);
  },
);
