// Prompt mode where nobody sits: every way of having no terminal, no input or no output, each with its exit code, and
// nothing that hangs. The processes here have a session of their own and so no terminal, whoever runs the tests.
import { spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { childOf, isRunning } from "../processes.js";
import { type Ended, palaver, type RunOptions, runPalaver } from "../run-program.js";
import { play, scriptedAgent, Workplace } from "./prompt-terminal.js";

const place = new Workplace();
afterAll(() => place.remove());

const agent = ["--", process.execPath, scriptedAgent];
const confirm = { ask: "confirm", params: { title: "npm test", opts: { tool: "bash", allow_remember: true } } };
const select = {
  ask: "select",
  params: { title: "Which?", options: ["a", "b"].map((value) => ({ value, label: value })), opts: { default: "b" } },
};

const HANGS_AFTER_MS = 60_000;

function start(args: readonly string[], { env = {} }: RunOptions = {}) {
  const own = { HOME: place.folder, XDG_STATE_HOME: place.path("state"), TMPDIR: place.folder };
  return spawn(process.execPath, [palaver, "prompt", ...args], {
    cwd: place.folder,
    env: { ...process.env, ...own, ...env },
    detached: true,
    timeout: HANGS_AFTER_MS,
  });
}

function prompt(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = start(args, options);
  return new Promise((resolve) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.on("error", () => undefined);
    const { stdin = "" } = options;
    if (stdin !== "open") child.stdin.end(stdin);
  });
}

describe("no one to ask", () => {
  test.each<[string, object, string, number, string]>([
    ["a permission is denied", confirm, "deny", 0, 'answer {"ok":false}\n'],
    ["a permission has no default but no", confirm, "default", 0, 'answer {"ok":false}\n'],
    ["a default of the agent's is not taken", select, "default", 3, ""],
    ["a select is cancelled", select, "deny", 0, "answer null\n"],
    ["nothing is guessed", select, "fail", 3, ""],
    ["nobody is waited for", confirm, "wait", 3, ""],
  ])("%s, --on-ask %#", async (_, step, onAsk, code, stdout) => {
    expect(await prompt([play(step), "--on-ask", onAsk, ...agent])).toMatchObject({ code, stdout });
  });

  test("the default is to fail, with one record that a program can read", async () => {
    const { code, stderr } = await prompt([play(confirm), ...agent]);
    expect(code).toBe(3);
    const records = stderr.split("\n").filter((line) => line.startsWith("{"));
    expect(records.map((line) => JSON.parse(line) as unknown)).toEqual([
      { asked: "permission", title: "npm test", tool: "bash", outcome: "unanswered", allow: "--allowed-tools run" },
    ]);
  });

  test("a file of answers answers, each with its record", async () => {
    const file = place.path("answers.json");
    const answers = [
      { match: { kind: "permission", tool: "bash", title: "npm *" }, answer: "allow_once" },
      { match: { kind: "select" }, answer: "a" },
    ];
    writeFileSync(file, JSON.stringify({ answers }));
    const { code, stdout, stderr } = await prompt([play(confirm, select), "--answers", file, ...agent]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'answer {"ok":true}\n\nanswer "a"\n' });
    expect(
      stderr
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { outcome: "answered", by: "answers[0]", value: { ok: true } },
      { outcome: "answered", by: "answers[1]", value: "a" },
    ]);
  });

  test("what answered is in the history of asks, for palaver prompt and palaver ask", async () => {
    const env = { HOME: place.folder, XDG_STATE_HOME: place.path("history") };
    await prompt([play(confirm), "--on-ask", "deny", ...agent], { env });
    const key = `ghp_${"a1B2".repeat(9)}`;
    await runPalaver(["ask", "select", `Which? ${key}`, "a", key, "--default", key, "--no-input"], { env });
    const { stdout } = await runPalaver(["asks", "--history", "--json"], { env });
    expect(JSON.parse(stdout)).toMatchObject([
      { title: "npm test", outcome: { kind: "answered", by: "--on-ask deny" }, delivery: "delivered" },
      { title: "Which? ••••••", agent: "palaver ask", outcome: { kind: "answered", value: "••••••", by: "--default" } },
    ]);
  });

  test("skipping permissions is loud", async () => {
    const { code, stdout, stderr } = await prompt([play(confirm), "--skip-permissions", ...agent]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'answer {"ok":true}\n' });
    expect(stderr).toMatch(/^▲ --skip-permissions: the agent may do everything[^\n]*\n\{.*"by":"--skip-permissions"/);
  });
});

describe("going on where it stopped", () => {
  test("a session that failed at a question continues with the answer", async () => {
    const stopped = await prompt(["run echo from-the-shell"]);
    const record = stopped.stderr.split("\n").find((line) => line.includes('"unanswered"'));
    expect({ code: stopped.code, record }).toMatchObject({ code: 3, record: expect.stringContaining("--resume") });
    const { resume } = JSON.parse(record ?? "{}") as { resume: string };
    const session = /--resume (\S+)/.exec(resume)?.[1] ?? "";
    const refused = await prompt(["--answer", "yes", "--resume", "nobody-knows-this"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("did not stop at a question") });
    const on = await prompt(["--resume", session, "--answer", "yes"]);
    expect(on.code).toBe(0);
    expect(on.stderr).toContain('"by":"--answer"');
    expect(on.stdout).toContain("from-the-shell");
  });
});

describe("streams that are not there", () => {
  test("standard input and named files are part of the prompt, and an input that stays open and silent does not hang it", async () => {
    writeFileSync(place.path("notes.md"), "a note\n");
    const piped = await prompt(["explain", "--context", "notes.md", ...agent], { stdin: "some input\n" });
    expect(piped).toMatchObject({
      code: 0,
      stdout: "You said: explain\n\nFile notes.md:\n```\na note\n```\n\nInput:\n```\nsome input\n```\n",
    });
    expect(await prompt(["hello", ...agent], { stdin: "open" })).toMatchObject({
      code: 0,
      stdout: "You said: hello\n",
    });
    expect(await prompt([...agent], { stdin: "alone" })).toMatchObject({ code: 0, stdout: "You said: alone\n" });
    expect(await prompt([...agent])).toMatchObject({ code: 2 });
  });

  test.each([
    ["TERM=dumb", { TERM: "dumb" }],
    ["NO_COLOR", { NO_COLOR: "1" }],
    ["no TERM", { TERM: "" }],
    ["CI", { CI: "true" }],
  ])("with %s the output has no escape in it", async (_, env) => {
    verifies("prompt.stdout-is-the-answer");
    const { code, stdout, stderr } = await prompt([play({ say: "plain" }, confirm), ...agent], { env });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "plain\n" });
    expect(stdout + stderr).not.toContain("\x1b");
  });

  test.each([
    ["input", "<&-", "You said: hello\n"],
    ["output", ">&-", ""],
    ["error", "2>&-", "You said: hello\n"],
  ])("no standard %s is no failure", async (_, streams, stdout) => {
    const line = `exec "$0" "$1" prompt hello -- "$0" "$2" ${streams}`;
    const child = spawn("sh", ["-c", line, process.execPath, palaver, scriptedAgent], { detached: true });
    child.stdin.end();
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, said }).toEqual({ code: 0, said: stdout });
  });

  test("an output that is closed early is no failure, and ends the agent", async () => {
    const child = start([play({ say: "first" }, { flood: 100_000 }, { hang: true }), ...agent]);
    child.stdin.end();
    child.stdout.once("data", () => child.stdout.destroy());
    const agentPid = await childOf(child.pid ?? 0);
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect(code).toBe(0);
    await expect.poll(() => isRunning(agentPid)).toBe(false);
  });
});

describe("how it ends", () => {
  test.each<[string, object[], string[], number, RegExp]>([
    ["an agent that fails", [{ fail: "no key" }], [], 1, /✕ no key/],
    ["an agent that dies", [{ die: 7 }], [], 1, /the agent ended with code 7/],
    ["silence", [{ hang: true }], ["--idle-timeout", "0.3"], 124, /silent for 0\.3 s/],
    ["too long", [{ hang: true }], ["--timeout", "0.3"], 124, /not done after 0\.3 s/],
  ])("%s", async (_, steps, flags, code, words) => {
    verifies("prompt.time-limits-end-all");
    const ended = await prompt([play(...steps), ...flags, ...agent]);
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(words) });
  });

  test("a program that cannot be started fails with the reason", async () => {
    const ended = await prompt(["x", "--", "/no/such/agent"]);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOENT") });
  });

  test("an interrupted agent ends its turn, and the run with it", async () => {
    const { child, exited } = await working({ say: "working" }, { hang: true });
    child.kill("SIGINT");
    expect(await exited).toBe(130);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s asks the agent to end its turn too, so that it can end what it started", async (signal, code) => {
    const { child, exited } = await working({ say: "working" }, { hang: true });
    child.kill(signal);
    expect(await exited).toBe(code);
    expect(existsSync(place.path("aborted"))).toBe(true);
    rmSync(place.path("aborted"));
  });

  test("one that hears nothing is killed by the second interruption, and all it started", async () => {
    const { child, exited, said } = await working({ stubborn: true }, { say: "working" }, { hang: true });
    const agentPid = await childOf(child.pid ?? 0);
    child.kill("SIGINT");
    await expect.poll(said).toContain("I do not abort");
    child.kill("SIGINT");
    expect(await exited).toBe(130);
    await expect.poll(() => isRunning(agentPid)).toBe(false);
  });

  test("a schema decides about the answer", async () => {
    const schema = place.path("list.schema.json");
    writeFileSync(schema, JSON.stringify({ type: "array", items: { type: "string" } }));
    const answer = (text: string) =>
      prompt([play({ say: "I think." }, { say: text }), "--json-schema", schema, ...agent]);
    expect(await answer('```json\n["a", "b"]\n```')).toMatchObject({ code: 0, stdout: '["a","b"]\n' });
    const wrong = await answer('["a", 1]');
    expect(wrong).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("/1 must be string") });
  });

  test("as JSON it says how it ended, also when it did not end well", async () => {
    const { code, stdout } = await prompt([play({ say: "half" }, confirm), "-o", "json", ...agent]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      type: "result",
      end: "answer-needed",
      text: "half",
      asks: [{ asked: "permission", outcome: "unanswered" }],
    });
  });
});

/** A run whose agent has begun to work. */
async function working(...steps: object[]) {
  const child = start([play(...steps), ...agent], { env: { ABORTED_FILE: place.path("aborted") } });
  child.stdin.end();
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  const exited = new Promise((resolve) => child.on("exit", resolve));
  await expect.poll(() => stdout, { timeout: 20_000 }).toContain("working");
  return { child, exited, said: () => stdout };
}

describe("an agent that fails", () => {
  const mistaken = join(import.meta.dirname, "..", "links", "mistaken-agent.mjs");
  const node = (...args: string[]) => ["--", process.execPath, ...args];

  test.each<[name: string, args: string[], words: RegExp]>([
    ["crashed", node("-e", 'throw new TypeError("no key")'), /ended with code 1: TypeError: no key\n/],
    [
      "could not start",
      node(mistaken, "a ready that does not fit"),
      /could not be started: its "ready" frame is invalid/,
    ],
    ["repeats what it hears", ["--", "cat"], /could not be started: cat is a program to type into, not an agent/],
  ])("one that %s ends the prompt with the cause", async (_name, args, words) => {
    const { code, stderr } = await prompt(["hi", ...args]);
    expect(stderr).toMatch(words);
    expect(code).toBe(1);
  });

  test("one that only asks needs no message, and its exit code is the prompt's", async () => {
    expect(await prompt(["--protocol", "rpc", ...node("-e", "0")])).toMatchObject({ code: 0, stderr: "" });
    const failed = await prompt(["--protocol", "rpc", ...node("-e", "process.exitCode = 7")]);
    expect(failed).toMatchObject({ code: 7, stderr: "✕ the agent ended with code 7\n" });
    const asks = `process.stdin.once("data", (line) => process.exit(JSON.parse(line).result === false ? 5 : 6));
      console.log(JSON.stringify({ id: 1, method: "confirm", params: { title: "Deploy?" } }));`;
    expect(await prompt(["--protocol", "rpc", "--on-ask", "default", ...node("-e", asks)])).toMatchObject({ code: 5 });
    const told = await prompt(["hi", "--protocol", "rpc", ...node("-e", "0")]);
    expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining("the message was not sent") });
  });
});
