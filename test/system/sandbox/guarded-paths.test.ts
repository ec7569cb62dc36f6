// Names that run code later, outside: made, linked, renamed or moved from inside, and looked at while a command runs and after.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { Box, boxTest, temporary, whereItWorks } from "./boxed.js";

describe(`a name that runs code later${whereItWorks}`, () => {
  boxTest("never comes into being: a command cannot make, link or fill it", async () => {
    const box = new Box();
    const names = [
      ".claude",
      ".vscode",
      ".husky",
      ".cursor",
      ".gemini",
      ".idea",
      ".devcontainer",
      ".envrc",
      ".mcp.json",
    ];
    for (const attempt of [
      ...names.map(
        (name) => `mkdir -p ${name}/sub; echo made > ${name}/file; echo made > ${name}; ln -s . ${name}/link`,
      ),
      "rmdir .vscode; mv .vscode x; rm -rf .vscode .git; mkdir .vscode; echo {} > .vscode/tasks.json; chmod 555 .",
      "unshare -Urm sh -c 'umount -l .vscode; mkdir -p .vscode; echo {} > .vscode/tasks.json'",
      "unshare -Urm sh -c 'mkdir /tmp/w; mount --bind . /tmp/w; echo {} > /tmp/w/.vscode/tasks.json'",
    ]) {
      expect((await box.run(attempt)).output, attempt).not.toBe("");
      expect(readdirSync(box.workspace), attempt).toEqual([]);
    }
  });

  boxTest("is an empty folder to git and to others while a command runs, and what they put into it stays", async () => {
    const box = new Box();
    execFileSync("git", ["init", "-q", box.workspace]);
    const boxed = await (await box.open()).wrap(["true"], box.environment);
    expect(execFileSync("git", ["status", "--short"], { cwd: box.workspace, encoding: "utf8" })).toBe("");
    mkdirSync(join(box.workspace, ".vscode"), { recursive: true });
    writeFileSync(join(box.workspace, ".vscode", "settings.json"), "{}");
    boxed.release();
    expect(readdirSync(box.workspace).sort()).toEqual([".git", ".vscode"]);
    expect(readdirSync(join(box.workspace, ".vscode"))).toEqual(["settings.json"]);
  });

  boxTest("stays out of reach of one command when another one in the same folder ends", async () => {
    const box = new Box();
    const sandbox = await box.open();
    const other = await sandbox.wrap(["true"], box.environment);
    const script = "echo > started; until [ -e go ]; do :; done; mkdir -p .vscode; echo {} > .vscode/tasks.json";
    const running = box.run(script);
    while (!existsSync(join(box.workspace, "started"))) await new Promise((resolve) => setImmediate(resolve));
    other.release();
    writeFileSync(join(box.workspace, "go"), "");
    expect((await running).output).toContain("Read-only file system");
    expect(readdirSync(box.workspace).sort()).toEqual(["go", "started"]);
  });

  boxTest(
    "stops commands, and does not turn the sandbox off, when it is a link, which cannot be protected",
    async () => {
      for (const target of ["missing", "tools/hooks"]) {
        const box = new Box();
        box.put("ws/tools/hooks/pre-commit", "as it was");
        symlinkSync(target, join(box.workspace, ".husky"));
        await expect(box.run("echo ran > ran")).rejects.toThrow("which cannot be protected");
        expect(existsSync(join(box.workspace, "ran"))).toBe(false);
      }
    },
  );

  boxTest.for([
    ["on one line", "[core] hooksPath = dev/githooks\n"],
    ["in quotes, over two lines", '[core]\n\tHOOKSPATH = "dev/gi\\\nthooks" # here\n'],
    ["in a file that is included", "[include]\n\tpath = ../settings\n"],
    ["in a file that is included from another", '[includeIf "gitdir:**"] path = ../first\n'],
  ])("is also a folder for hooks that git was told of %s", async ([, config]) => {
    const box = new Box();
    box.put("ws/first", "[include]\npath = settings\n");
    const settings = box.put("ws/settings", "[core]\nhooksPath = dev/githooks\n");
    box.put("ws/.git/config", config);
    box.put("ws/.git/HEAD", "ref: refs/heads/main\n");
    const hook = box.put("ws/dev/githooks/pre-commit", "as it was");
    await box.run("echo evil > dev/githooks/pre-commit; echo evil > dev/githooks/post-checkout; mv dev dev2");
    expect(readFileSync(hook, "utf8")).toBe("as it was");
    expect(readdirSync(join(box.workspace, "dev/githooks"))).toEqual(["pre-commit"]);
    if (!config?.includes("path")) return;
    await box.run("echo evil >> settings; mv settings s2");
    expect(readFileSync(settings, "utf8")).toBe("[core]\nhooksPath = dev/githooks\n");
  });

  boxTest("is also a folder for hooks that does not exist yet, and no link leads it elsewhere", async () => {
    const box = new Box();
    box.put("ws/.git/config", "[core]\n\thooksPath = scripts/hooks\n");
    box.put("ws/.git/HEAD", "ref: refs/heads/main\n");
    box.put("ws/scripts/build", "");
    mkdirSync(join(box.outside, "hooks"));
    await box.run(
      `mv scripts s2; ln -s ${box.outside} scripts; mkdir -p scripts/hooks; echo evil > scripts/hooks/pre-commit`,
    );
    expect(readdirSync(box.outside)).toEqual(["hooks"]);
    expect(existsSync(join(box.workspace, "scripts", "hooks"))).toBe(false);
    expect(readdirSync(join(box.outside, "hooks"))).toEqual([]);
    box.put("ws/.git/config", "[include]\n\tpath = ../missing\n");
    await expect(box.run("echo evil > missing")).rejects.toThrow("which does not exist");
    box.put("ws/.git/config", "[core]\n\thooksPath = .\n");
    await expect(box.run("echo evil > pre-commit")).rejects.toThrow("among its files");
  });

  boxTest("is also the folder of a repository that lies among the files", async () => {
    const box = new Box();
    execFileSync("git", ["init", "-q", "--separate-git-dir", join(box.workspace, "store"), box.workspace]);
    await box.run("echo evil > store/hooks/pre-commit; echo evil >> store/config; mv store s2");
    expect(existsSync(join(box.workspace, "store/hooks/pre-commit"))).toBe(false);
    expect(readFileSync(join(box.workspace, "store/config"), "utf8")).not.toContain("evil");
  });

  boxTest("is a part of a bare repository, so that no command makes one of the workspace", async () => {
    const box = new Box();
    mkdirSync(join(box.top, ".git"));
    await box.run("mkdir objects refs; mkdir refs/heads; echo 'ref: refs/heads/main' > HEAD; echo '[core]' > config");
    expect(readdirSync(box.workspace).sort()).toEqual(["HEAD", "config", "objects"]);
    mkdirSync(join(box.workspace, "refs"));
    await box.run("echo evil > HEAD; mv HEAD H; echo evil >> config; mkdir hooks");
    expect(readFileSync(join(box.workspace, "HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
    expect(readFileSync(join(box.workspace, "config"), "utf8")).toBe("[core]\n");
    expect(readdirSync(box.workspace).sort()).toEqual(["HEAD", "config", "objects", "refs"]);
  });
});

describe(`what the sandbox protects${whereItWorks}`, () => {
  boxTest("cannot be moved away with the folder it is in, for a later command to read", async () => {
    const box = new Box();
    box.put("ws/a/private/diary.txt", "DEAR-DIARY");
    const mayRead = (path: string) => !path.includes("private/");
    await box.run("mv a/private a/pub; mv a b; mv a/private/diary.txt x; ln a/private/diary.txt y", { mayRead });
    const { output } = await box.run("cat */*/* */* *; grep -rs DEAR .", { mayRead });
    expect(output).not.toContain("DEAR-DIARY");
    expect((await box.run("echo new > a/private/new && mv a/private/new a/new && cat a/new", { mayRead })).output).toBe(
      "new\n",
    );
  });

  boxTest("leaves no placeholder behind when the sandbox is closed while a command runs", async () => {
    const box = new Box();
    const sandbox = await box.open();
    await sandbox.wrap(["true"], box.environment);
    expect(readdirSync(box.workspace)).not.toEqual([]);
    sandbox.close();
    expect(readdirSync(box.workspace)).toEqual([]);
  });

  boxTest("has a home of its own also where the user's lies below /tmp", async () => {
    const home = temporary("palaver-home-");
    const box = new Box({ environment: { PATH: process.env["PATH"], HOME: home } });
    const { output } = await box.run("cd && echo kept > made && cat ~/made && pwd", { env: { HOME: home } });
    expect(output).toBe(`kept\n${home}\n`);
    expect(existsSync(join(home, "made"))).toBe(false);
  });
});
