// Every long run says what it is for, and so does a mistake in its options.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";

const run = (...args: string[]) => spawnSync(process.execPath, args, { encoding: "utf8" });

describe("a script", () => {
  test.each(["scripts/faults.mjs", "scripts/simulate.mjs", "bench/run.mjs"])("%s explains itself", (path) => {
    const { status, stdout } = run(path, "--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^`npm run \w+ /);
    expect(stdout).not.toContain("import");
  });

  test("names a wrong option and shows the right ones", () => {
    const { status, stderr } = run("scripts/simulate.mjs", "--sed", "1");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Unknown option '--sed'\n\n`npm run simulate -- --seed N/);
  });
});
