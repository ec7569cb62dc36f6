// The flags that make Node 20 wait before it optimises, and on which versions: a wrong one would put a complaint on the terminal.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runtimeFlagsFor } from "../../../src/terminal/device/modest-runtime.js";

test("Node 20 is told to optimise later", () => {
  expect(runtimeFlagsFor("11.3.244.8-node.33")).toContainEqual(expect.stringMatching(/^--interrupt-budget=\d+$/));
});

test("versions that wait by themselves are told nothing, for they would complain", () => {
  expect(runtimeFlagsFor("12.4.254.21-node.33")).toEqual([]);
  expect(runtimeFlagsFor("14.6.202.26-node.12")).toEqual([]);
});

test("this Node takes what it is told without a word", () => {
  const flags = JSON.stringify(runtimeFlagsFor(process.versions.v8));
  const script = `for (const flag of ${flags}) require("node:v8").setFlagsFromString(flag);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});
