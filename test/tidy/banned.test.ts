// Shows that each banned word is found where it counts and left alone where it does not, and that naps are found.
import { describe, expect, test } from "vitest";
import { checkBanned } from "./banned.js";
import { checkNaps } from "./naps.js";
import { sourceFile } from "./source-file.js";

const found = (path: string, source: string) => checkBanned(sourceFile(path, source)).length;
const unfinished = `// ${"TO" + "DO"}: later`;

describe("banned words and calls", () => {
  test.each([
    ["let a: any;"],
    ["a as any;"],
    ["let a: Map<string, any>;"],
    ["let a: Array<any>;"],
    ["let a: any[];"],
    ["let a: string | any;"],
    ["type F = () => any;"],
  ])("%s switches the type checker off", (source) => {
    expect(found("test/a.ts", source)).toBe(1);
  });

  test.each([
    ["z.any();"],
    ["let any = 1;"],
    ["const a = { any: 1 };"],
    ["f('as any');"],
    ["// as any"],
    ["let a: anyone;"],
  ])("%s does not", (source) => {
    expect(found("test/a.ts", source)).toBe(0);
  });

  test.each([
    ["src/session/a.ts", "// @ts-ignore"],
    ["src/cli/a.ts", "// @ts-expect-error because"],
    ["scripts/a.mjs", "// biome-ignore lint/suspicious/noExplicitAny"],
    ["src/cli/a.ts", "// biome-ignore lint/style/useConst:"],
    ["src/views/a.ts", "console.log(a);"],
    ["src/views/a.ts", "console?.warn(a);"],
    ["src/server/a.ts", "process.exit(1);"],
    ["examples/a.ts", "process.exit();"],
    ["test/a.test.ts", 'test.only("a", () => {});'],
    ["test/a.test.ts", 'describe.skip("a", () => {});'],
    ["test/a.test.ts", 'it.concurrent.skip("a", () => {});'],
    ["test/a.test.ts", 'xit("a", () => {});'],
    ["src/session/a.ts", unfinished],
    ["test/a.ts", unfinished],
  ])("in %s the line %s is refused", (path, source) => {
    expect(found(path, source)).toBe(1);
  });

  test.each([
    ["src/cli/a.ts", "console.log(a);"],
    ["src/cli/a.ts", "process.exit(1);"],
    ["scripts/a.mjs", "process.exit(1);"],
    ["src/server/a.ts", "process.exitCode = 1;"],
    ["src/views/a.ts", "this.console.log(a);"],
    ["src/cli/a.ts", "// biome-ignore lint/style/useConst: the loop assigns it"],
    ["test/a.test.ts", 'test.skipIf(!tmux)("a", () => {});'],
    ["src/agents/dialects/a.ts", "reader.skip(3);"],
  ])("in %s the line %s is fine", (path, source) => {
    expect(found(path, source)).toBe(0);
  });
});

describe("naps in tests", () => {
  const naps = (source: string) => checkNaps(sourceFile("test/a.test.ts", source)).length;

  test.each([
    ["await new Promise((resolve) => setTimeout(resolve, 500));"],
    ["await new Promise((done) => setTimeout(() => done(1), 1_000));"],
    ["await sleep(100);"],
    ["await setTimeout(250);"],
    ["await delay(2000, undefined);"],
  ])("%s is a nap", (source) => {
    expect(naps(source)).toBe(1);
  });

  test.each([
    ["await new Promise((resolve) => setTimeout(resolve, 5));"],
    ["setTimeout(resolve, delayMs);"],
    ["async function waitForFile() {\n  await sleep(100);\n}"],
    ["const untilGone = async () => {\n  await new Promise((resolve) => setTimeout(resolve, 100));\n};"],
    ["clock.setTimeout(resolve, 500);"],
  ])("%s is none", (source) => {
    expect(naps(source)).toBe(0);
  });
});
