// The rules of the house that neither the compiler nor biome can hold, on every file. Each rule is one test; a broken one says
// which file and line, and what to do. The rules themselves, and tests that show them failing, are under test/tidy/.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkArrows } from "./tidy/arrows.js";
import { checkBanned } from "./tidy/banned.js";
import { checkCycles } from "./tidy/cycles.js";
import { checkDeadExports } from "./tidy/dead-exports.js";
import { readProject, root } from "./tidy/project-files.js";
import { checkPurpose } from "./tidy/purpose.js";
import { pureRooms } from "./tidy/rooms.js";
import { checkSelfContained } from "./tidy/self-contained.js";
import { type Finding, report } from "./tidy/source-file.js";
import { checkWording } from "./tidy/wording.js";

const { sources, texts } = readProject();

function expectNone(findings: readonly Finding[]): void {
  if (findings.length > 0) expect.fail(`\n${report(findings)}`);
}

describe("the house is tidy", () => {
  test("there is something to look at", () => {
    expect(sources.map(({ path }) => path)).toContain("test/tidy.test.ts");
    expect(texts.length).toBeGreaterThan(sources.length);
  });

  test("rooms import only what the plan of the house allows", () => {
    expectNone(sources.flatMap(checkArrows));
  });

  test("no files import each other in a circle", () => {
    expectNone(checkCycles(sources));
  });

  test("the compiler sees every pure room without the types of Node", () => {
    const { compilerOptions, include } = JSON.parse(readFileSync(join(root, "tsconfig.pure.json"), "utf8"));
    expect(compilerOptions.types).toEqual([]);
    expect(include).toEqual(expect.arrayContaining(pureRooms.map((room) => `src/${room}`)));
  });

  test("nothing gets around the type checker, the ports, the command line or the clocks of the tests", () => {
    expectNone(sources.flatMap(checkBanned));
  });

  test("every export is imported somewhere", () => {
    expectNone(checkDeadExports(sources));
  });

  test("every source opens with its purpose", () => {
    expectNone(sources.flatMap(checkPurpose));
  });

  test("files and folders are named after the one idea they own, in kebab-case", () => {
    const wrong = /[^a-z0-9/.-]|(?:^|\/)(?:utils?|helpers?|index|common|misc)(?:[/.]|$)/;
    expect(sources.map(({ path }) => path).filter((path) => wrong.test(path))).toEqual([]);
  });

  test("the project speaks of itself alone", () => {
    expectNone(texts.flatMap(checkSelfContained));
  });

  test("users read plain words, in pages and in the strings of the source", () => {
    expectNone([...sources, ...texts.filter(({ path }) => !path.startsWith("src/"))].flatMap(checkWording));
  });
});
