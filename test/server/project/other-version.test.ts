// Who keeps a project and who gives it up: the same program in an older version is ended and followed, another program and
// whatever does not prove itself are left alone.
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { daemonFolderOf, makeDaemonFolder } from "../../../src/server/project/daemon-folder.js";
import { claimProject, isNewer, lookAtDaemon } from "../../../src/server/project/running-daemon.js";
import { compile, startProgram } from "../../e2e/daemon/daemon-process.js";
import { temporaryFolder } from "../temporary-folder.js";

let script = "";
beforeAll(async () => {
  script = await compile("test/server/project/odd-daemon.ts");
});

async function oddDaemon(kind: "deaf" | "impostor") {
  const state = temporaryFolder();
  const folder = daemonFolderOf("/p", { XDG_STATE_HOME: state });
  await makeDaemonFolder(folder);
  const program = await startProgram(script, { args: [state, "/p", kind] });
  onTestFinished(() => void program.child.kill("SIGKILL"));
  return { folder, ...program };
}

const wishes = { program: "palaver", version: "9.1.0", replace: "older" } as const;

test("an older version that does not end when asked is sent a signal, because it proved to be the daemon", async () => {
  const { folder, child, exited } = await oddDaemon("deaf");
  expect(await lookAtDaemon(folder)).toMatchObject({ kind: "running", claims: { version: "9.0.0", pid: child.pid } });
  const lock = await claimProject(folder, wishes);
  expect(await exited).toBe("SIGTERM");
  await lock.release();
});

test.each(["older", "always"] as const)("one of another program is named and left alone (%s)", async (replace) => {
  const { folder, child } = await oddDaemon("deaf");
  await expect(claimProject(folder, { program: "my-builder", version: "9.0.0", replace })).rejects.toThrow(
    `palaver 9.0.0 (process ${child.pid}) has the place of my-builder in /p`,
  );
  expect(child.exitCode ?? child.signalCode).toBeNull();
});

test("a server that says yes to everything is sent neither the token nor a signal", async () => {
  const { folder, child, stdout } = await oddDaemon("impostor");
  await expect(claimProject(folder, wishes)).rejects.toThrow(/does not answer; end its process \d+ first/);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  expect(stdout()).toBe("ready\n");
});

test.each([
  ["1.0.1", "1.0.0", "newer"],
  ["1.10", "1.9.9", "newer"],
  ["v2.0.0", "1.0.0", "newer"],
  ["1.0.0", "1.0.0-rc.1", "newer"],
  ["1.0.0-rc.10", "1.0.0-rc.9", "newer"],
  ["1.0.0-rc.1", "1.0.0-beta", "newer"],
  ["1.0.0", "1.0.0", "not newer"],
  ["1.0", "1.0.0", "not newer"],
  ["1.0.0-rc.1", "1.0.0", "not newer"],
  ["1.0.0+build2", "1.0.0+build1", "not newer"],
  ["nightly", "1.0.0", "not newer"],
  ["2.0.0", "3fa9c2", "not newer"],
])("%s is compared with a running %s: %s", (version, running, verdict) => {
  expect(isNewer(version, running)).toBe(verdict === "newer");
});
