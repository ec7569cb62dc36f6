// Children of a program that was killed: the last will ends them, and leaves alone whom it was told to forget.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "palaver-will-"));
const bundle = join(folder, "last-will.mjs");
const children: ChildProcess[] = [];
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL("../../src/agents/child-reaper.ts", import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
  }),
);
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Somebody who does not listen to a polite request. */
function stubborn(): ChildProcess & { pid: number } {
  const child = spawn("sh", ["-c", "trap '' TERM; while :; do sleep 60; done"], { stdio: "ignore", detached: true });
  children.push(child);
  if (child.pid === undefined) throw new Error("there is no shell here");
  return child as ChildProcess & { pid: number };
}

const isGone = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** A program that writes its will as `script` says, and then waits to be killed. */
async function testator(script: string): Promise<ChildProcess> {
  const program = `import { writeLastWill } from ${JSON.stringify(bundle)};
const will = writeLastWill(); ${script}; console.log("written"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}

test("after a kill its children end, however stubborn; one that was taken out of the will does not", async () => {
  const [kept, forgotten] = [stubborn(), stubborn()];
  const child = await testator(`will.add(${-kept.pid}); will.add(${-forgotten.pid}); will.remove(${-forgotten.pid})`);
  child.kill("SIGKILL");
  await expect.poll(() => isGone(kept), { timeout: 20_000 }).toBe(true);
  expect(isGone(forgotten)).toBe(false);
  process.kill(-forgotten.pid, "SIGKILL");
});

test("a will that was revoked ends nobody", async () => {
  const [spared, proof] = [stubborn(), stubborn()];
  const child = await testator(
    `will.add(${-spared.pid}); will.revoke(); const other = writeLastWill(); other.add(${-proof.pid})`,
  );
  child.kill("SIGKILL");
  // The second will is carried out in the same time as the first would have been.
  await expect.poll(() => isGone(proof), { timeout: 20_000 }).toBe(true);
  expect(isGone(spared)).toBe(false);
  process.kill(-spared.pid, "SIGKILL");
});
