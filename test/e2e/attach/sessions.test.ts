// Agents that live in a daemon, seen from two terminals at once: the same transcript, the same question, one answer.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { startProgram, temporaryPlace } from "../daemon/daemon-process.js";
import { projectRoot } from "../run-program.js";
import { Attached, compilePalaver } from "./attach-rig.js";

const agent = join(projectRoot, "test/daemon/sessions/scripted-agent.mjs");
let palaver = "";

beforeAll(async () => {
  palaver = await compilePalaver("attach-sessions");
});

test("two views of one session share its transcript and its question, and the first answer closes both", async () => {
  verifies("asks.first-answer-wins", "asks.late-front-end");
  const root = temporaryPlace();
  const project = join(root, "project");
  mkdirSync(project);
  writeFileSync(join(project, ".palaver.toml"), "");
  const env = { XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config"), HOME: root };
  await startProgram(palaver, { args: ["serve", "--json", "--", process.execPath, agent], env, cwd: project });
  const attach = () =>
    new Attached(process.execPath, [palaver, "attach", "--project", project], { env, columns: 80, rows: 20 });

  const first = attach();
  await first.shows("node");
  first.type("\t");
  await first.shows("message, / for commands");
  first.type("ask\r");
  await first.shows("▌ Which one?");
  await first.shows("pnpm");

  const second = attach();
  await second.shows("?1");
  second.type("\t");
  await second.shows("› ask");
  await second.shows("▌ Which one?");
  second.type("\x1b[B\r");
  await second.shows("? Which one?");
  await first.shows("? Which one?");
  expect(await first.screen()).not.toContain("▌ Which one?");

  first.type("\x03\x03");
  expect(await first.ended).toBe(0);
  second.type("hello\r");
  await second.shows("› hello");
});
