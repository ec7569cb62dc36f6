// The package as its users get it: packed, installed into an empty folder, run and imported from there.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot, runProgram } from "./run-program.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

beforeAll(async () => {
  // The build is there already; building again under the other tests' feet would pull the floor away.
  const packed = await runProgram("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder]);
  expect(packed).toMatchObject({ code: 0 });
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const installed = await runProgram(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--silent", join(folder, tarball)],
    { cwd: folder },
  );
  expect(installed).toMatchObject({ code: 0 });
});

test("publint finds nothing", async () => {
  const { messages } = await publint({ pkgDir: projectRoot, level: "suggestion", strict: true });
  expect(messages).toEqual([]);
});

test("npx palaver --version works in an empty folder", async () => {
  const { code, stdout } = await runProgram("npx", ["palaver", "--version"], { cwd: folder });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test("the library entries can be imported, at run time and by the compiler", async () => {
  writeFileSync(
    join(folder, "user.ts"),
    `import { linesOutputSchema, type LinesOutput } from "palaver/contract";
import { serveDaemon } from "palaver/daemon";
import { createHeadlessUi, type UI } from "palaver/ui";
const ui: UI = createHeadlessUi();
const frame: LinesOutput = linesOutputSchema.parse({ type: "pong" });
const answer: boolean = await ui.confirm({ title: "Deploy?" });
if (answer) await serveDaemon({ tui: null, version: "1" });
console.log(frame.type, answer);
`,
  );
  const tsc = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
  // Where they are found, but not named: a compiler loads no types by itself.
  const types = ["--typeRoots", join(projectRoot, "node_modules", "@types"), "--lib", "es2023,dom"];
  const options = ["--strict", "--module", "nodenext", "--target", "es2023", ...types, "user.ts"];
  const compiled = await runProgram(process.execPath, [tsc, ...options], { cwd: folder });
  expect(compiled).toMatchObject({ code: 0, stdout: "" });
  expect(await runProgram(process.execPath, ["user.js"], { cwd: folder })).toMatchObject({
    code: 0,
    stdout: "pong false\n",
  });
});

test("it depends on nothing", () => {
  const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["palaver"]);
});

test("a machine finds the published schemas", async () => {
  const code = 'console.log(import.meta.resolve("palaver/schema/lines-outputs.schema.json"))';
  const { stdout } = await runProgram(process.execPath, ["--input-type=module", "-e", code], { cwd: folder });
  expect(stdout).toMatch(/schema\/lines-outputs\.schema\.json\n$/);
});
