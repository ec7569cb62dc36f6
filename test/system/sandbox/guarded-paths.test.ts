// Names that run code later, outside: made, linked, renamed or moved from inside, and looked at afterwards.
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { Box, boxTest, temporary, whereItWorks } from "./boxed.js";

describe(`a name that runs code later${whereItWorks}`, () => {
  boxTest("does not stay when a command made it: it is renamed, with what is in it", async () => {
    const box = new Box();
    const names = [".claude", ".vscode", ".husky", ".cursor", ".gemini", ".idea", ".devcontainer"];
    const made = names.map((name) => `mkdir ${name}; echo made > ${name}/file`);
    await box.run([...made, "echo made > .envrc; echo made > .mcp.json; ln -s . .zed"].join("; "));
    const all = [...names, ".envrc", ".mcp.json", ".zed"];
    expect(readdirSync(box.workspace).sort()).toEqual(all.map((name) => `${name}.from-sandbox`).sort());
    expect(readFileSync(join(box.workspace, ".claude.from-sandbox", "file"), "utf8")).toBe("made\n");
    expect(box.undone).toHaveLength(all.length);
    expect(box.undone).toContain(
      ".envrc was renamed to .envrc.from-sandbox, because it can run code outside the sandbox later",
    );
    await box.run("echo again > .envrc");
    expect(existsSync(join(box.workspace, ".envrc"))).toBe(false);
    expect(readFileSync(join(box.workspace, ".envrc.from-sandbox-2"), "utf8")).toBe("again\n");
  });

  boxTest("cannot be written through a link to another folder of the workspace, nor be led elsewhere", async () => {
    const box = new Box();
    const hook = box.put("ws/tools/hooks/pre-commit", "as it was");
    symlinkSync("tools/hooks", join(box.workspace, ".husky"));
    for (const attempt of [
      "echo evil > .husky/pre-commit",
      "echo evil > tools/hooks/pre-commit",
      "mv tools other; mkdir -p tools/hooks; echo evil > tools/hooks/pre-commit",
      "rm .husky; mkdir .husky; echo evil > .husky/pre-commit",
      "ln -sfn other .husky",
      "rm .husky",
    ]) {
      await box.run(attempt);
      expect(readlinkSync(join(box.workspace, ".husky")), attempt).toBe("tools/hooks");
      expect(readFileSync(hook, "utf8"), attempt).toBe("as it was");
    }
    expect(box.undone.at(-1)).toBe(".husky was put back, because it can run code outside the sandbox later");
  });

  boxTest("stops commands, and does not turn the sandbox off, when its link cannot be protected", async () => {
    for (const target of ["missing", "chain"]) {
      const box = new Box();
      symlinkSync(box.outside, join(box.workspace, "chain"));
      symlinkSync(target, join(box.workspace, ".husky"));
      await expect(box.run("echo ran > ran")).rejects.toThrow(`is a link to ${target}, which cannot be protected`);
      expect(existsSync(join(box.workspace, "ran"))).toBe(false);
    }
  });

  boxTest("is also a folder for hooks, or a file of settings, that git was told of", async () => {
    const box = new Box();
    box.put("ws/.git/config", "[core]\n\thooksPath = dev/githooks\n[include]\n\tpath = ../.gitconfig\n");
    const hook = box.put("ws/dev/githooks/pre-commit", "as it was");
    await box.run("echo evil > dev/githooks/pre-commit; mv dev dev2; echo evil > .gitconfig");
    expect(readFileSync(hook, "utf8")).toBe("as it was");
    expect(readdirSync(box.workspace).sort()).toEqual([".git", ".gitconfig.from-sandbox", "dev"]);
  });

  boxTest("is HEAD at the top, so that no command makes a bare repository of the workspace", async () => {
    const box = new Box();
    mkdirSync(join(box.top, ".git"));
    await box.run("mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; echo '[core]' > config");
    expect(existsSync(join(box.workspace, "HEAD"))).toBe(false);
    expect(box.undone).toHaveLength(1);
    box.put("ws/HEAD", "notes");
    await box.run("echo 'ref: refs/heads/main' > HEAD; mv HEAD H; echo x >> config");
    expect(readFileSync(join(box.workspace, "HEAD"), "utf8")).toBe("notes");
    expect(readFileSync(join(box.workspace, "config"), "utf8")).toBe("[core]\n");
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

  boxTest(
    "leaves no empty .git behind when the sandbox is closed while a command runs, or was killed before",
    async () => {
      const box = new Box();
      mkdirSync(join(box.workspace, ".git"));
      expect((await box.run("mkdir .git/hooks")).code).not.toBe(0);
      expect(readdirSync(box.workspace)).toEqual([]);
      const sandbox = await box.open();
      await sandbox.wrap(["true"], box.environment);
      mkdirSync(join(box.workspace, ".git"));
      sandbox.close();
      expect(readdirSync(box.workspace)).toEqual([]);
    },
  );

  boxTest("has a home of its own also where the person's lies below /tmp", async () => {
    const home = temporary("palaver-home-");
    const box = new Box({ environment: { PATH: process.env["PATH"], HOME: home } });
    const { output } = await box.run("cd && echo kept > made && cat ~/made && pwd", { env: { HOME: home } });
    expect(output).toBe(`kept\n${home}\n`);
    expect(readdirSync(home)).toEqual([]);
  });
});
