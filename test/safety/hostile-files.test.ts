// Files that are traps: what an archive or a repository can bring along, and what an agent can put there between the moment at
// which something is looked at and the moment at which it is used.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findMentionedFiles, inspectFile, readTextFile, writeTextFile } from "../../src/agents/acp/workspace-files.js";
import { systemPrompt } from "../../src/builtin/session/agent-session.js";
import { editTool, writeTool } from "../../src/builtin/tools/change-tools.js";
import { grepTool } from "../../src/builtin/tools/grep-tool.js";
import { readTool } from "../../src/builtin/tools/read-tool.js";
import { dangerOfPath } from "../../src/session/permission/danger.js";
import { decidePermission, defaultPolicy } from "../../src/session/permission/policy.js";
import { makeWorkspace } from "../builtin/tools/workspace.js";

const isLinux = process.platform === "linux";

const root = realpathSync(mkdtempSync(join(tmpdir(), "palaver-traps-")));
const workspace = join(root, "workspace");
const outside = join(root, "outside");
const inside = (name: string) => join(workspace, name);

beforeAll(() => {
  for (const folder of [workspace, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "key"), "PRIVATE");
  execFileSync("mkfifo", [inside("pipe")]);
  symlinkSync("/dev/zero", inside("endless"));
  symlinkSync("/dev/tty", inside("keyboard"));
  symlinkSync(join(outside, "key"), inside("link"));
});

afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

/** What comes back, whatever way it comes. */
function resultOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: Error) => ({ ok: false, message: error.message }));
}

const read = (path: string) =>
  readTextFile({ type: "file.read", id: "1", path, realPath: realpathSync(path), line: null, limit: null });
const write = (path: string, oldText: string | null) =>
  writeTextFile({ type: "file.write", id: "1", path, realPath: path, content: "EVIL", oldText });

describe.runIf(isLinux)("for an agent that reads through us", () => {
  test.each(["pipe", "endless", "keyboard"])("the %s is no file, and nobody waits for it", async (name) => {
    expect(await resultOf(read(inside(name)))).toMatchObject({ ok: false });
    const looked = { type: "file.inspect", id: "1", path: inside(name), workspace } as const;
    expect(await resultOf(inspectFile(looked))).toMatchObject({ ok: false });
  });

  test("a file that says it is empty and is not is read as it is", async () => {
    expect(await read("/proc/self/comm")).toMatchObject({ ok: true, value: { text: expect.stringMatching(/\w/) } });
  });

  test("a picture that is mentioned and is a trap is a word", async () => {
    execFileSync("mkfifo", [inside("photo.png")]);
    const wish = { type: "mentions.find", id: "1", names: ["photo.png"], workspace, pictures: "read" } as const;
    expect(await findMentionedFiles(wish)).toEqual([]);
  });
});

describe.runIf(isLinux)("for an agent that writes through us", () => {
  test("a pipe, a device and a folder take nothing", async () => {
    mkdirSync(inside("folder"));
    for (const name of ["pipe", "folder"]) {
      expect(await resultOf(write(inside(name), null))).toMatchObject({ ok: false });
    }
  });

  test("another name of the same file keeps what it had", async () => {
    writeFileSync(join(outside, "profile"), "mine", { mode: 0o640 });
    linkSync(join(outside, "profile"), inside("notes"));
    expect(await write(inside("notes"), "mine")).toEqual({ ok: true, value: null });
    expect(readFileSync(inside("notes"), "utf8")).toBe("EVIL");
    expect(readFileSync(join(outside, "profile"), "utf8")).toBe("mine");
    expect(statSync(inside("notes")).mode & 0o777).toBe(0o640);
  });

  test("a file that changed since it was shown is not written", async () => {
    writeFileSync(inside("shown"), "what the user saw");
    writeFileSync(inside("shown"), "what somebody else wrote meanwhile");
    expect(await write(inside("shown"), "what the user saw")).toMatchObject({ ok: false });
    expect(readFileSync(inside("shown"), "utf8")).toContain("somebody else");
  });

  test("a link that took the place of the file, or of a folder on the way, leads nowhere", async () => {
    symlinkSync(join(outside, "late"), inside("late"));
    expect(await write(inside("late"), null)).toMatchObject({ ok: false });
    symlinkSync(outside, inside("sub"));
    const path = join(inside("sub"), "new");
    expect(await write(path, null)).toMatchObject({ ok: false });
    expect(existsSync(join(outside, "late")) || existsSync(join(outside, "new"))).toBe(false);
  });
});

describe("a name in other letters", () => {
  const request = { tool: "edit", access: "write", reach: "inside", danger: null } as const;
  const decide = (decision: "allow" | "deny", pattern: string, subject: string) => {
    const rule = { layer: "user", rule: { decision, tool: "edit", pattern } } as const;
    return decidePermission({ ...defaultPolicy, rules: [rule] }, { ...request, subject }).decision;
  };

  test("is forbidden with the one that is, because a disk may take one for the other", () => {
    expect(decide("deny", "config/.env", "Config/.ENV")).toBe("deny");
    expect(decide("deny", "caf\u00e9/**", "cafe\u0301/menu")).toBe("deny");
    expect(dangerOfPath({ access: "write", path: ".GIT/hooks/pre-commit", reach: "inside" })).toContain("git");
  });

  test("is not allowed with the one that is", () => {
    expect(decide("allow", "src/**", "src/a.ts")).toBe("allow");
    expect(decide("allow", "src/**", "SRC/a.ts")).toBe("ask");
  });
});

describe.runIf(isLinux)("for the embedded agent", () => {
  test("a link, a pipe or a device in the place of the project's own words is not read", async () => {
    const facts = { folder: workspace, systemPrompt: "me" };
    for (const trap of ["link", "pipe", "endless"]) {
      symlinkSync(inside(trap), inside("AGENTS.md"));
      expect(await systemPrompt(facts, 0)).not.toContain("The project says");
      unlinkSync(inside("AGENTS.md"));
    }
    writeFileSync(inside("CLAUDE.md"), "Use tabs.");
    symlinkSync("CLAUDE.md", inside("AGENTS.md"));
    expect(await systemPrompt(facts, 0)).toContain("The project says in AGENTS.md:\n\nUse tabs.");
  });

  test("a tool reads, searches and changes no pipe, no device and nothing through a late link", async () => {
    const space = makeWorkspace();
    try {
      execFileSync("mkfifo", [join(space.folder, "pipe")]);
      symlinkSync("/dev/zero", join(space.folder, "endless"));
      space.put("a.txt", "needle\n");
      for (const path of ["pipe", "endless", "/proc/self/mem", "/dev/tty"]) {
        expect(await resultOf(space.run(readTool, { path }, { unplanned: true }))).not.toMatchObject({
          outcome: "done",
        });
      }
      const found = await space.run(grepTool, { pattern: "needle" });
      expect(found.text).toContain("a.txt");
      const change = { path: "a.txt", edits: [{ old_text: "needle", new_text: "pin" }] };
      const plan = await space.plan(editTool, change);
      unlinkSync(join(space.folder, "a.txt"));
      writeFileSync(join(space.outside, "victim"), "needle\n");
      symlinkSync(join(space.outside, "victim"), join(space.folder, "a.txt"));
      const edited = await resultOf(space.run(editTool, change, { plan }));
      expect(edited).not.toMatchObject({ outcome: "done" });
      expect(readFileSync(join(space.outside, "victim"), "utf8")).toBe("needle\n");
    } finally {
      space.remove();
    }
  });

  test("a change goes to one name of a file alone", async () => {
    const space = makeWorkspace();
    try {
      writeFileSync(join(space.outside, "profile"), "mine\n");
      linkSync(join(space.outside, "profile"), join(space.folder, "notes"));
      expect(await space.run(writeTool, { path: "notes", content: "theirs\n" })).toMatchObject({ outcome: "done" });
      expect(readFileSync(join(space.outside, "profile"), "utf8")).toBe("mine\n");
    } finally {
      space.remove();
    }
  });
});
