// `palaver doctor` as a person calls it: in a terminal, in one that is silent, and without any.
import { spawn as spawnChild } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { describe, expect, test } from "vitest";
import { home, PtySession } from "../pty-session.js";
import { ownEnvironment, palaver } from "../run-program.js";

const environment = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", ...ownEnvironment };

/** In a session of its own a process has no terminal, wherever the tests run. */
function withoutTerminal(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = spawnChild(process.execPath, [palaver, "doctor", ...args], {
      env: { ...environment, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout }));
  });
}

describe("palaver doctor", () => {
  test("in a terminal reports on it, leaves nothing else there, and gives it back", async () => {
    const script = `printf '$ doctor\\n'; "${process.execPath}" "${palaver}" doctor; echo "code $?"; stty -a`;
    const session = new PtySession("sh", ["-c", script], { columns: 100, rows: 60 });
    expect(await session.ended).toBe(0);
    const text = await session.text();
    expect(text).toMatch(/^\$ doctor\nTerminal\n {2}● terminal {4}it gives no name \(DA2 0;276;0\)/);
    expect(text).toContain("● size        100 × 60");
    expect(text).toMatch(/● widths {6}(?:it draws|all)/);
    expect(text).toContain("code 0");
    expect(text).toMatch(/(?<!-)icanon[\s\S]*(?<!-)echo /);
    expect(session.emulator.modes()).toMatchObject({
      bracketedPasteMode: false,
      sendFocusMode: false,
      isCursorShown: true,
    });
  });

  test("asks the terminal also when its output goes into a file", async () => {
    const file = join(home, "doctor.json");
    const script = `"${process.execPath}" "${palaver}" doctor --json > "${file}"`;
    const session = new PtySession("sh", ["-c", script], { columns: 200, rows: 200 });
    expect(await session.ended).toBe(0);
    const report = JSON.parse(readFileSync(file, "utf8")) as { answers: object };
    expect((await session.text()).trim()).toBe("");
    expect(report.answers).toMatchObject({ answered: "yes", columns: 200, secondaryAttributes: "0;276;0" });
  });

  test("in a terminal that never answers ends all the same", async () => {
    const pty = spawn(process.execPath, [palaver, "doctor"], {
      cols: 80,
      rows: 40,
      env: { ...environment, TERM: "vt52" },
    });
    let seen = "";
    pty.onData((data) => (seen += data));
    const code = await new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    expect(code).toBe(0);
    expect(seen).toContain("it answered no query in time");
  });

  test("without a terminal says so, without a single escape sequence", async () => {
    const { code, stdout } = await withoutTerminal([]);
    expect(code).toBe(0);
    expect(stdout).toContain("◌ terminal    there is none, so");
    expect(stdout).toContain("● node        ");
    expect(stdout).not.toContain("\x1b");
  });

  test.each([
    ["is no TOML", "theme = \n", /broken\/palaver\/config\.toml:1:\d+: /],
    ["has a value that cannot be", 'theme = "mos"\n', /broken\/palaver\/config\.toml:1: theme must be one of/],
  ])("a settings file that %s is a problem, with file, line and exit code 1", async (_name, text, words) => {
    const folder = join(home, "broken", "palaver");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), text);
    const { code, stdout } = await withoutTerminal(["--json"], { XDG_CONFIG_HOME: join(home, "broken") });
    expect(code).toBe(1);
    const { verdict, machine } = JSON.parse(stdout) as { verdict: string; machine: { topic: string; words: string }[] };
    expect(verdict).toBe("problem");
    expect(machine.find(({ topic }) => topic === "settings")?.words).toMatch(words);
  });
});
