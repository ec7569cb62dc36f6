// An agent as a process of its own: how it ends is always known, and it never outlives being stopped.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { type AgentProcess, startAgentProcess } from "../../../src/agents/agent-process.js";
import { temporaryFolder } from "../../server/temporary-folder.js";
import { isRunning } from "../processes.js";

const ladder = { farewellMs: 300, termMs: 300 };

function start(script: string): { agent: AgentProcess; output: () => string; said: (text: string) => Promise<void> } {
  let output = "";
  let wake = () => {};
  const agent = startAgentProcess(
    { command: process.execPath, args: ["-e", script] },
    {
      onStdout: (chunk) => {
        output += Buffer.from(chunk).toString();
        wake();
      },
    },
    ladder,
  );
  const said = async (text: string) => {
    while (!output.includes(text)) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { agent, output: () => output, said };
}

/** What a program prints that may have 64 files open. */
async function withFewFiles(name: string, ...args: number[]): Promise<unknown> {
  const program = join(temporaryFolder(), `${name}.mjs`);
  const source = new URL(`${name}.ts`, import.meta.url).pathname;
  await build({ entryPoints: [source], bundle: true, platform: "node", format: "esm", outfile: program });
  const run = `ulimit -n 64; exec "$0" "$1" ${args.join(" ")}`;
  return JSON.parse(execFileSync("sh", ["-c", run, process.execPath, program], { encoding: "utf8" }));
}

test("a command for which too many files are open has failed, and what runs here goes on", async () => {
  expect(await withFewFiles("few-files-commands")).toEqual({
    terminal: { ok: false, message: "spawn true EMFILE" },
    problem: expect.stringMatching(/^spawn \/bin\/\w+ EMFILE$/),
    shell: "spawn /bin/sh EMFILE",
  });
});

describe("an agent's process", () => {
  test("ends with its code, and the end of its stderr is kept", async () => {
    const { agent } = start('console.error("x".repeat(200000) + "the reason"); process.exitCode = 75');
    const { code, signal, error, stderrTail } = await agent.exited;
    expect({ code, signal, error }).toEqual({ code: 75, signal: null, error: null });
    expect(stderrTail.length).toBe(64 * 1024);
    expect(stderrTail.trimEnd().endsWith("the reason")).toBe(true);
  });

  test.each<[what: string, given: { command: string; cwd?: string }, words: string]>([
    ["a missing program", { command: "no-such-program" }, "there is no program no-such-program (ENOENT)"],
    ["a path through a file", { command: "/file/x" }, "there is no program /file/x (ENOTDIR)"],
    ["a file that may not be run", { command: "/file" }, "/file is not executable; run chmod +x (EACCES)"],
    [
      "a script without its interpreter",
      { command: "/script" },
      "the interpreter in /script's #! line was not found (ENOENT)",
    ],
    ["a folder that is gone", { command: "node", cwd: "/gone" }, "there is no folder /gone (ENOENT)"],
    ["a folder that is a file", { command: "node", cwd: "/file" }, "there is no folder /file (ENOTDIR)"],
  ])("that cannot be started because of %s is an end with the reason", async (_, { command, cwd }, words) => {
    const folder = temporaryFolder();
    const inFolder = (text: string) => text.replace(/\/(?=file|script|gone)/g, `${folder}/`);
    writeFileSync(inFolder("/file"), "");
    writeFileSync(inFolder("/script"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const given = { command: inFolder(command), args: [], ...(cwd === undefined ? {} : { cwd: inFolder(cwd) }) };
    const agent = startAgentProcess(given, { onStdout: () => undefined });
    expect(await agent.exited).toEqual({ code: null, signal: null, error: inFolder(words), stderrTail: "" });
    expect([agent.write("hello\n"), await agent.stop()]).toEqual(["lost", await agent.exited]);
  });

  test.each([0, 1, 6])(
    "that cannot be started because only %i more files may be open is an end with words, and what runs here goes on",
    async (left) => {
      const error = "too many open files; raise the limit with ulimit -n (EMFILE)";
      expect(await withFewFiles("few-files", left)).toEqual({ error, code: null, isLost: true, codeAfter: 0 });
    },
  );

  test("that is held back wakes no one: what it writes waits in its pipe, and comes in one piece", async () => {
    const chunks: string[] = [];
    let written = () => {};
    const hasWritten = new Promise<void>((resolve) => (written = resolve));
    const agent = startAgentProcess(
      {
        command: process.execPath,
        args: [
          "-e",
          `let n = 0; const timer = setInterval(() => {
             process.stdout.write("word ");
             if (++n === 20) { clearInterval(timer); process.stderr.write("written"); process.stdin.resume(); }
           }, 5);`,
        ],
      },
      { onStdout: (chunk) => chunks.push(Buffer.from(chunk).toString()), onStderr: () => written() },
    );
    agent.setFlow("paused");
    await hasWritten;
    expect(chunks).toEqual([]);
    agent.setFlow("flowing");
    agent.closeInput();
    await agent.exited;
    expect(chunks.join("")).toBe("word ".repeat(20));
    expect(chunks.length).toBeLessThanOrEqual(2);
  });

  test("is asked to leave first", async () => {
    const { agent, said } = start(
      'console.log("up"); process.stdin.once("data", (d) => process.exit(String(d) === "bye\\n" ? 0 : 9))',
    );
    await said("up");
    expect(await agent.stop("bye\n")).toMatchObject({ code: 0, signal: null });
  });

  test("is terminated when it does not listen, and killed when it does not obey", async () => {
    const deaf = start('console.log("up"); setInterval(() => {}, 1000)');
    await deaf.said("up");
    expect(await deaf.agent.stop("bye\n")).toMatchObject({ code: 143, signal: "SIGTERM" });
    const stubborn = start('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
    await stubborn.said("up");
    expect(await stubborn.agent.stop("bye\n")).toMatchObject({ code: 137, signal: "SIGKILL" });
  });

  test("takes the children it started with it", async () => {
    const { agent, output, said } = start(
      'const c = require("child_process").spawn("sleep", ["600"], { stdio: "ignore" }); console.log("child", c.pid, "."); setInterval(() => {}, 1000)',
    );
    await said(".");
    const child = Number(output().split(" ")[1]);
    expect(isRunning(child)).toBe(true);
    await agent.stop();
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  test("that is gone takes no more input, and stopping it again is harmless", async () => {
    const { agent } = start("process.exit(3)");
    await agent.exited;
    agent.write("late\n");
    expect(await agent.stop("bye\n")).toMatchObject({ code: 3 });
  });

  test("is noticed to be gone although a child of its own holds its output, and that child goes too", async () => {
    const { agent, output, said } = start(
      'const c = require("child_process").spawn("sleep", ["600"], { stdio: "inherit" }); console.log("child", c.pid, "."); process.stdin.once("data", () => process.exit(0))',
    );
    await said(".");
    const child = Number(output().split(" ")[1]);
    agent.write("go\n");
    expect(await agent.exited).toMatchObject({ code: 0 });
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  test("is one of many that share one listener for our own end", async () => {
    const before = process.listenerCount("exit");
    const agents = Array.from({ length: 12 }, () => start("process.stdin.resume()").agent);
    expect(process.listenerCount("exit")).toBe(before + 1);
    await Promise.all(agents.map((agent) => agent.stop()));
    expect(process.listenerCount("exit")).toBe(before);
  });
});
