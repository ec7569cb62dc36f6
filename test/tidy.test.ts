// The rules of the house, held on every file from the first commit on. Each rule is one test; a broken one says which
// file and line, and what to do. The rules themselves, and tests that show them failing, are under test/tidy/.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requirements } from "./requirements.js";
import { checkArrows } from "./tidy/arrows.js";
import { checkBanned } from "./tidy/banned.js";
import { citationsIn, summaryOf } from "./tidy/citations.js";
import { checkDeadExports } from "./tidy/dead-exports.js";
import { sizeExceptions } from "./tidy/exceptions.js";
import { checkFileName } from "./tidy/file-names.js";
import { checkNaps } from "./tidy/naps.js";
import { readProject, root } from "./tidy/project-files.js";
import { checkPureProject, checkPurity } from "./tidy/purity.js";
import { checkPurpose } from "./tidy/purpose.js";
import { checkSelfContained } from "./tidy/self-contained.js";
import { checkSharedHooks } from "./tidy/shared-hooks.js";
import { checkSizes } from "./tidy/sizes.js";
import { type Finding, report } from "./tidy/source-file.js";

const { sources, texts } = readProject();
const tests = sources.filter(({ path }) => path.startsWith("test/"));

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

  test("pure rooms are free of Node, clocks and chance", () => {
    expectNone(sources.flatMap(checkPurity));
  });

  test("the compiler sees every pure room without the types of Node", () => {
    expectNone(checkPureProject("tsconfig.pure.json", readFileSync(join(root, "tsconfig.pure.json"), "utf8")));
  });

  test("files and functions are short", () => {
    expectNone(checkSizes(sources, sizeExceptions));
  });

  test("nothing gets around the type checker, the command line or the test runner", () => {
    expectNone(sources.flatMap(checkBanned));
  });

  test("every export is imported by somebody", () => {
    expectNone(checkDeadExports(sources));
  });

  test("every source opens with its purpose", () => {
    expectNone(sources.flatMap(checkPurpose));
  });

  test("files are named after the one idea they own", () => {
    expectNone(sources.flatMap(checkFileName));
  });

  test("tests wait for things, not for time", () => {
    expectNone(sources.flatMap(checkNaps));
  });

  test("helpers clean up after every test, whichever file it is in", () => {
    expectNone(sources.flatMap(checkSharedHooks));
  });

  test("the project speaks of itself alone", () => {
    expectNone(texts.flatMap(checkSelfContained));
  });
});

describe("requirements", () => {
  test("every requirement has an id of its own and one sentence", () => {
    const ids = requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, sentence } of requirements) {
      expect(id).toMatch(/^[a-z]+\.(?:\d+|[a-z0-9]+(?:-[a-z0-9]+)*)$/);
      expect(sentence, id).toMatch(/^[A-Z0-9][^\n]*[^.]\.$/);
    }
  });

  test("tests cite requirements that exist, from where they are proven", () => {
    const found = tests.map((file) => citationsIn(file, requirements));
    const summary = summaryOf(
      requirements,
      found.flatMap(({ citations }) => citations),
    );
    console.log(summary);
    expectNone(found.flatMap(({ findings }) => findings));
  });
});
