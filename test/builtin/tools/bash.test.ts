// bash: output in order and within bounds, an end that is always known, and nothing left behind.
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bashTool, OutputWindow } from "../../../src/builtin/tools/bash-tool.js";
import { isRunning } from "../../e2e/processes.js";
import { makeWorkspace, type Workspace } from "./workspace.js";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.remove());

const bash = (command: string, timeout_s?: number) =>
  ws.run(bashTool, { command, ...(timeout_s === undefined ? {} : { timeout_s }) });

/** The process ids that a command wrote to a file, as soon as they are there. */
async function pidsIn(name: string, count = 1): Promise<number[]> {
  const read = () => {
    try {
      return readFileSync(join(ws.folder, name), "utf8").trim().split("\n").map(Number);
    } catch {
      return [];
    }
  };
  await expect.poll(() => read().length, { timeout: 25_000 }).toBeGreaterThanOrEqual(count);
  return read();
}

describe("bash", () => {
  test("runs in the workspace and returns output and exit code", async () => {
    expect(await bash("pwd; exit 3")).toEqual({
      text: `${ws.folder}\n[exit code 3]`,
      outcome: "failed",
      details: { exitCode: 3, timedOut: false, outputLines: 1, outputChars: ws.folder.length + 1 },
    });
    expect(await bash("true")).toMatchObject({ text: "[exit code 0]", outcome: "done" });
  });

  test("keeps output and errors in the order in which they were written", async () => {
    const { text } = await bash("for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done");
    expect(text.split("\n").slice(0, 10)).toEqual([1, 2, 3, 4, 5].flatMap((i) => [`out ${i}`, `err ${i}`]));
  });

  test("streams what it prints", async () => {
    const heard: string[] = [];
    await ws.run(bashTool, { command: "printf 'a\\nb é\\n'" }, { onOutput: (text) => heard.push(text) });
    expect(heard.join("")).toBe("a\nb é\n");
  });

  test("names the line of a mistake as the shell sees it, and says how a signal ended it", async () => {
    expect((await bash("nosuchcommand")).text).toMatch(/line 1: nosuchcommand: command not found\n\[exit code 127\]$/);
    expect((await bash("kill -9 $$")).text).toBe("[exit code 137]");
  });

  test("has no input, no pager and no terminal", async () => {
    expect((await bash("cat; echo done")).text).toBe("done");
    expect((await bash("echo $PAGER $GIT_PAGER; tty")).text).toMatch(/^cat cat\nnot a tty/);
  });

  test("keeps the beginning and the end of long output", async () => {
    const { text, details } = await bash("echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last");
    expect(text.length).toBeLessThan(40_000);
    expect(text).toMatch(/^first\nx+\n\[… 2,9\d\d,\d{3} characters left out …\]\nx+\nlast$/);
    expect(details).toMatchObject({ outputLines: 3, outputChars: 3_000_012 });
  });

  test("streams only so much", async () => {
    let heard = "";
    const onOutput = (text: string) => {
      heard += text;
    };
    await ws.run(bashTool, { command: "head -c 3000000 /dev/zero" }, { onOutput });
    expect(heard.length).toBeLessThan(200_000);
    expect(heard.endsWith("\n[more output is not shown while it runs]\n")).toBe(true);
  });

  test("is ended by its time limit, with all it started", async () => {
    const result = await bash("echo before; sleep 600 & echo $! > pids; wait", 0.5);
    expect(result.text).toBe("before\n[ended after 0.5 seconds; set timeout_s for more time]");
    expect(result).toMatchObject({ outcome: "failed", details: { exitCode: null, timedOut: true } });
    const [pid = 0] = await pidsIn("pids");
    expect(isRunning(pid)).toBe(false);
  });

  test("is ended by an abort, also when it does not want to, and rejects", async () => {
    const stop = new AbortController();
    const command =
      "trap '' TERM; echo $$ > pids; (trap '' TERM; sleep 600) & echo $! >> pids; while true; do sleep 1; done";
    const running = ws.run(bashTool, { command }, { signal: stop.signal });
    const pids = await pidsIn("pids", 2);
    stop.abort("the user said so");
    await expect(running).rejects.toBe("the user said so");
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test("does not wait for what it left in the background, and ends it", async () => {
    const result = await bash("sleep 600 & echo $! > pids; echo started");
    expect(result).toMatchObject({
      text: "started\n[background processes were ended]",
      outcome: "done",
    });
    const [pid = 0] = await pidsIn("pids");
    expect(isRunning(pid)).toBe(false);
  });

  test("does not wait for what left its group and holds the pipe", async () => {
    const result = await bash("setsid sleep 30 & echo $! > pids; echo started");
    expect(result.text).toMatch(/^started(\n|$)/);
    const [pid = 0] = await pidsIn("pids");
    if (isRunning(pid)) process.kill(pid);
  });

  test("says in its plan what it would run and what is dangerous about it", async () => {
    expect(await ws.plan(bashTool, { command: " npm test\n" })).toEqual({
      access: "execute",
      subject: "npm test",
      reach: "inside",
      danger: null,
      preview: { summary: "npm test", language: "bash" },
    });
    expect(await ws.plan(bashTool, { command: "rm -rf ../x" })).toMatchObject({
      reach: "outside",
      danger: expect.stringMatching(/deletes folders.*writes outside/),
    });
    expect((await ws.plan(bashTool, { command: `cat ${ws.folder}/a` })).reach).toBe("inside");
    await expect(ws.plan(bashTool, { command: "  " })).rejects.toThrow("The command is empty.");
  });

  test.for([
    ["cp a g/hooks/zz", /git's own files/],
    ["cp r/etc/hostname b", /outside the workspace/],
    ["cp a o/m", /outside the workspace/],
    ["cat envlink", /looks like a secret/],
    ["tar --file=o/m a", /outside the workspace/],
    ["cd o && touch m", /outside the workspace/],
  ] as const)("judges %s by where its links lead", async ([command, danger]) => {
    for (const [name, target] of [
      ["g", ".git"],
      ["r", "/"],
      ["o", ".."],
      ["envlink", ".env"],
    ] as const)
      symlinkSync(target, join(ws.folder, name));
    expect(await ws.plan(bashTool, { command })).toMatchObject({
      reach: "outside",
      danger: expect.stringMatching(danger),
    });
  });

  test("takes a link that stays among the files for what it leads to", async () => {
    mkdirSync(join(ws.folder, "packages"));
    symlinkSync("packages", join(ws.folder, "link"));
    expect(await ws.plan(bashTool, { command: "ls link/a" })).toMatchObject({ reach: "inside", danger: null });
  });
});

describe("an output window", () => {
  test("keeps all of what fits, and counts the rest", () => {
    const window = new OutputWindow({ headCharsMax: 4, tailCharsMax: 4 });
    window.add("abc");
    window.add("defg");
    expect(window.text).toBe("abcdefg");
    for (const part of ["hij", "", "klmnopqrstuvwxyz", "\n12"]) window.add(part);
    expect(window.text).toBe("abcd\n[… 21 characters left out …]\nz\n12");
    expect([window.totalChars, window.lines]).toEqual([29, 2]);
  });
});
