// Shows that each banned word is found where it counts and left alone where it does not.
import { expect, test } from "vitest";
import { checkBanned } from "./banned.js";
import { sourceFile } from "./source-file.js";

const found = (path: string, source: string) => checkBanned(sourceFile(path, source)).length;
const unfinished = `// ${"TO" + "DO"}: later`;

test.each([
  ["src/session/a.ts", "// @ts-ignore"],
  ["src/cli/a.ts", "// @ts-expect-error because"],
  ["src/server/a.ts", "process.exit(1);"],
  ["examples/a.ts", "process.exit();"],
  ["src/session/a.ts", unfinished],
  ["test/a.ts", unfinished],
  ["src/session/a.ts", "globalThis.a"],
  ["src/text/a.ts", "Date.now()"],
  ["src/terminal/painter/a.ts", "new Date()"],
  ["src/contract/a.ts", "performance.now()"],
  ["src/agents/dialects/a.ts", "Math.random()"],
  ["src/session/a.ts", '/// <reference types="node" />'],
  ["test/a.test.ts", `await new Promise((resolve) => ${"setTimeout"}(resolve, 500));`],
  ["test/a.test.ts", `await ${"sleep"}(100);`],
  ["test/a.test.ts", `await ${"delay"}(2000, undefined);`],
  ["test/builtin/rig.ts", "afterEach(async () => {\n  await close();\n});"],
])("in %s the line %s is refused", (path, source) => {
  expect(found(path, source)).toBe(1);
});

test.each([
  ["src/cli/a.ts", "process.exit(1);"],
  ["scripts/a.mjs", "process.exit(1);"],
  ["src/server/a.ts", "process.exitCode = 1;"],
  ["src/session/a.ts", "a.globalThis; new Date(ms); ports.performance.now();"],
  ["src/session/a.ts", "  // Date.now() is a port"],
  ["src/agents/a.ts", "Date.now()"],
  ["test/a.test.ts", "await new Promise((resolve) => setTimeout(resolve, 5));"],
  ["test/a.test.ts", "setTimeout(resolve, delayMs);"],
  ["test/a.test.ts", "clock.setTimeout(resolve, 500);"],
  ["test/a.test.ts", "afterEach(close);"],
])("in %s the line %s is fine", (path, source) => {
  expect(found(path, source)).toBe(0);
});
