// The flag that makes the compiler wait, and on which versions: a wrong one would put a complaint on the terminal.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { patienceFor } from "../../../src/tui/terminal/patient-compiler.js";

test("the compiler of Node 20 is told to wait", () => {
  expect(patienceFor("11.3.244.8-node.33")).toMatch(/^--interrupt-budget=\d+$/);
});

test("compilers that wait by themselves are told nothing, for they would complain", () => {
  expect(patienceFor("12.4.254.21-node.33")).toBeNull();
  expect(patienceFor("14.6.202.26-node.12")).toBeNull();
});

test("this Node takes what it is told without a word", () => {
  const flags = [patienceFor(process.versions.v8)].filter((flag) => flag !== null);
  const script = `for (const flag of ${JSON.stringify(flags)}) require("node:v8").setFlagsFromString(flag);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});
