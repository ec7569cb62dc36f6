// The example of a dev daemon, started for real on a copy of its project: it rebuilds, serves, tests and can be changed.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDaemonClient } from "../../../src/server/client/daemon-client.js";
import { findDaemons } from "../../../src/server/project/running-daemon.js";
import { projectRoot } from "../run-program.js";
import { compile, shownValue, startProgram, temporaryPlace } from "./daemon-process.js";

const example = "examples/dev-daemon/daemon.mjs";

test("the example is under 150 lines", () => {
  expect(readFileSync(join(projectRoot, example), "utf8").trimEnd().split("\n").length).toBeLessThan(150);
});

test("the dev daemon rebuilds, serves, runs the tests and takes options from elsewhere", async () => {
  const place = temporaryPlace();
  const project = join(place, "project");
  cpSync(join(projectRoot, "examples/dev-daemon/project"), project, { recursive: true });
  const environment = { XDG_STATE_HOME: place, TMPDIR: place };
  const program = await startProgram(await compile(example), { env: environment, args: [project] });
  const [presence] = await findDaemons(project, environment);
  if (presence?.kind !== "running") throw new Error(`the daemon is ${presence?.kind}`);
  const daemon = presence.address;
  expect(program.firstLine).toBe(`The dev daemon of ${project} is at ${daemon.url}`);
  const client = createDaemonClient(daemon);
  const logged = async () => (await client.logs({})).map(({ handler_name, content }) => `${handler_name}: ${content}`);
  await expect.poll(logged, { timeout: 25_000 }).toContain("watch: rebuilt for development, 0 warnings");
  const served = async () => (await fetch(await shownValue(daemon, "Address"))).text();
  expect(await served()).toContain("built for");

  await client.act("Mode", "production");
  await expect.poll(logged, { timeout: 25_000 }).toContain("watch: rebuilt for production, 0 warnings");
  expect(await shownValue(daemon, "Mode")).toBe("production");
  await client.act("m", "");
  await expect.poll(() => shownValue(daemon, "Minify")).toBe("on");
  const refusal = "Mode is one of development, production, not staging";
  await expect(client.act("Mode", "staging")).rejects.toThrow(refusal);
  await expect.poll(logged).toContain(`Mode: error: ${refusal}`);

  const greet = join(project, "src", "greet.ts");
  writeFileSync(greet, readFileSync(greet, "utf8").replace("Hello", "Good day"));
  await expect.poll(served, { timeout: 25_000 }).toContain("Good day");
  await client.act("Test", "");
  await expect.poll(() => shownValue(daemon, "Results"), { timeout: 20_000 }).toBe("2 failed, 0 passed");

  await client.act("quit", "");
  expect(await program.exited).toBe(0);
  expect(program.stderr()).toBe("");
});
