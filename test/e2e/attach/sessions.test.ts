// Agents that live in a daemon, seen from two terminals at once: the same transcript, the same question, one answer.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { startProgram, temporaryPlace } from "../daemon/daemon-process.js";
import { projectRoot } from "../run-program.js";
import { Attached, compilePalaver } from "./attach-rig.js";

const agent = join(projectRoot, "test/host/scripted-agent.mjs");
let palaver = "";

beforeAll(async () => {
  palaver = await compilePalaver("attach-sessions");
});

test("two views of one session, each at its own width, share its transcript and its question; the first answer closes both", async () => {
  verifies("asks.late-view-sees-them");
  const root = temporaryPlace();
  const project = join(root, "project");
  mkdirSync(project);
  writeFileSync(join(project, ".palaver.toml"), "");
  const env = { XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config"), HOME: root };
  await startProgram(palaver, { args: ["serve", "--json", "--", process.execPath, agent], env, cwd: project });
  const attach = (columns: number, rows: number) =>
    new Attached(process.execPath, [palaver, "attach", "--project", project], { env, columns, rows });

  const first = attach(80, 20);
  await first.shows("message, / for commands");
  first.type(`say ${"a line that is long enough to be wrapped differently ".repeat(3)}\r`);
  await first.shows(/a line[^\n]{60,}/);
  first.type("ask\r");
  await first.shows("▌ Which one?");
  await first.shows("pnpm");

  const second = attach(44, 24);
  await second.shows("?1");
  await second.shows("▌ ❯ npm");
  expect(await second.window()).toMatch(/^a line that is long enough to be wrapped\n/m);
  second.type("pn\r");
  await second.shows("? Which one?");
  await first.shows("? Which one?");
  await first.shows(/answered by .+ at pts\//);
  expect(await first.window()).not.toContain("▌ Which one?");
  expect(await second.window()).not.toContain("answered by");

  first.type("\x03\x03");
  expect(await first.ended).toBe(0);
  second.type("hello\r");
  await second.shows("› hello");
});
