// What was remembered stays remembered, whatever other sessions remember at the same moment.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { RuleMemory } from "../../../src/builtin/permission/session-permissions.js";
import { freshFolder } from "../rig.js";

test("sessions that remember something at once forget nothing", async () => {
  const state = freshFolder();
  const sessions = Array.from({ length: 6 }, (_, at) => ({ memory: new RuleMemory(state), project: `/p${at % 2}` }));
  const rules = Array.from({ length: 5 }, (_, at) => `bash(make ${at})`);
  await Promise.all(
    sessions.map(async ({ memory, project }, at) => {
      for (const rule of rules) await memory.add(project, rule.replace(")", ` ${at})`));
    }),
  );
  const memory = new RuleMemory(state);
  const kept = [...(await memory.rulesOf("/p0")), ...(await memory.rulesOf("/p1"))];
  expect(new Set(kept).size).toBe(30);
  expect(readdirSync(state)).toEqual(["permissions.json"]);
});

test("a rule is remembered once", async () => {
  const memory = new RuleMemory(freshFolder());
  await Promise.all([memory.add("/p", "edit(src/**)"), memory.add("/p", "edit(src/**)")]);
  expect(await memory.rulesOf("/p")).toEqual(["edit(src/**)"]);
});
