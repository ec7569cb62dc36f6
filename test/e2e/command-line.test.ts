// The command as a person or a script calls it: what it prints, where, and with which exit code.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { childOf, isRunning } from "./processes.js";
import { palaver, runPalaver, runProgram } from "./run-program.js";

describe("palaver", () => {
  test("says its version", async () => {
    expect(await runPalaver(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  test.skipIf(process.platform === "win32")("says that its folder is gone", async () => {
    const gone = 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$0" "$@"';
    expect(await runProgram("sh", ["-c", gone, process.execPath, palaver, "doctor"])).toMatchObject({
      code: 1,
      stderr: "palaver: this folder no longer exists; change to another one\n",
    });
  });

  test("has a help with every command and examples", async () => {
    const { code, stdout } = await runPalaver(["--help"]);
    expect(code).toBe(0);
    for (const word of ["conform", "agent", "demo", "Examples"]) expect(stdout).toContain(word);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("a command has a help with examples", async () => {
    const { code, stdout } = await runPalaver(["conform", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^palaver conform[\s\S]*\nExamples\n/);
  });

  test("suggests the command that was probably meant", async () => {
    expect(await runPalaver(["conferm"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: 'palaver: there is no command "conferm"; did you mean "palaver conform"?\n',
    });
    expect((await runPalaver(["claude"])).stderr).toContain("palaver run claude opens the agent");
    expect((await runPalaver(["xyzzy"])).stderr).toContain("palaver --help lists the commands");
  });

  test("without a terminal, prompt or input says what to do and exits 2", async () => {
    const { code, stdout, stderr } = await runPalaver([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('echo "what is in this folder?" | palaver');
  });

  test("takes a prompt from stdin, streams the answer to stdout and everything else to stderr", async () => {
    const folder = mkdtempSync(join(tmpdir(), "palaver-folder-"));
    for (let number = 10; number < 20; number += 1) writeFileSync(join(folder, `file-${number}`), "");
    const { code, stdout, stderr } = await runPalaver([], { stdin: "what is in this folder?", cwd: folder });
    rmSync(folder, { recursive: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/file-10\n(.*file-1\d\n){9}$/);
    expect(stderr).toBe("● ls .\n");
  });

  test("an input that stays open and silent does not hang it", async () => {
    expect((await runPalaver([], { stdin: "open" })).code).toBe(2);
    const demo = await runPalaver(["demo"], { stdin: "open" });
    expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining("a two-minute tour") });
    expect(await runPalaver(["taste"], { stdin: "open" }), "as it was called before").toEqual(demo);
  });

  test("an output that is closed early is no failure", async () => {
    const child = spawn(process.execPath, [palaver, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("palaver conform", () => {
  test.each<[string, string[], RegExp]>([
    ["no agent", ["conform"], /conform needs an agent: palaver conform -- /],
    ["an unknown option", ["conform", "--jsn", "--", "x"], /--jsn[\s\S]*palaver conform --help/],
    [
      "a time that is none",
      ["conform", "--timeout", "soon", "--", "x"],
      /--timeout takes a number of seconds greater than 0, not "soon"/,
    ],
  ])("%s is bad usage", async (_name, args, words) => {
    const { code, stderr } = await runPalaver(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });

  test("an agent that cannot be started fails with the reason and exit code 1", async () => {
    const { code, stdout } = await runPalaver(["conform", "--", "/no/such/agent"]);
    expect(code).toBe(1);
    expect(stdout).toContain("could not be started: there is no program /no/such/agent");
  });
});

test.each<[NodeJS.Signals, number]>([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
])("%s ends palaver with code %i, and the agent it started with it", async (signal, code) => {
  const stubborn =
    'process.on("SIGTERM", () => {}); process.stdin.resume(); setInterval(() => {}, 1000); console.log(process.pid)';
  const child = spawn(process.execPath, [
    palaver,
    "conform",
    "--timeout",
    "60",
    "--",
    process.execPath,
    "-e",
    stubborn,
  ]);
  const agent = await childOf(child.pid ?? 0);
  child.kill(signal);
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(code);
  await expect.poll(() => isRunning(agent)).toBe(false);
});

describe("npm start without a terminal", () => {
  const npmStart = (stdin: string) => runProgram("npm", ["start", "--silent"], { stdin });

  test("says what there is to see and how to go on, and exits 0", async () => {
    const { code, stdout, stderr } = await npmStart("");
    expect(code).toBe(0);
    expect(stdout).toContain("one terminal UI for coding agents");
    expect(stderr).toContain("In a terminal: palaver");
  });

  test("takes one prompt from stdin", async () => {
    const { code, stdout } = await npmStart("hello");
    expect(code).toBe(0);
    expect(stdout).toContain("Hello!");
  });
});
