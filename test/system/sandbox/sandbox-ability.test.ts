// Whether the sandbox works here is tried, not assumed; and where it does not, the words say why and what to do.
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { probe } from "../../../src/system/sandbox/sandbox.js";
import { temporary } from "./boxed.js";

function fakeBubblewrap(script: string): string {
  const folder = temporary("palaver-bwrap-");
  writeFileSync(join(folder, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "bwrap"), 0o755);
  return folder;
}

test("a program that is installed and may not make namespaces does not work", async () => {
  const path = fakeBubblewrap("echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
  const ability = await probe("linux", [path]);
  expect(ability).toMatchObject({
    works: false,
    why: expect.stringContaining("No permissions to create new namespace"),
  });
  expect(ability).toHaveProperty("advice", expect.stringMatching(/sysctl|user namespaces/));
});

test("one that works is used from where it was found", async () => {
  const path = fakeBubblewrap("exit 0");
  expect(await probe("linux", [path])).toEqual({ works: true, kind: "bubblewrap", program: join(path, "bwrap") });
});

test("one that only PATH leads to is not run", async () => {
  const before = process.env["PATH"];
  onTestFinished(() => {
    process.env["PATH"] = before;
  });
  const folder = fakeBubblewrap('touch "$(dirname "$0")/ran"');
  process.env["PATH"] = `${folder}:${before}`;
  const ability = await probe("linux");
  expect(ability.works ? ability.program : "").not.toContain(folder);
  expect(readdirSync(folder)).toEqual(["bwrap"]);
});

test("a system without a sandbox is named", async () => {
  expect(await probe("win32")).toMatchObject({ works: false, why: "there is no sandbox for win32" });
});
