// The package as its users get it: packed, installed into an empty folder, run and imported from there.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
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
  // The package declares all types that it needs, so those of Node are not there.
  const options = ["--strict", "--module", "nodenext", "--target", "es2023", "--skipLibCheck", "false", "user.ts"];
  const compiled = await runProgram(process.execPath, [tsc, ...options], { cwd: folder });
  expect(compiled).toMatchObject({ code: 0, stdout: "" });
  expect(await runProgram(process.execPath, ["user.js"], { cwd: folder })).toMatchObject({
    code: 0,
    stdout: "pong false\n",
  });
});

test("every page that the README names is in the package", () => {
  const place = join(folder, "node_modules", "palaver");
  const links = [...readFileSync(join(place, "README.md"), "utf8").matchAll(/\]\(([^)#:]+)\)/g)].map(
    ([, path = ""]) => path,
  );
  // Pictures would be a third of the package; their captions are there.
  const pages = links.filter((path) => !path.startsWith("docs/pictures/"));
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter((path) => !existsSync(join(place, path)))).toEqual([]);
});

test("the author of an agent reads on stderr where it failed", async () => {
  const agent =
    'import { serveLines } from "palaver/ui"; await serveLines({ name: "x", async onPrompt() { notThere(); } });';
  writeFileSync(join(folder, "failing.mjs"), agent);
  const frames = '{"type":"prompt","text":"go"}\n{"type":"ping"}\n';
  const ended = await runProgram(process.execPath, ["failing.mjs"], { cwd: folder, stdin: frames });
  expect(ended.stdout).toContain('"message":"notThere is not defined"');
  expect(ended.stderr).toMatch(/ReferenceError: notThere is not defined\n +at .*failing\.mjs:1:/);
});

test("the author of a daemon reads an error without pages of our source", async () => {
  const start = 'await serveDaemon({ tui: null, version: "1" });';
  writeFileSync(join(folder, "twice.mjs"), `import { serveDaemon } from "palaver/daemon";\n${start}\n${start}\n`);
  const { code, stderr } = await runProgram(process.execPath, ["twice.mjs"], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("DaemonError") });
  expect(stderr.length).toBeLessThan(3_000);
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

/** A constant, or a class of errors: what a program may want of a library of which it uses nothing else. */
function isSmall(value: unknown): boolean {
  if (typeof value === "function") return value.prototype instanceof Error;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((part) => typeof part === "string" || typeof part === "number");
}

test.each(["contract", "ui", "daemon", "screen"])(
  "a bundle with all constants of palaver/%s has no more than them",
  async (entry) => {
    const all = await import(join(folder, "node_modules", "palaver", "dist", `${entry}.js`));
    const names = Object.keys(all)
      .filter((name) => isSmall(all[name]))
      .join(", ");
    expect(names).not.toBe("");
    const contents = `import { ${names} } from "palaver/${entry}"; console.log(${names});`;
    const how = { bundle: true, minify: true, platform: "node", format: "esm", write: false } as const;
    const { outputFiles } = await build({ ...how, stdin: { contents, resolveDir: folder } });
    expect(outputFiles[0]?.contents.length).toBeLessThan(2_000);
  },
);
