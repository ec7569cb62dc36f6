// What a program left behind that was killed: its children end and its files go, and nothing that it had dismissed.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "palaver-after-"));
const bundle = join(folder, "after-kill.mjs");
const children: ChildProcess[] = [];
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL("../../src/system/after-kill.ts", import.meta.url))],
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

/** A program that does as `script` says, and then waits to be killed. */
async function program(script: string): Promise<ChildProcess> {
  const source = `import { endAfterKill } from ${JSON.stringify(bundle)};
${script}; console.log("done"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}

test("after a kill its children end, however stubborn; one that was dismissed does not", async () => {
  const [kept, dismissed] = [stubborn(), stubborn()];
  const child = await program(`endAfterKill(${-kept.pid}); endAfterKill(${-dismissed.pid}).dismiss()`);
  child.kill("SIGKILL");
  await expect.poll(() => isGone(kept), { timeout: 20_000 }).toBe(true);
  expect(isGone(dismissed)).toBe(false);
  process.kill(-dismissed.pid, "SIGKILL");
});

test("what was dismissed last is left alone too, and what comes after it is not", async () => {
  const [spared, proof] = [stubborn(), stubborn()];
  const child = await program(`endAfterKill(${-spared.pid}).dismiss(); endAfterKill(${-proof.pid})`);
  child.kill("SIGKILL");
  await expect.poll(() => isGone(proof), { timeout: 20_000 }).toBe(true);
  expect(isGone(spared)).toBe(false);
  process.kill(-spared.pid, "SIGKILL");
});

test.each(["at once", "behind a child"])("after a kill it tidies up %s, whatever the names are", async (when) => {
  const odd = join(folder, `${when} 100% \`touch x\` $HOME\n-rf ü`);
  const [empty, full] = [join(odd, "empty"), join(odd, "full")];
  for (const path of [empty, full]) mkdirSync(path, { recursive: true });
  writeFileSync(join(full, "file"), "");
  const steps = [`rmdir:${empty}`, `rmdir:${full}`, `rmdir:${join(odd, "missing")}`];
  const last = join(odd, "last");
  mkdirSync(last);
  const child = await program(
    `endAfterKill(${when === "at once" ? null : -stubborn().pid}, ${JSON.stringify([...steps, `remove:${last}`])})`,
  );
  child.kill("SIGKILL");
  await expect.poll(() => existsSync(last), { timeout: 20_000 }).toBe(false);
  expect(readdirSync(odd)).toEqual(["full"]);
});
