// --sandbox and --no-sandbox as a person uses them: the real command around a real agent, also without the rights of root.
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { boxTest, PLACE, whereItWorks } from "../../system/sandbox/boxed.js";
import { verifies } from "../../verifies.js";
import { PtySession } from "../pty-session.js";
import { ownEnvironment, palaver, projectRoot, runPalaver, runProgram } from "../run-program.js";

const shellAgent = fileURLToPath(new URL("./shell-agent.mjs", import.meta.url));
const NOBODY = 65_534;

function place() {
  const top = realpathSync(mkdtempSync(join(PLACE, "palaver-run-box-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true, maxRetries: 5 }));
  const folders = { top, ws: join(top, "ws"), home: join(top, "home"), outside: join(top, "outside") };
  for (const folder of [folders.ws, folders.home, folders.outside]) mkdirSync(folder);
  mkdirSync(join(folders.home, ".ssh"));
  writeFileSync(join(folders.home, ".ssh", "id_rsa"), "SECRET-KEY");
  copyFileSync(shellAgent, join(folders.ws, "agent.mjs"));
  return folders;
}

const prompted = (command: string, flags: string[], { ws, home }: { ws: string; home: string }, env = {}) =>
  runPalaver(["prompt", command, "--protocol", "lines", ...flags, "--", process.execPath, "agent.mjs"], {
    cwd: ws,
    env: { HOME: home, ...env },
  });

describe(`an agent with --sandbox${whereItWorks}`, () => {
  boxTest("writes in its folder alone and sees nothing of the home; without the flag it does as it likes", async () => {
    const here = place();
    const command = `touch made; touch ${here.outside}/made; cat ~/.ssh/id_rsa; echo $SSH_AUTH_SOCK:$MODEL_API_KEY`;
    const env = { SSH_AUTH_SOCK: "/run/agent", MODEL_API_KEY: "needed" };
    const { stdout, code } = await prompted(command, ["--sandbox"], here, env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Read-only file system[\s\S]*No such file/);
    expect(stdout).not.toContain("SECRET-KEY");
    expect(stdout).toMatch(/^:needed$/m);
    expect([existsSync(join(here.ws, "made")), existsSync(join(here.outside, "made"))]).toEqual([true, false]);
    expect((await prompted(command, [], here, env)).stdout).toContain("SECRET-KEY");
  });

  boxTest("cannot make a name that runs code later, also for a moment, and leaves no trace of the guard", async () => {
    const here = place();
    const { stdout } = await prompted("echo made > .envrc; mkdir .vscode/x; ls -A .envrc .vscode", ["--sandbox"], here);
    expect(stdout).toMatch(/\.envrc: Is a directory[\s\S]*Read-only file system/);
    expect(readdirSync(here.ws)).toEqual(["agent.mjs"]);
  });

  boxTest("gets none of the files that were open when palaver was started", async () => {
    const here = place();
    writeFileSync(join(here.outside, "private.txt"), "SECRET-FILE");
    const command = `cat /proc/self/fd/200/private.txt; touch /proc/self/fd/200/made`;
    writeFileSync(join(here.ws, "go.sh"), command);
    const line = `exec 200<${here.outside}; exec "$@"`;
    for (const args of [
      ["prompt", command, "--protocol", "lines", "--sandbox", "--", process.execPath, "agent.mjs"],
      ["prompt", "run bash go.sh", "--allowed-tools", "bash"],
    ]) {
      const env = { HOME: here.home, PALAVER_SANDBOX: "" };
      const { stdout } = await runProgram("/bin/bash", ["-c", line, "bash", process.execPath, palaver, ...args], {
        cwd: here.ws,
        env,
      });
      expect(stdout).toContain("Not a directory");
      expect(stdout).not.toContain("SECRET-FILE");
      expect(readdirSync(here.outside)).toEqual(["private.txt"]);
    }
  });

  boxTest(
    "has the state folder of an agent by its name only where the workspace did not bring the program",
    async () => {
      const here = place();
      mkdirSync(join(here.home, ".claude"));
      writeFileSync(join(here.home, ".claude", "settings.json"), "{}");
      const script = `#!/bin/sh\nexec ${process.execPath} ${join(here.ws, "agent.mjs")}\n`;
      for (const folder of [here.ws, here.outside]) writeFileSync(join(folder, "claude"), script, { mode: 0o755 });
      const command = "echo PWN > ~/.claude/settings.json; touch ~/.claude/made";
      const run = (program: string) =>
        runPalaver(["prompt", command, "--protocol", "lines", "--sandbox", "--", program], {
          cwd: here.ws,
          env: { HOME: here.home },
        });
      await run("./claude");
      expect(readdirSync(join(here.home, ".claude"))).toEqual(["settings.json"]);
      await run(join(here.outside, "claude"));
      expect(readdirSync(join(here.home, ".claude")).sort()).toEqual(["made", "settings.json"]);
      expect(readFileSync(join(here.home, ".claude", "settings.json"), "utf8")).toBe("{}");
    },
  );

  boxTest("is shown as one in the terminal UI", async () => {
    const { ws, home } = place();
    const args = [palaver, "run", "--sandbox", "--protocol", "lines", "--", process.execPath, "agent.mjs"];
    const session = new PtySession(process.execPath, args, { cwd: ws, env: { HOME: home } });
    await session.shows(/in the sandbox/);
    session.type("cat ~/.ssh/id_rsa\r");
    await session.shows("No such file");
    session.type("/quit\r");
    await session.ended;
  });
});

describe(`a signal in the middle of a command${whereItWorks}`, () => {
  const own = ["prompt", "sh go.sh", "--protocol", "lines", "--sandbox", "--", process.execPath, "agent.mjs"];
  const embedded = ["prompt", "run sh go.sh", "--allowed-tools", "bash"];

  boxTest.each([
    ["SIGTERM", "an agent of one's own", own],
    ["SIGHUP", "an agent of one's own", own],
    ["SIGKILL", "an agent of one's own", own],
    ["SIGTERM", "the built-in agent", embedded],
    ["SIGHUP", "the built-in agent", embedded],
    ["SIGKILL", "the built-in agent", embedded],
  ] as const)("%s leaves nothing of the sandbox of %s behind", async (signal, _, args) => {
    const { top, ws, home } = place();
    const state = join(top, "state");
    writeFileSync(join(ws, "go.sh"), "echo made > .envrc\ntouch started\nsleep 97\n");
    const env = { ...process.env, ...ownEnvironment, HOME: home, XDG_STATE_HOME: state, PALAVER_SANDBOX: "" };
    const child = spawn(process.execPath, [palaver, ...args], { cwd: ws, env, stdio: ["pipe", "ignore", "ignore"] });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const waiting = { timeout: 20_000, interval: 20 };
    const boxes = () => readdirSync(join(state, "palaver")).filter((name) => name.startsWith("sandbox-"));
    await expect.poll(() => existsSync(join(ws, "started")), waiting).toBe(true);
    expect(readdirSync(ws)).toEqual(expect.arrayContaining([".envrc", ".git"]));
    expect(boxes()).toHaveLength(1);
    child.kill(signal);
    await ended;
    await expect.poll(() => readdirSync(ws).sort(), waiting).toEqual(["agent.mjs", "go.sh", "started"]);
    await expect.poll(boxes, waiting).toEqual([]);
  });
});

describe("a sandbox that was asked for and does not work", () => {
  test.each([
    [
      "an agent of one's own",
      ["prompt", "touch made", "--protocol", "lines", "--sandbox", "--", process.execPath, "agent.mjs"],
    ],
    ["the built-in agent", ["prompt", "run touch made", "--sandbox", "--allowed-tools", "bash"]],
  ])("%s is not started, and the exit code is 2", async (_, args) => {
    verifies("sandbox.never-unboxed");
    const { ws } = place();
    // A workspace that holds the home folder cannot be boxed anywhere.
    const { code, stderr, stdout } = await runPalaver(args, { cwd: ws, env: { HOME: ws } });
    expect(stdout).toBe("");
    expect(stderr).toContain("the sandbox does not work: ");
    expect(code).toBe(2);
    expect(existsSync(join(ws, "made"))).toBe(false);
  });

  test("cannot be asked for and refused at once", async () => {
    const { code, stderr } = await runPalaver(["prompt", "x", "--sandbox", "--no-sandbox"]);
    expect([code, stderr.trim()]).toEqual([2, expect.stringContaining("not both")]);
  });
});

describe(`the built-in agent${whereItWorks}`, () => {
  const touch = (path: string) => ["prompt", `run touch ${path}`, "--allowed-tools", "bash"];

  boxTest("runs its commands in the sandbox unless the user turns it off", async () => {
    const { ws, home, outside } = place();
    const env = { HOME: home, PALAVER_SANDBOX: "" };
    writeFileSync(join(ws, "go.sh"), `touch ${outside}/made`);
    const run = ["prompt", "run bash go.sh", "--allowed-tools", "bash"];
    const inside = await runPalaver(run, { cwd: ws, env });
    expect(inside.stdout + inside.stderr).toContain("Read-only file system");
    expect(existsSync(join(outside, "made"))).toBe(false);
    await runPalaver([...run, "--no-sandbox"], { cwd: ws, env });
    expect(existsSync(join(outside, "made"))).toBe(true);
  });

  boxTest("runs no program of the workspace because PATH leads there", async () => {
    const { top, ws, home } = place();
    const bin = join(ws, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    for (const name of ["bwrap", "sh", "sleep", "stty", "rm", "rmdir", "tmux"])
      writeFileSync(join(bin, name), `#!/bin/bash\necho ${name} >> ${join(top, "ran")}\n`, { mode: 0o755 });
    const env = { HOME: home, PALAVER_SANDBOX: "", TMUX: join(top, "no.sock"), PATH: `${bin}:${process.env["PATH"]}` };
    for (const args of [touch("made"), ["doctor"]]) await runPalaver(args, { cwd: ws, env });
    expect(existsSync(join(ws, "made"))).toBe(true);
    expect(existsSync(join(top, "ran")) ? readFileSync(join(top, "ran"), "utf8") : "").toBe("");
  });

  boxTest.for([
    ["an ordinary user", NOBODY],
    ["a user id without a row in /etc/passwd", 2_001],
  ] as const)("does so without the rights of root, too: as %s", async ([, uid]) => {
    if (process.getuid?.() !== 0) return;
    const { top, ws, home, outside } = place();
    cpSync(join(projectRoot, "dist"), join(top, "dist"), { recursive: true });
    for (const folder of [top, ws, home, outside]) chmodSync(folder, 0o777);
    chmodSync(join(top, "dist"), 0o755);
    chownSync(ws, uid, uid);
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, PALAVER_MODEL: "offline" };
    const args = [join(top, "dist", "cli.js"), "prompt", `run bash go.sh`, "--allowed-tools", "bash"];
    writeFileSync(
      join(ws, "go.sh"),
      `touch made ${outside}/made; mkdir -p .vscode; echo {} > .vscode/tasks.json; chmod 555 .`,
    );
    const child = spawn(process.execPath, args, {
      cwd: ws,
      env,
      uid,
      gid: uid,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    await new Promise((resolve) => child.on("close", resolve));
    expect(output).toContain("Read-only file system");
    expect([existsSync(join(ws, "made")), existsSync(join(outside, "made"))]).toEqual([true, false]);
    expect(readdirSync(ws).sort()).toEqual(["agent.mjs", "go.sh", "made"]);
    expect(statSync(ws).mode & 0o777).toBe(0o555);
  });
});
