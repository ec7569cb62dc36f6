// Who keeps a project and who gives it up: the same program in another version is ended and followed, another program and
// whatever does not prove itself are left alone.
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { daemonFolderOf, makeDaemonFolder } from "../../../src/server/project/daemon-folder.js";
import { claimProject } from "../../../src/server/project/project-claim.js";
import { lookAtDaemon } from "../../../src/server/project/running-daemon.js";
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

const wishes = { program: "palaver", version: "1.0.0", replace: "other-version" } as const;

test("one of another version that does not end when asked is sent a signal, because it proved to be the daemon", async () => {
  const { folder, child, exited } = await oddDaemon("deaf");
  expect(await lookAtDaemon(folder)).toMatchObject({ kind: "running", claims: { version: "9.0.0", pid: child.pid } });
  const lock = await claimProject(folder, wishes);
  expect(await exited).toBe("SIGTERM");
  await lock.release();
});

test.each(["other-version", "always"] as const)(
  "one of another program is named and left alone (%s)",
  async (replace) => {
    const { folder, child } = await oddDaemon("deaf");
    await expect(claimProject(folder, { program: "my-builder", version: "9.0.0", replace })).rejects.toThrow(
      `palaver 9.0.0 (process ${child.pid}) is the daemon of /p and belongs to another program`,
    );
    expect(child.exitCode ?? child.signalCode).toBeNull();
  },
);

test("a server that says yes to everything is sent neither the token nor a signal", async () => {
  const { folder, child, stdout } = await oddDaemon("impostor");
  await expect(claimProject(folder, wishes)).rejects.toThrow(/does not answer; end its process \d+ first/);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  expect(stdout()).toBe("ready\n");
});
