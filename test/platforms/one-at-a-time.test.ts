// Two commands in a fresh clone: only one of them installs and builds, and one that was killed is in nobody's way.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { oneAtATime } from "../../scripts/one-at-a-time.mjs";

const folder = mkdtempSync(join(tmpdir(), "palaver-"));
const lock = join(folder, "cache", "setup.lock");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a second process waits until the first is done", async () => {
  const order: string[] = [];
  let finish = (): void => {};
  const first = oneAtATime(lock, async () => {
    order.push("first begins");
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    order.push("first ends");
  });
  const second = oneAtATime(lock, async () => {
    order.push("second begins");
  });
  await expect.poll(() => order).toEqual(["first begins"]);
  finish();
  await Promise.all([first, second]);
  expect(order).toEqual(["first begins", "first ends", "second begins"]);
  expect(existsSync(lock)).toBe(false);
});

test("work that fails is in no one's way", async () => {
  await expect(oneAtATime(lock, () => Promise.reject(new Error("no disk")))).rejects.toThrow("no disk");
  expect(await oneAtATime(lock, async () => "done")).toBe("done");
});

test("a command that was killed at it is in no one's way", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(lock, String(pid));
  expect(await oneAtATime(lock, async () => "done")).toBe("done");
});

test("nor is one from long ago whose number belongs to another program by now", async () => {
  writeFileSync(lock, String(process.pid));
  utimesSync(lock, 0, 0);
  expect(await oneAtATime(lock, async () => "done")).toBe("done");
});
