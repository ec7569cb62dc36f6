// The daemon from the command line, as a person and as a script use it: what is printed, where, and with which exit code.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRunning } from "../processes.js";
import { palaver, runPalaver } from "../run-program.js";
import { type ReadyProgram, startProgram, temporaryPlace } from "./daemon-process.js";

interface Place {
  readonly project: string;
  readonly env: Record<string, string>;
  run(...args: string[]): ReturnType<typeof runPalaver>;
  serve(...args: string[]): Promise<ReadyProgram>;
}

function createPlace(): Place {
  const root = temporaryPlace();
  const project = join(root, "project");
  mkdirSync(join(project, "deep"), { recursive: true });
  writeFileSync(join(project, ".palaver.toml"), "");
  const env = { XDG_STATE_HOME: join(root, "state") };
  return {
    project,
    env,
    run: (...args) => runPalaver(args, { env, cwd: join(project, "deep") }),
    serve: (...args) => startProgram(palaver, { args: ["serve", ...args], env, cwd: project }),
  };
}

type Where = { url: string; pid: number; token_file: string; log_file: string; project: string };
const whereOf = ({ firstLine }: ReadyProgram) => JSON.parse(firstLine) as Where;

describe("palaver serve", () => {
  test("says where it is, is found from a folder below, and ends when it is told to", async () => {
    const { project, run, serve } = createPlace();
    const daemon = await serve();
    expect(daemon.firstLine).toMatch(new RegExp(`^The daemon of ${project} is at http://127\\.0\\.0\\.1:\\d+$`));
    expect(await run("state")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^DAEMON\n {2}daemon {3}Daemon {3}version \S+, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/,
      ),
      stderr: "",
    });
    const [entry] = JSON.parse((await run("state", "--json")).stdout) as object[];
    expect(Object.keys(entry ?? {})).toEqual([
      "program",
      "tab_title",
      "handler_name",
      "handler_color",
      "handler_type",
      "label",
      "value",
      "shortcut",
      "shortcuts",
    ]);
    expect((await run("logs")).stdout).toMatch(/^\d\d:\d\d:\d\d daemon {3}the daemon listens at http/);
    expect(await run("stop")).toMatchObject({ code: 0, stdout: `The daemon of ${project} has ended\n` });
    expect(await daemon.exited).toBe(0);
    expect(daemon.stderr()).toBe("");
  });

  test("listens on the port it is given, and says when somebody else has it", async () => {
    const { serve } = createPlace();
    const { url } = whereOf(await serve("--json"));
    const other = createPlace();
    const { port } = new URL(url);
    expect(await other.run("serve", "--port", port)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`palaver: port ${port} is taken by another program\n  Choose another`),
    });
  });

  test("refuses to listen where other machines can reach it, unless that is allowed outright", async () => {
    const { run, serve } = createPlace();
    const refused = await run("serve", "--host", "0.0.0.0");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--allow-remote");
    const allowed = await serve("--json", "--host", "0.0.0.0", "--allow-remote");
    expect(whereOf(allowed).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await run("state")).code).toBe(0);
  });

  test("runs once per project; --replace ends the one that runs", async () => {
    const { run, serve } = createPlace();
    const first = await serve("--json");
    const second = await run("serve");
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain(`is already running: ${whereOf(first).url} (process ${whereOf(first).pid})`);
    const third = await serve("--json", "--replace");
    expect(await first.exited).toBe(0);
    expect(isRunning(whereOf(third).pid)).toBe(true);
  });

  test.each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 0],
    ["SIGHUP", 0],
  ])("%s ends it cleanly with code %i, also while clients follow its log", async (signal, code) => {
    const { run, serve, env, project } = createPlace();
    const daemon = await serve("--json");
    const follower = spawn(process.execPath, [palaver, "logs", "-f"], {
      cwd: project,
      env: { ...process.env, ...env },
    });
    await new Promise((resolve) => follower.stdout.once("data", resolve));
    daemon.child.kill(signal);
    expect(await daemon.exited).toBe(code);
    expect(readFileSync(whereOf(daemon).log_file, "utf8")).toContain("the daemon is ending");
    expect((await run("state")).code).toBe(1);
    follower.kill("SIGINT");
    expect(await new Promise((resolve) => follower.on("close", resolve))).toBe(130);
  });
});

describe("the clients of a daemon", () => {
  test("stop says so when none runs, and does not advise to start one", async () => {
    const { project, run } = createPlace();
    const stderr = `palaver: no daemon runs for ${project}\n`;
    expect(await run("stop")).toMatchObject({ code: 1, stdout: "", stderr });
  });

  test.each([["state"], ["action", "Mode"], ["logs"], ["logs", "-f"]])(
    "%s %s says so when none runs, and how to start one",
    async (...args) => {
      const { project, run } = createPlace();
      expect(await run(...args.filter((arg): arg is string => typeof arg === "string"))).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `palaver: no daemon runs for ${project}\n  Start one:   palaver serve\n`,
      });
    },
  );

  test.each<[string, string[], RegExp]>([
    ["an action without a key", ["action"], /action needs a key/],
    ["an action with too many words", ["action", "a", "b", "c"], /put it in quotes/],
    ["a number of lines that is none", ["logs", "-n", "many"], /--lines takes a whole number/],
    ["a port that is none", ["serve", "--port", "70000"], /--port takes a whole number from 0 to 65535/],
    ["an unknown option", ["state", "--jsn"], /--jsn[\s\S]*palaver state --help/],
    ["a folder that is not there", ["stop", "--project", "/no/such"], /there is no folder \/no\/such/],
    ["an address that is none", ["state", "--url", "example"], /--url takes an address/],
    ["an address without a token", ["state", "--url", "http://127.0.0.1:9"], /PALAVER_TOKEN/],
  ])("%s is bad usage", async (_what, args, words) => {
    const { code, stderr } = await createPlace().run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });

  test("an action no one knows is named, with exit code 2", async () => {
    const { run, serve } = createPlace();
    await serve("--json");
    expect(await run("action", "Nope", "1")).toMatchObject({
      code: 2,
      stderr: 'palaver: the daemon has no action "Nope"; palaver state lists its actions\n',
    });
  });

  test("an address works from anywhere with the token in the environment, and not without", async () => {
    const { serve } = createPlace();
    const { url, token_file } = whereOf(await serve("--json"));
    const elsewhere = temporaryPlace();
    const ask = (token: string) =>
      runPalaver(["state", "--url", url], { cwd: elsewhere, env: { PALAVER_TOKEN: token } });
    expect((await ask(readFileSync(token_file, "utf8"))).code).toBe(0);
    expect(await ask("wrong")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not accept this token, so it was not sent"),
    });
  });

  test("logs -f goes on after the daemon was started again, without a line twice", async () => {
    const { serve, env, project, run } = createPlace();
    await serve("--json");
    const follower = spawn(process.execPath, [palaver, "logs", "-f", "--json"], {
      cwd: project,
      env: { ...process.env, ...env },
    });
    let stdout = "";
    follower.stdout.on("data", (chunk) => (stdout += chunk));
    const contents = () =>
      stdout
        .trimEnd()
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { content: string }).content.replace(/ http.*/, ""));
    await expect.poll(contents, { timeout: 25_000 }).toEqual(["the daemon listens at"]);
    await run("stop");
    await serve("--json");
    const all = ["the daemon listens at", "the daemon is ending", "the daemon listens at"];
    await expect.poll(contents, { timeout: 20_000 }).toEqual(all);
    follower.kill();
  });
});
