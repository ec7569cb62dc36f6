// MCP clients in processes of their own, which are killed without a word, and the server in front of them.
import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { eras, openStage } from "../../server/mcp/mcp-stage.js";
import { childOf, isRunning } from "../processes.js";
import { home } from "../pty-session.js";
import { ownEnvironment, palaver, projectRoot } from "../run-program.js";

const program = "test/e2e/mcp/mcp-client.mjs";
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function start(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: projectRoot,
    env: { ...process.env, HOME: home, ...ownEnvironment, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(stdout)));
  return { child, ended, pid: child.pid ?? 0 };
}

const ask = (title: string) => JSON.stringify({ title });

describe.each(eras)("a client in another process, in the era of %s", (era) => {
  test("asks three things in a row without printing a word in between", async () => {
    const stage = await openStage();
    const args = [era, "http", stage.server.url, "ask_input", ask("one"), ask("two"), ask("three")];
    const { ended } = start(args, { MCP_TOKEN: stage.server.token });
    for (const value of ["erste 🙂", "", "三"]) await stage.answerNext(value);
    const values = (await ended).trim().split("\n");
    expect(values.map((line) => JSON.parse(line).value)).toEqual(["erste 🙂", "", "三"]);
  });

  test("is killed, and its question is closed; an answer after that is too late", async () => {
    const stage = await openStage();
    const args = [era, "http", stage.server.url, "ask_confirm", ask("Go on?")];
    const { child, ended } = start(args, { MCP_TOKEN: stage.server.token });
    const [asked] = await stage.waitForAsks(1);
    child.kill("SIGKILL");
    await ended;
    await stage.waitForAsks(0);
    expect(stage.board.answer(asked?.id ?? "", { value: true }, "somebody")).toMatchObject({
      kind: "late",
      outcome: { kind: "withdrawn", reason: "disconnected" },
    });
  });

  test("with a wrong token asks no one anything", async () => {
    const stage = await openStage();
    const { child, ended } = start([era, "http", stage.server.url, "ask_input", ask("?")], { MCP_TOKEN: "wrong" });
    expect(await ended).toBe("");
    expect(child.exitCode).not.toBe(0);
    expect(stage.audits).toEqual([]);
  });

  test("reaches the user through palaver mcp and a server elsewhere, and takes its question along when it is killed", async () => {
    const stage = await openStage();
    const command = [process.execPath, palaver, "mcp", "--url", new URL(stage.server.url).origin];
    const env = { PALAVER_TOKEN: stage.server.token };
    const first = start([era, "stdio", "ask_input", ask("Through?"), "--", ...command], env);
    expect((await stage.answerNext("yes")).question).toMatchObject({ kind: "input", params: { title: "Through?" } });
    expect(JSON.parse(await first.ended)).toMatchObject({ outcome: "answered", value: "yes" });

    const second = start([era, "stdio", "ask_confirm", ask("Again?"), "--", ...command], env);
    await stage.waitForAsks(1);
    const server = await childOf(second.pid);
    second.child.kill("SIGKILL");
    await stage.waitForAsks(0);
    await expect.poll(() => isRunning(server), { timeout: 20_000 }).toBe(false);
  });

  test("is told when there is neither a terminal nor a daemon", async () => {
    const command = [process.execPath, palaver, "mcp", "--project", home];
    const { ended } = start([era, "stdio", "ask_confirm", ask("Anybody?"), "--", ...command], { CI: "true" });
    expect(JSON.parse(await ended)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("no one can be asked") }],
    });
  });
});
