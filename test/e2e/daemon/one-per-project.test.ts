// One daemon per program of a project: who is followed, who is replaced, who is left alone, with real processes.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { daemonFolderOf } from "../../../src/server/project/daemon-folder.js";
import { findDaemons } from "../../../src/server/project/running-daemon.js";
import { isRunning } from "../processes.js";
import { ask, compile, type DaemonProcess, standIn, startDaemon, temporaryPlace } from "./daemon-process.js";

let script = "";
beforeAll(async () => {
  script = await compile(standIn);
});

const begin = (place: string, version: string) =>
  startDaemon(script, {
    env: { XDG_STATE_HOME: place, PALAVER_STAND_IN: JSON.stringify({ folder: place, version }) },
  });
const end = async (daemon: DaemonProcess) => {
  await ask(daemon, "/action?key=quit", { method: "POST" });
  return daemon.exited;
};

test("a second one of the same version is told where the first is", async () => {
  const place = temporaryPlace();
  const first = await begin(place, "1.0.0");
  await expect(begin(place, "1.0.0")).rejects.toThrow(`is already running: ${first.url} (process ${first.pid})`);
  expect((await ask(first, "/version")).body).toBe('{"version":"1.0.0"}');
  expect(await end(first)).toBe(0);
  expect(await findDaemons(place, { XDG_STATE_HOME: place })).toEqual([]);
});

test("a newer version replaces the first, with a token of its own", async () => {
  const place = temporaryPlace();
  const first = await begin(place, "1.0.0");
  const second = await begin(place, "1.1.0");
  expect(await first.exited).toBe(0);
  expect(second.token).not.toBe(first.token);
  expect(await findDaemons(place, { XDG_STATE_HOME: place })).toMatchObject([
    { kind: "running", claims: { pid: second.pid, version: "1.1.0" } },
  ]);
  await end(second);
});

test.each(["0.9.0", "1.0.0-beta.1", "nightly"])("%s does not replace 1.0.0, and says so", async (version) => {
  const place = temporaryPlace();
  const first = await begin(place, "1.0.0");
  await expect(begin(place, version)).rejects.toThrow(`of version 1.0.0, which ${version} does not replace`);
  await end(first);
});

test("a daemon that was killed is followed at once", async () => {
  const place = temporaryPlace();
  const first = await begin(place, "1.0.0");
  first.child.kill("SIGKILL");
  await first.exited;
  const second = await begin(place, "1.0.0");
  expect(second.pid).not.toBe(first.pid);
  await end(second);
});

test("a record that names somebody else's process harms no one", async () => {
  const place = temporaryPlace();
  const first = await begin(place, "1.0.0");
  first.child.kill("SIGKILL");
  await first.exited;
  const { recordPath } = daemonFolderOf(place, { XDG_STATE_HOME: place }, "stand-in");
  const bystander = await begin(temporaryPlace(), "1.0.0");
  const record = JSON.parse(readFileSync(recordPath, "utf8")) as object;
  writeFileSync(recordPath, JSON.stringify({ ...record, pid: bystander.pid, version: "0.9.0" }));
  const second = await begin(place, "1.0.0");
  expect(isRunning(bystander.pid)).toBe(true);
  await end(second);
  await end(bystander);
});

test("of several that start at the same moment one wins, and the others say so", async () => {
  const place = temporaryPlace();
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => begin(place, "1.0.0")));
  const winners = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(winners).toHaveLength(1);
  for (const each of started)
    if (each.status === "rejected") expect(String(each.reason)).toContain("is already running");
  for (const winner of winners) {
    const found = await findDaemons(place, { XDG_STATE_HOME: place });
    expect(found).toMatchObject([{ kind: "running", claims: { pid: winner.pid } }]);
    await end(winner);
  }
});

test("of several that follow a killed one, and one that was killed while it followed it, one wins", async () => {
  const place = temporaryPlace();
  const first = await begin(place, "1.0.0");
  first.child.kill("SIGKILL");
  await first.exited;
  const { lockPath } = daemonFolderOf(place, { XDG_STATE_HOME: place }, "stand-in");
  copyFileSync(lockPath, `${lockPath}.turn`);
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => begin(place, "1.0.0")));
  const winners = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(winners).toHaveLength(1);
  for (const winner of winners) await end(winner);
});

test("the log of a daemon is in its file, and so are the errors of handlers", async () => {
  const place = temporaryPlace();
  const daemon = await begin(place, "1.0.0");
  await ask(daemon, "/action?key=Fails", { method: "POST" });
  const { logPath } = daemonFolderOf(place, { XDG_STATE_HOME: place }, "stand-in");
  const contents = () =>
    readFileSync(logPath, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { content: string }).content);
  await expect.poll(contents).toContain("error: this one always fails");
  await end(daemon);
  expect(contents()).toEqual([
    `the daemon listens at ${daemon.url}`,
    "error: this one always fails",
    "the daemon is ending",
  ]);
  expect(join(logPath, "..").startsWith(place)).toBe(true);
});
