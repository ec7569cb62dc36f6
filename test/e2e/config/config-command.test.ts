// The settings from a shell: shown, changed, checked, with the exit codes that scripts rely on.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runPalaver } from "../run-program.js";

function person() {
  const home = mkdtempSync(join(tmpdir(), "palaver-person-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(home, "project");
  mkdirSync(join(folder, ".git"), { recursive: true });
  const file = join(home, "config.toml");
  const config = (args: string[], env: Record<string, string> = {}) =>
    runPalaver(["config", ...args], { cwd: folder, env: { HOME: home, PALAVER_CONFIG: file, ...env } });
  return { folder, file, config };
}

describe("palaver config", () => {
  test("keeps a setting, shows where each came from, and lets the environment and a flag win", async () => {
    const { config, file } = person();
    writeFileSync(file, "# mine\nwrap = 'words' # stays\n");
    expect(await config(["set", "theme", "moss"])).toMatchObject({ code: 0, stdout: `theme is set in ${file}\n` });
    expect(readFileSync(file, "utf8")).toBe("# mine\nwrap = 'words' # stays\ntheme = \"moss\"\n");
    const { stdout } = await config([]);
    expect(stdout).toMatch(new RegExp(`^theme +moss +${file}$`, "m"));
    expect(await config(["get", "theme"], { PALAVER_THEME: "dawn" })).toMatchObject({ stdout: "dawn\n" });
    expect(await config(["get", "theme", "--theme", "ember"], { PALAVER_THEME: "dawn" })).toMatchObject({
      stdout: "ember\n",
    });
  });

  test("says file, line and column of what is broken, and exits 2", async () => {
    const { config, file } = person();
    writeFileSync(file, 'theme = "moss"\nwrap = words\n');
    const { code, stderr } = await config(["check"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:2:8: `);
    expect(await config(["path"])).toMatchObject({ code: 0 });
  });

  test("takes nothing dangerous from a project until it is trusted, and asks again when it changed", async () => {
    const { config, folder } = person();
    const theirs = join(folder, ".palaver.toml");
    writeFileSync(theirs, 'editor = "vim"\ntheme = "paper"\n');
    const before = await config(["check", "--json"]);
    expect(before.code).toBe(0);
    expect(JSON.parse(before.stdout).warnings[0]).toContain(".palaver.toml:1: editor is ignored");
    expect(await config(["get", "theme"])).toMatchObject({ stdout: "paper\n" });
    expect(await config(["trust"])).toMatchObject({ code: 0 });
    expect(await config(["get", "editor"])).toMatchObject({ stdout: "vim\n" });
    writeFileSync(theirs, 'editor = "evil"\n');
    expect(await config(["get", "editor"])).toMatchObject({ stdout: "\n" });
  });

  test.each([
    [["get", "thme"], "did you mean theme?"],
    [["set", "theme"], "needs a key and a value"],
    [["set", "theme", "pink"], "theme must be one of"],
    [["set", "keys.abort", "ctrl+c"], "ctrl+c always means cancel"],
    [["gett"], 'did you mean "config get"?'],
  ])("%j is bad usage with words", async (args, words) => {
    const { code, stderr } = await person().config(args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
