// Every fault the simulator has found so far, as the shrunk script that showed it: none may come back.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { replay } from "../rigs/simulator/simulation.js";
import { verifies } from "../verifies.js";

const folder = new URL("scripts/", import.meta.url);

test.each(readdirSync(folder))("%s", (name) => {
  verifies("screen.exactly-once");
  expect(replay(readFileSync(new URL(name, folder), "utf8")).text).toMatch(/^passed/);
});
