// A daemon of another version, whatever it says of itself, is ended and followed; whoever is no daemon of ours is left alone.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { daemonFolderOf, makeDaemonFolder } from "../../../src/daemon/project/daemon-folder.js";
import { clearTheWay } from "../../../src/daemon/project/project-claim.js";
import { lookAtDaemon } from "../../../src/daemon/project/running-daemon.js";
import { ensureToken } from "../../../src/daemon/project/token-file.js";
import { verifies } from "../../verifies.js";
import { temporaryFolder } from "../temporary-folder.js";

const program = fileURLToPath(new URL("odd-daemon.mjs", import.meta.url));

async function oddDaemon(kind: "new-health" | "bare-version" | "page" | "deaf") {
  const folder = daemonFolderOf("/p", { XDG_STATE_HOME: temporaryFolder() });
  await makeDaemonFolder(folder);
  const token = await ensureToken(folder.tokenPath);
  const child: ChildProcess = spawn(process.execPath, [program, folder.recordPath, token, kind]);
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.stdout !== null) await once(child.stdout, "data");
  return { folder, child };
}

test.each([
  ["new-health", "9.0.0"],
  ["bare-version", "0.0.1"],
] as const)("one that says %s is found, ended and followed", async (kind, version) => {
  verifies("daemon.25");
  const { folder, child } = await oddDaemon(kind);
  const ended = once(child, "exit");
  expect(await lookAtDaemon(folder)).toMatchObject({ kind: "running", health: { version } });
  await clearTheWay(folder, { version: "1.0.0", replace: "other-version" });
  expect(await ended).toEqual([0, null]);
  expect(existsSync(folder.recordPath)).toBe(false);
});

test("one that named its process and does not end when asked is told to", async () => {
  const { folder, child } = await oddDaemon("deaf");
  await clearTheWay(folder, { version: "1.0.0", replace: "other-version" });
  expect(child.signalCode).toBe("SIGTERM");
});

test("a server that says yes to everything is nobody's daemon, and gets no signal", async () => {
  verifies("daemon.25");
  const { folder, child } = await oddDaemon("page");
  const replaced = clearTheWay(folder, { version: "1.0.0", replace: "other-version" });
  await expect(replaced).rejects.toThrow(/does not answer; end its process \d+ first/);
  expect(child.exitCode ?? child.signalCode).toBeNull();
});
