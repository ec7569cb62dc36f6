// edit and write: exact, whole or not at all, and only what was shown.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyEdits, editTool, type TextEdit, writeTool } from "../../../src/builtin/tools/change-tools.js";
import { verifies } from "../../verifies.js";
import { makeWorkspace, type Workspace, withoutRoot } from "./workspace.js";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.remove());

const content = (path: string) => readFileSync(join(ws.folder, path), "utf8");
const one = (old_text: string, new_text: string) => [{ old_text, new_text }];

describe("exact edits", () => {
  test.each([
    ["a b c", one("b", "x"), "a x c"],
    ["a a", [{ old_text: "a", new_text: "b", replace_all: true }], "b b"],
    ["a\nb\n", [...one("a", "b2"), ...one("b2\nb", "c")], "c\n"],
    ["price", one("price", "$& $1 $$"), "$& $1 $$"],
    ["a\r\nb\r\n", one("a\nb", "x\ny\nz"), "x\r\ny\r\nz\r\n"],
    ["a\r\nb\r\n", one("a", "x\ny"), "x\r\ny\r\nb\r\n"],
    ["a\r\nb\r\n", one("a\r\nb", "x\ny"), "x\ny\r\n"],
    ["a\r\nb\nc\r\nd\n", one("b\nc", "x"), "a\r\nx\r\nd\n"],
    ["a\r\nb\nc\n", one("a\nb", "x\ny"), "x\r\ny\nc\n"],
    ["\ufeffa\n", one("a", "b"), "\ufeffb\n"],
    ["no newline", one("newline", "end"), "no end"],
  ])("of %j with %j give %j", (before, edits, after) => {
    expect(applyEdits(before, edits).text).toBe(after);
  });

  test.each<[string, TextEdit[], RegExp]>([
    ["a\nb\na\n", one("a", "x"), /in the file 2 times, at lines 1, 3\. Add the lines around/],
    ["  return  1;\n", one("return 1;", "x"), /not in the file\. The same but for white space is line 1: return {2}1;/],
    [
      "const total = sum(items);\n",
      one("const total = sum(item);", "x"),
      /The nearest is line 1: const total = sum\(items\);/,
    ],
    ["abc\n", one("zzz", "x"), /Nothing in it is similar/],
    ["abc\n", one("", "x"), /old_text is empty/],
    ["abc\n", one("a", "a"), /are the same/],
    ["ab\n", [...one("a", "x"), ...one("q", "y")], /^Edit 2 of 2: old_text is not in the file/],
    ["ab\n", [...one("a", "x"), ...one("x", "a")], /change nothing/],
    ["a".repeat(5_000), [{ old_text: "a", new_text: "b".repeat(5_000), replace_all: true }], /too large/],
  ])("of %j with %j are refused", (before, edits, why) => {
    expect(() => applyEdits(before, edits)).toThrow(why);
  });
});

describe("edit", () => {
  test("plans with the diff of a dry run, and does what it planned", async () => {
    ws.put("src/a.ts", "one\ntwo\nthree\n");
    const plan = await ws.plan(editTool, { path: "src/a.ts", edits: one("two", "2") });
    expect(plan).toMatchObject({ access: "write", subject: "src/a.ts", reach: "inside", danger: null });
    expect(plan.preview).toEqual({
      path: "src/a.ts",
      diff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    });
    expect(content("src/a.ts")).toBe("one\ntwo\nthree\n");
    const result = await ws.run(editTool, { path: "src/a.ts", edits: one("two", "2") }, { plan });
    expect(result).toMatchObject({
      text: "Changed src/a.ts: 1 line added, 1 removed.",
      outcome: "done",
      details: { added: 1, removed: 1, diff: plan.preview.diff },
    });
    expect(content("src/a.ts")).toBe("one\n2\nthree\n");
  });

  test("refuses when the file changed since the plan", async () => {
    verifies("approvals.are-kept");
    const path = ws.put("a.ts", "one\n");
    const plan = await ws.plan(editTool, { path: "a.ts", edits: one("one", "two") });
    writeFileSync(path, "one\nmore\n");
    const result = await ws.run(editTool, { path: "a.ts", edits: one("one", "two") }, { plan });
    expect(result).toMatchObject({
      outcome: "failed",
      text: expect.stringMatching(/has changed since this was planned/),
    });
    expect(content("a.ts")).toBe("one\nmore\n");
  });

  test("keeps mode, line ends and the missing newline, and leaves nothing else behind", async () => {
    chmodSync(ws.put("run.sh", "#!/bin/sh\r\necho hi"), 0o750);
    await ws.run(editTool, { path: "run.sh", edits: one("#!/bin/sh\necho hi", "#!/bin/sh\necho there") });
    expect(content("run.sh")).toBe("#!/bin/sh\r\necho there");
    expect(statSync(join(ws.folder, "run.sh")).mode & 0o777).toBe(0o750);
    expect(readdirSync(ws.folder)).toEqual(["run.sh"]);
  });

  test("goes through a link to its target, which is what the plan names", async () => {
    ws.put("real/a.ts", "one\n");
    symlinkSync("real/a.ts", join(ws.folder, "alias.ts"));
    const plan = await ws.plan(editTool, { path: "alias.ts", edits: one("one", "two") });
    expect(plan).toMatchObject({
      subject: "real/a.ts",
      preview: { summary: "change real/a.ts (written as alias.ts)" },
    });
    await ws.run(editTool, { path: "alias.ts", edits: one("one", "two") }, { plan });
    expect(content("real/a.ts")).toBe("two\n");
    expect(readdirSync(ws.folder).sort()).toEqual(["alias.ts", "real"]);
    expect(content("alias.ts")).toBe("two\n");
  });

  test("says that it would write outside", async () => {
    writeFileSync(join(ws.outside, "a.ts"), "one\n");
    symlinkSync(ws.outside, join(ws.folder, "away"));
    const plan = await ws.plan(editTool, { path: "away/a.ts", edits: one("one", "two") });
    expect(plan).toMatchObject({ reach: "outside", danger: "it writes outside the workspace" });
  });

  test("does not follow a link that took the place of the file after the plan", async () => {
    const path = ws.put("a.ts", "one\n");
    writeFileSync(join(ws.outside, "a.ts"), "one\n");
    const plan = await ws.plan(editTool, { path: "a.ts", edits: one("one", "two") });
    execFileSync("ln", ["-sf", join(ws.outside, "a.ts"), path]);
    const result = await ws.run(editTool, { path: "a.ts", edits: one("one", "two") }, { plan });
    expect(result.outcome).toBe("failed");
    expect(readFileSync(join(ws.outside, "a.ts"), "utf8")).toBe("one\n");
  });

  test("refuses what is no text, too large, missing, or no file", async () => {
    ws.put("latin.txt", Buffer.from("caf\u00e9", "latin1"));
    ws.put("big.txt", "x".repeat(11 * 1024 * 1024));
    execFileSync("mkfifo", [join(ws.folder, "fifo")]);
    mkdirSync(join(ws.folder, "folder"));
    const plan = (path: string) => ws.plan(editTool, { path, edits: one("x", "y") });
    await expect(plan("latin.txt")).rejects.toThrow(/not UTF-8/);
    await expect(plan("big.txt")).rejects.toThrow(/11\.5 MB; files up to 10\.5 MB/);
    await expect(plan("fifo")).rejects.toThrow(/is a pipe/);
    await expect(plan("folder")).rejects.toThrow(/is a folder/);
    await expect(plan("latim.txt")).rejects.toThrow(/Did you mean latin.txt/);
  });

  test("respects a file that may not be written, though its folder may", async () => {
    chmodSync(ws.folder, 0o777);
    chmodSync(ws.put("a.ts", "one\n"), 0o444);
    await withoutRoot(() =>
      expect(ws.plan(editTool, { path: "a.ts", edits: one("one", "two") })).rejects.toThrow(/permission denied/),
    );
  });

  test("writes nothing after an abort", async () => {
    ws.put("a.ts", "one\n");
    const signal = AbortSignal.abort("stop");
    await expect(ws.run(editTool, { path: "a.ts", edits: one("one", "two") }, { signal })).rejects.toBe("stop");
    expect(content("a.ts")).toBe("one\n");
  });
});

describe("write", () => {
  test("makes a new file and the folders on the way, after showing all of it", async () => {
    const plan = await ws.plan(writeTool, { path: "new/deep/a.ts", content: "one\ntwo\n" });
    expect(plan.preview).toEqual({
      path: "new/deep/a.ts",
      summary: "create new/deep/a.ts",
      diff: "--- /dev/null\n+++ b/new/deep/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n",
    });
    expect(existsSync(join(ws.folder, "new"))).toBe(false);
    const result = await ws.run(writeTool, { path: "new/deep/a.ts", content: "one\ntwo\n" }, { plan });
    expect(result.text).toBe("Created new/deep/a.ts: 2 lines added, 0 removed.");
    expect(content("new/deep/a.ts")).toBe("one\ntwo\n");
  });

  test("shows what it would replace, and keeps the line ends of the file", async () => {
    ws.put("a.txt", "one\r\ntwo\r\n");
    const plan = await ws.plan(writeTool, { path: "a.txt", content: "one\n2\n" });
    expect(plan.preview.diff).toContain("-two\r\n+2\r\n");
    await ws.run(writeTool, { path: "a.txt", content: "one\n2\n" }, { plan });
    expect(content("a.txt")).toBe("one\r\n2\r\n");
  });

  test("refuses when something appeared where nothing was", async () => {
    const plan = await ws.plan(writeTool, { path: "a.txt", content: "mine\n" });
    ws.put("a.txt", "theirs\n");
    const result = await ws.run(writeTool, { path: "a.txt", content: "mine\n" }, { plan });
    expect(result.outcome).toBe("failed");
    expect(content("a.txt")).toBe("theirs\n");
  });

  test("does not make folders through a link that appeared after the plan", async () => {
    const plan = await ws.plan(writeTool, { path: "sub/a.txt", content: "x\n" });
    symlinkSync(ws.outside, join(ws.folder, "sub"));
    const result = await ws.run(writeTool, { path: "sub/a.txt", content: "x\n" }, { plan });
    expect(result).toMatchObject({ outcome: "failed", text: expect.stringMatching(/leads to .*outside\/a\.txt now/) });
    expect(readdirSync(ws.outside)).toEqual([]);
  });

  test("refuses folders, pipes, files in the way, and what would change nothing", async () => {
    ws.put("file", "same\n");
    mkdirSync(join(ws.folder, "folder"));
    execFileSync("mkfifo", [join(ws.folder, "fifo")]);
    const plan = (path: string, text = "x") => ws.plan(writeTool, { path, content: text });
    await expect(plan("folder")).rejects.toThrow("folder is a folder, not a file.");
    await expect(plan("fifo")).rejects.toThrow("fifo is a pipe, not a file.");
    await expect(plan("file/x")).rejects.toThrow(/a file where a folder should be/);
    await expect(plan("file", "same\n")).rejects.toThrow("file already has exactly this content.");
  });

  test("cuts a huge preview and says so", async () => {
    const plan = await ws.plan(writeTool, { path: "big.txt", content: `${"x".repeat(99)}\n`.repeat(20_000) });
    expect(plan.preview.truncated).toBe(true);
    expect(plan.preview.diff?.length).toBeLessThanOrEqual(1_000_000);
  });

  test("reports a folder that may not be written", async () => {
    mkdirSync(join(ws.folder, "locked"), { mode: 0o555 });
    const input = { path: "locked/a", content: "x" };
    const result = await withoutRoot(() => ws.run(writeTool, input, { unplanned: true }));
    expect(result).toEqual({ outcome: "failed", text: "locked/a may not be accessed: permission denied." });
    expect(readdirSync(join(ws.folder, "locked"))).toEqual([]);
  });

  test("says what replaces something that is no text", async () => {
    ws.put("a.bin", Buffer.from([0, 1, 2]));
    const plan = await ws.plan(writeTool, { path: "a.bin", content: "text\n" });
    expect(plan.preview.summary).toBe("replace the binary file a.bin");
  });
});

describe("a folder that becomes a link while a file is written", () => {
  const SWAP =
    'const fs=require("fs");const [dir,out]=process.argv.slice(1);process.chdir(dir);process.stdout.write("on\\n");' +
    "const t=(f)=>{try{f()}catch{}};const end=Date.now()+20000;while(Date.now()<end&&process.ppid>1){" +
    't(()=>fs.renameSync("sub","real"));t(()=>fs.symlinkSync(out,"sub"));' +
    't(()=>fs.unlinkSync("sub"));t(()=>fs.renameSync("real","sub"))}';

  test("gets no file, no folder and no draft written to where the link leads", async () => {
    mkdirSync(join(ws.folder, "sub"));
    const swapper = spawn(process.execPath, ["-e", SWAP, ws.folder, ws.outside], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(swapper.stdout, "data");
      for (let at = 0; at < 200; at++) {
        const input = { path: at % 2 === 0 ? `sub/${at}.txt` : `sub/deep${at}/a.txt`, content: "x\n" };
        const plan = { access: "write", subject: input.path, reach: "inside", danger: null, preview: {} } as const;
        await ws.run(writeTool, input, { plan: { ...plan, basis: "absent" } });
      }
    } finally {
      const gone = once(swapper, "exit");
      swapper.kill("SIGKILL");
      await gone;
    }
    expect(readdirSync(ws.outside)).toEqual([]);
    const left = readdirSync(ws.folder, { recursive: true }).map(String);
    expect(left.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
