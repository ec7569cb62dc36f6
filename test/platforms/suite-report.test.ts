// What is read out of a suite's output: the tests that failed by name, and never a pass where the suite broke off.
import { expect, test } from "vitest";
import { suiteReport } from "../../tools/platforms/suite-report.js";

test("counts come from the last line, names from the failures, colours from nowhere", () => {
  const output = [
    "2 passed, 9 failed",
    "\x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m \x1b[30m whole \x1b[39m a.test.ts > it works",
    " FAIL  whole a.test.ts > it works",
    "4235 passed, 1 failed",
  ].join("\n");
  expect(suiteReport(output)).toEqual({ passed: 4235, failed: 1, names: ["whole a.test.ts > it works"] });
});

test("a suite that broke off has failed", () => {
  expect(suiteReport("Installing packages …\n")).toEqual({ passed: 0, failed: 1, names: [] });
});
